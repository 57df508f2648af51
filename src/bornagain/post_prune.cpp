#include "regrove/bornagain/post_prune.hpp"

#include <algorithm>
#include <vector>

#include "regrove/core/check.hpp"

namespace regrove::bornagain {

namespace {

constexpr std::uint32_t k_inner = 0xFFFFFFFF;

std::uint32_t class_of(const model::Node& leaf) {
    return static_cast<std::uint32_t>(std::ranges::max_element(leaf.value) - leaf.value.begin());
}

/// What becomes of each node of a tree, found from the last node to the first: children come after their parent.
class Pruning {
  public:
    Pruning(const model::Tree& tree, std::span<const std::uint64_t> rows)
        : tree_(tree), rows_(rows.begin(), rows.end()), kept_(rows.size()), class_(rows.size(), k_inner) {
        REGROVE_CHECK(rows.size() == tree.nodes.size());
        for (std::size_t i = tree.nodes.size(); i-- > 0;) decide(static_cast<std::uint32_t>(i));
    }

    /// The tree that is left, in pre-order.
    model::Tree written() const {
        model::Tree result;
        struct Open {
            std::uint32_t node;
            std::size_t parent;  ///< whose right child it is; the root is its own
        };
        std::vector<Open> open{{kept_[0], 0}};
        while (!open.empty()) {
            const Open next = open.back();
            open.pop_back();
            const std::size_t place = result.nodes.size();
            if (place > 0 && !is_left_child(result, place))
                result.nodes[next.parent].right = NodeId{static_cast<std::uint32_t>(place)};
            result.nodes.push_back(new_node(next.node, place));
            if (class_[next.node] != k_inner) continue;
            open.push_back({kept_[index(tree_.nodes[next.node].right)], place});
            open.push_back({kept_[index(tree_.nodes[next.node].left)], place});
        }
        add_up(result);
        return result;
    }

  private:
    void decide(std::uint32_t i) {
        const model::Node& node = tree_.nodes[i];
        kept_[i] = i;
        if (node.is_leaf()) {
            class_[i] = class_of(node);
            return;
        }
        const std::uint32_t left = kept_[index(node.left)];
        const std::uint32_t right = kept_[index(node.right)];
        const std::uint64_t left_rows = rows_[index(node.left)];
        const std::uint64_t right_rows = rows_[index(node.right)];
        rows_[i] = left_rows + right_rows;
        if (left_rows == 0 && right_rows > 0) kept_[i] = right;
        if (right_rows == 0 && left_rows > 0) kept_[i] = left;
        if (kept_[i] == i && class_[left] == class_[right]) class_[i] = class_[left];
    }

    static bool is_left_child(const model::Tree& tree, std::size_t place) { return !tree.nodes[place - 1].is_leaf(); }

    model::Node new_node(std::uint32_t old, std::size_t place) const {
        model::Node node;
        node.rows = rows_[old];
        node.value.assign(tree_.nodes[old].value.size(), 0);
        if (class_[old] != k_inner) {
            node.weight = static_cast<double>(node.rows);
            node.value[class_[old]] = node.rows > 0 ? node.weight : 1;
            return node;
        }
        node.question = tree_.nodes[old].question;
        node.left = NodeId{static_cast<std::uint32_t>(place + 1)};
        return node;
    }

    static void add_up(model::Tree& tree) {
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            model::Node& node = tree.nodes[i];
            if (node.is_leaf()) continue;
            for (const NodeId child : {node.left, node.right}) {
                node.weight += tree.node(child).weight;
                for (std::size_t k = 0; k < node.value.size(); ++k) node.value[k] += tree.node(child).value[k];
            }
        }
    }

    const model::Tree& tree_;
    std::vector<std::uint64_t> rows_;
    std::vector<std::uint32_t> kept_;   ///< the node that takes this one's place
    std::vector<std::uint32_t> class_;  ///< of nodes that are or become leaves
};

}  // namespace

model::Ensemble post_prune(const model::Ensemble& reborn, std::span<const std::uint64_t> rows) {
    const model::Tree& tree = reborn.trees.front();
    model::Ensemble pruned = reborn;
    const bool some = std::ranges::any_of(rows, [](std::uint64_t n) { return n > 0; });
    if (some) pruned.trees.front() = Pruning(tree, rows).written();
    pruned.provenance["reborn.faithful"] = "no: post-pruned where no row of the table lies";
    return pruned;
}

}  // namespace regrove::bornagain
