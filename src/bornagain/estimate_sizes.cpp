#include "estimate_sizes.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "regrove/core/portable_math.hpp"

namespace regrove::bornagain {

namespace {

using cellspace::Box;
using cellspace::CompiledTree;
using cellspace::Step;

/// Calls visit(cell) for the cells of the box behind which the question changes its answer.
template <class Visit>
void for_each_cut(const CompiledTree& tree, const Step& step, const Box& box, const Visit& visit) {
    for (std::uint32_t c = box.low[step.axis]; c < box.high[step.axis]; ++c)
        if (tree.goes_right(step, c) != tree.goes_right(step, c + 1)) visit(c);
}

}  // namespace

/// Edges lead to higher numbers, so from the last step back one pass is enough.
std::uint64_t depth_in_hyperplanes(const CompiledTree& tree, const Box& box) {
    std::vector<std::uint64_t> depth(tree.steps.size(), 0);
    for (std::size_t i = tree.steps.size(); i-- > 0;) {
        const Step& step = tree.steps[i];
        if (step.is_leaf()) continue;
        std::uint32_t cuts = 0;
        for_each_cut(tree, step, box, [&](std::uint32_t) { ++cuts; });
        depth[i] = std::bit_width(cuts) + std::max(depth[step.left], depth[step.right]);
    }
    return depth[0];
}

std::uint64_t leaf_count(const CompiledTree& tree) {
    return static_cast<std::uint64_t>(std::ranges::count_if(tree.steps, &Step::is_leaf));
}

double log10_cells_of(const cellspace::CompiledEnsemble& ensemble, std::size_t trees, const Box& box) {
    std::vector<std::set<std::uint32_t>> cuts(box.low.size());
    for (std::size_t t = 0; t < trees; ++t)
        for (const Step& step : ensemble.trees()[t].steps)
            if (!step.is_leaf())
                for_each_cut(ensemble.trees()[t], step, box, [&](std::uint32_t c) { cuts[step.axis].insert(c); });
    constexpr double log10_of_2 = 0.30102999566398120;
    double sum = 0;
    for (const auto& axis : cuts) sum += portable::log2(static_cast<double>(axis.size() + 1)) * log10_of_2;
    return sum;
}

}  // namespace regrove::bornagain
