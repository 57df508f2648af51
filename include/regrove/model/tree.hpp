// A binary decision tree with the training figures of each node.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/model/split.hpp"

namespace regrove::model {

/// Nodes are stored in pre-order: the root is 0, a left child follows its parent at once.
struct Node {
    Question question;
    NodeId left = k_no_node;
    NodeId right = k_no_node;
    std::uint64_t rows = 0;  ///< training rows that reached the node
    double weight = 0;       ///< their weight
    double impurity = 0;     ///< Gini, entropy (bits) or mean squared error of those rows
    double gain = 0;  ///< weighted impurity decrease of the question, per unit of the node's weight; boosting: the
                      ///< question's whole gain
    /// Other questions of exactly the same gain: those that cut the training rows in another way, and those that cut
    /// them alike.
    std::uint32_t ties_cutting_differently = 0;
    std::uint32_t ties_cutting_alike = 0;
    /// Classification: weight of each class. Regression: one element, the mean. Boosting (Combination::sum): what the
    /// node adds to its score, or to each score. At leaves it is the answer.
    std::vector<double> value;

    bool is_leaf() const { return question.kind == QuestionKind::leaf; }
    friend bool operator==(const Node&, const Node&) = default;
};

struct Tree {
    std::vector<Node> nodes;

    const Node& node(NodeId id) const { return nodes[index(id)]; }
    std::uint32_t leaf_count() const;
    std::uint32_t depth() const;
    friend bool operator==(const Tree&, const Tree&) = default;
};

}  // namespace regrove::model
