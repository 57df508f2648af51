// Children follow their parent, the left subtree first.
#include "regrove/train/tree_assembly.hpp"

namespace regrove::train {

model::Tree assemble_tree(const std::vector<PlannedNode>& plan, std::uint64_t max_leaves,
                          const std::function<model::Node(std::uint32_t, bool)>& make_node) {
    const auto inner = final_inner_nodes(plan, max_leaves);
    model::Tree tree;
    struct Pending {
        std::uint32_t planned;
        std::uint32_t parent;
        bool is_right;
    };
    std::vector<Pending> pending{{0, 0, false}};
    while (!pending.empty()) {
        const Pending next = pending.back();
        pending.pop_back();
        const auto id = static_cast<std::uint32_t>(tree.nodes.size());
        if (id != 0) (next.is_right ? tree.nodes[next.parent].right : tree.nodes[next.parent].left) = NodeId{id};
        tree.nodes.push_back(make_node(next.planned, inner[next.planned]));
        if (!inner[next.planned]) continue;
        pending.push_back({plan[next.planned].right, id, true});
        pending.push_back({plan[next.planned].left, id, false});
    }
    return tree;
}

model::Tree graft(const model::Tree& tree, std::vector<Graft> grafts) {
    // In pre-order a subtree stands where its leaf stood and pushes everything behind it on.
    std::vector<std::uint32_t> moved_to(tree.nodes.size());
    std::uint32_t next = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        moved_to[i] = next;
        const bool grafted = at < grafts.size() && index(grafts[at].leaf) == i;
        next += grafted ? static_cast<std::uint32_t>(grafts[at++].subtree.nodes.size()) : 1U;
    }
    const auto add = [](model::Tree& into, model::Node node, auto move_id) {
        if (!node.is_leaf()) {
            node.left = move_id(node.left);
            node.right = move_id(node.right);
        }
        into.nodes.push_back(std::move(node));
    };
    model::Tree result;
    result.nodes.reserve(next);
    at = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (at == grafts.size() || index(grafts[at].leaf) != i) {
            add(result, tree.nodes[i], [&](NodeId id) { return NodeId{moved_to[index(id)]}; });
            continue;
        }
        const auto offset = static_cast<std::uint32_t>(result.nodes.size());
        for (model::Node& node : grafts[at].subtree.nodes) {
            add(result, std::move(node), [&](NodeId id) { return NodeId{index(id) + offset}; });
        }
        ++at;
    }
    return result;
}

bool is_pure(const NodeFigures& figures, const StatisticsLayout& layout, Statistics totals,
             const SquareSum& squares) {
    if (layout.regression()) return figures.constant(totals, squares);
    std::uint32_t present = 0;
    for (std::uint32_t k = 0; k < layout.classes; ++k) present += totals[k] != 0 ? 1 : 0;
    return present < 2;
}

}  // namespace regrove::train
