#include "regrove/train/growth_plan.hpp"

#include <algorithm>
#include <queue>
#include <string>

namespace regrove::train {

namespace {

struct Replay {
    std::vector<bool> inner;              ///< taken as inner node
    std::vector<std::uint32_t> unopened;  ///< taken, but its children do not exist yet
};

/// Higher gain first; equal gains by path, the left subtree first, so that node numbers (which depend on the rounds)
/// do not matter.
struct Waiting {
    double weighted_gain;
    std::uint32_t node;
    std::string path;
    bool operator<(const Waiting& other) const {
        if (weighted_gain != other.weighted_gain) return weighted_gain < other.weighted_gain;
        return path > other.path;
    }
};

Replay replay(const std::vector<PlannedNode>& nodes, std::uint64_t max_leaves) {
    Replay result{std::vector<bool>(nodes.size(), false), {}};
    std::priority_queue<Waiting> waiting;
    const auto offer = [&](std::uint32_t node, std::string path) {
        if (nodes[node].splittable) waiting.push({nodes[node].weighted_gain, node, std::move(path)});
    };
    if (!nodes.empty()) offer(0, "");
    std::uint64_t leaves = 1;
    while (!waiting.empty() && leaves < max_leaves) {
        const Waiting next = waiting.top();
        waiting.pop();
        leaves += 1;
        result.inner[next.node] = true;
        if (nodes[next.node].left == 0) {
            result.unopened.push_back(next.node);
            continue;
        }
        offer(nodes[next.node].left, next.path + 'l');
        offer(nodes[next.node].right, next.path + 'r');
    }
    return result;
}

}  // namespace

std::vector<std::uint32_t> nodes_to_open(const std::vector<PlannedNode>& nodes, std::uint64_t max_leaves,
                                         GrowthOrder order) {
    std::vector<std::uint32_t> open;
    if (order == GrowthOrder::depth_first) {
        const auto waits = [&](std::size_t node) { return nodes[node].splittable && nodes[node].left == 0; };
        // Children are made in pairs, the left one first, with an odd number; the youngest pair is the deepest.
        for (std::size_t node = nodes.size(); node-- > 0;) {
            if (!waits(node)) continue;
            const bool left_sibling_waits = node != 0 && node % 2 == 0 && waits(node - 1);
            return {static_cast<std::uint32_t>(left_sibling_waits ? node - 1 : node)};
        }
        return open;
    }
    if (max_leaves != 0) {
        open = replay(nodes, max_leaves).unopened;
        std::sort(open.begin(), open.end());
        return open;
    }
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        if (nodes[node].splittable && nodes[node].left == 0) open.push_back(node);
    }
    return open;
}

std::vector<bool> final_inner_nodes(const std::vector<PlannedNode>& nodes, std::uint64_t max_leaves) {
    if (max_leaves != 0) return replay(nodes, max_leaves).inner;
    std::vector<bool> inner(nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node) inner[node] = nodes[node].left != 0;
    return inner;
}

}  // namespace regrove::train
