// Trees written down node by node in pre-order.
#pragma once

#include <utility>
#include <vector>

#include "regrove/model/ensemble_builder.hpp"

namespace regrove::prune {

class SmallTree {
  public:
    SmallTree& inner(double weight, double impurity) {
        model::Node& node = add(weight, impurity);
        node.question.kind = model::QuestionKind::threshold;
        node.question.feature = FeatureId{0};
        node.gain = 0.125;
        return *this;
    }
    SmallTree& leaf(double weight, double impurity) {
        add(weight, impurity);
        return *this;
    }

    model::Tree finish() && {
        std::size_t next = 0;
        link(next);
        return std::move(tree_);
    }

  private:
    model::Node& add(double weight, double impurity) {
        model::Node& node = tree_.nodes.emplace_back();
        node.weight = weight;
        node.rows = static_cast<std::uint64_t>(weight);
        node.impurity = impurity;
        node.value = {static_cast<double>(tree_.nodes.size())};
        return node;
    }

    void link(std::size_t& next) {
        const std::size_t own = next++;
        if (tree_.nodes[own].is_leaf()) return;
        tree_.nodes[own].left = NodeId{static_cast<std::uint32_t>(next)};
        link(next);
        tree_.nodes[own].right = NodeId{static_cast<std::uint32_t>(next)};
        link(next);
    }

    model::Tree tree_;
};

inline model::Ensemble ensemble_of(model::Tree tree) {
    model::EnsembleBuilder builder;
    builder.task(model::Task::regression, "y", {}).features({{"x", {}, {}, {}}}).add_tree(std::move(tree));
    return std::move(builder).build();
}

}  // namespace regrove::prune
