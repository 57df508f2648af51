// Counting over a tree's pre-order nodes, without recursion.
#include "regrove/model/tree.hpp"

#include <algorithm>

namespace regrove::model {

std::uint32_t Tree::leaf_count() const {
    return static_cast<std::uint32_t>(std::ranges::count_if(nodes, &Node::is_leaf));
}

/// Questions on the longest path: 0 for a single leaf. Children come after their parent, so one pass is enough.
std::uint32_t Tree::depth() const {
    std::vector<std::uint32_t> depth_of(nodes.size(), 0);
    std::uint32_t deepest = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        deepest = std::max(deepest, depth_of[i]);
        if (nodes[i].is_leaf()) continue;
        depth_of[index(nodes[i].left)] = depth_of[i] + 1;
        depth_of[index(nodes[i].right)] = depth_of[i] + 1;
    }
    return deepest;
}

}  // namespace regrove::model
