// One region under one objective: solved by all threads, then read off as a tree.
#pragma once

#include <optional>

#include "regrove/bornagain/reborn.hpp"

#include "root_tensor.hpp"
#include "search_control.hpp"

namespace regrove::bornagain {

/// What is known of a region when a search ends.
struct RegionBounds {
    StateBounds depth;
    StateBounds all_leaves;  ///< of all faithful trees, whatever their depth
    StateBounds leaves;      ///< of all faithful trees (leaves) or of those of least depth (depth_leaves)
    bool solved = false;     ///< the objective is
};

class RegionSearch {
  public:
    /// All must outlive it. `objective` is depth, leaves or depth_leaves.
    RegionSearch(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble, Objective objective, Memo& memo)
        : root_(root), ensemble_(ensemble), objective_(objective), memo_(memo) {}

    /// Searches until the objective is solved, the hooks end it, or `wants_end` says so (also when memory runs out).
    RegionBounds run(const SearchHooks& hooks, const std::function<bool()>& wants_end);
    bool out_of_memory() const { return out_of_memory_; }
    /// What is known now: the memo, and what the region's cells say by themselves (worked out once).
    RegionBounds bounds();
    /// The canonical optimal tree, after run() has solved the objective; nothing if the hooks end it.
    std::optional<CellTree> tree(const cellspace::Box& box, const SearchHooks& hooks);
    std::uint64_t expanded() const { return expanded_; }

  private:
    template <class O>
    bool solve(typename O::Budget budget, const SearchHooks& hooks);
    template <class O>
    std::optional<CellTree> build(const cellspace::Box& box, typename O::Budget budget, const SearchHooks& hooks);

    const RootTensor& root_;
    const cellspace::CompiledEnsemble& ensemble_;
    Objective objective_;
    Memo& memo_;
    std::function<bool()> wants_end_;
    std::optional<RegionBounds> own_;
    std::uint64_t expanded_ = 0;
    bool out_of_memory_ = false;
};

}  // namespace regrove::bornagain
