// Which search an ensemble gets, and what is given when it ends early.
#include "regrove/bornagain/reborn.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/error.hpp"

#include "region_search.hpp"

namespace regrove::bornagain {

namespace {

/// Spaces of more cells are not laid out as a tensor: half a gigabyte of bits for two classes, and ten seconds to fill.
constexpr double k_most_log10_cells = 9.3;

cellspace::Box supported_box(const cellspace::Space& space, const RebornOptions& options) {
    cellspace::Box box = cellspace::whole(space);
    if (options.support != Support::range) return box;
    const std::size_t axes = space.axes.size();
    if (options.supported_cells.empty())
        throw InputError("the table has no row within the space: nothing to support");
    std::swap(box.low, box.high);  // the widest empty box
    for (std::size_t i = 0; i < options.supported_cells.size(); ++i) {
        box.low[i % axes] = std::min(box.low[i % axes], options.supported_cells[i]);
        box.high[i % axes] = std::max(box.high[i % axes], options.supported_cells[i]);
    }
    return box;
}

bool fits_tensor(const cellspace::Box& box) {
    std::size_t axes = 0;
    for (std::size_t j = 0; j < box.low.size(); ++j) {
        if (box.high[j] > box.low[j]) ++axes;
        if (box.high[j] - box.low[j] >= 65535) return false;
    }
    return axes <= k_max_tensor_axes && log10_cells(box) <= k_most_log10_cells;
}

double log10_cells(const CellTensor& tensor) { return std::log10(static_cast<double>(tensor.cells)); }

}  // namespace

RebornResult reborn(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                    const RebornOptions& options, const RebornLimits& limits) {
    const cellspace::Box box = supported_box(space, options);
    if (!fits_tensor(box) || options.objective == Objective::heuristic)
        throw LimitError("the space is too large for the exact search");
    Memo own_memo;
    Memo& memo = limits.memo != nullptr ? *limits.memo : own_memo;
    const RootTensor root = root_tensor(ensemble, box);
    RegionSearch search(root, ensemble, options.objective, memo);
    RebornResult result;
    result.ended = Ended::stopped;
    SearchHooks hooks = limits.hooks;
    hooks.ends = [&] {
        if (limits.memory_bytes != 0 && memo.bytes() + memo.growth_bytes() > limits.memory_bytes) {
            result.ended = Ended::out_of_memory;
            return true;
        }
        return limits.hooks.ends && limits.hooks.ends();
    };
    const RegionBounds bounds = search.run(hooks);
    const auto make_tree = [&] {
        std::optional<CellTree> tree;
        if (bounds.solved) tree = search.tree(box, hooks);
        if (!tree) throw LimitError("the search was ended before it found a tree");
        return std::move(*tree);
    };
    result.tree = hooks.make_tree ? hooks.make_tree(make_tree) : make_tree();
    if (bounds.solved) result.ended = Ended::optimal;
    result.depth_bound = bounds.depth.lower;
    result.leaves_bound = bounds.leaves.lower;
    const bool depth = options.objective == Objective::depth;
    result.value = depth ? result.tree.depth() : result.tree.leaves();
    result.lower_bound = depth ? bounds.depth.lower : bounds.leaves.lower;
    result.figures = {search.expanded(), memo.size(), memo.bytes(), bornagain::log10_cells(box),
                      log10_cells(root.tensor)};
    return result;
}

}  // namespace regrove::bornagain
