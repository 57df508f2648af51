// What the searches minimise: one small type an objective, all that the search template knows of it.
//
// An objective has
//   k_leaf                     the value of a leaf
//   k_monotone_sides           whether the value of a split is decided by its worse side (theorem 4 then bisects cuts)
//   join(a, b)                 the value of a split with sides of these values
//   side_limit(limit, other)   the most that a side may have for a split of at most `limit` when the other has `other`
//   Budget                     what a state carries beside its cells; for_child(budget) is its children's
//   salt(budget)               keeps states of different objectives and budgets apart in the memo
#pragma once

#include <algorithm>
#include <cstdint>

#include "regrove/bornagain/memo.hpp"

namespace regrove::bornagain {

struct NoBudget {};

/// Least depth (the paper's D).
struct DepthObjective {
    using Budget = NoBudget;
    static constexpr std::uint32_t k_leaf = 0;
    static constexpr bool k_monotone_sides = true;
    static std::uint32_t join(std::uint32_t a, std::uint32_t b) { return 1 + std::max(a, b); }
    static std::uint32_t side_limit(std::uint32_t limit, std::uint32_t) { return limit - 1; }
    static NoBudget for_child(NoBudget) { return {}; }
    static std::uint64_t salt(NoBudget) { return 0; }
};

inline std::uint32_t add_leaves(std::uint32_t a, std::uint32_t b) {
    return a >= k_unbounded || b >= k_unbounded ? k_unbounded : a + b;
}

/// Fewest leaves (L).
struct LeavesObjective {
    using Budget = NoBudget;
    static constexpr std::uint32_t k_leaf = 1;
    static constexpr bool k_monotone_sides = false;
    static std::uint32_t join(std::uint32_t a, std::uint32_t b) { return add_leaves(a, b); }
    static std::uint32_t side_limit(std::uint32_t limit, std::uint32_t other) {
        return limit >= k_unbounded ? k_unbounded - 1 : limit - other;
    }
    static NoBudget for_child(NoBudget) { return {}; }
    static std::uint64_t salt(NoBudget) { return 0x9E3779B97F4A7C15U; }
};

/// Levels that are left below a state.
struct DepthBudget {
    std::uint32_t depth = 0;
};

/// Fewest leaves among the trees of bounded depth (DL).
struct BoundedLeavesObjective {
    using Budget = DepthBudget;
    static constexpr std::uint32_t k_leaf = 1;
    static constexpr bool k_monotone_sides = false;
    static std::uint32_t join(std::uint32_t a, std::uint32_t b) { return add_leaves(a, b); }
    static std::uint32_t side_limit(std::uint32_t limit, std::uint32_t other) {
        return LeavesObjective::side_limit(limit, other);
    }
    static DepthBudget for_child(DepthBudget budget) { return {budget.depth - 1}; }
    static std::uint64_t salt(DepthBudget budget) { return 0xD6E8FEB86659FD93U * (budget.depth + 2); }
};

inline StateKey salted(const StateKey& key, std::uint64_t salt) { return {key.low + salt, key.high}; }

}  // namespace regrove::bornagain
