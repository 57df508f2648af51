// A polynomial as symmetric (oblivious) trees: every level asks one condition, so that a tree is a table of 2^depth leaves.
//
// Kuralenok et al. 2019, algorithm 1, with what it leaves open: monomials by falling number of conditions, ties in
// lexicographic order; each goes to the tree that has to grow least for it; leaves are made at the end by one zeta
// transform a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/core/option_table.hpp"

namespace regrove::algebra {

struct SymmetricOptions {
    std::uint32_t max_depth = 8;  ///< monomials of more conditions stay trees of one path (the tail)
    bool exact = true;            ///< leaves that no double holds are spread over several trees; else rounded once
};
void list_options(SymmetricOptions& options, OptionTable& table);

/// The conditions of one tree, sorted, and the monomials that are in it.
struct SymmetricGroup {
    std::vector<ConditionId> conditions;
    std::vector<std::size_t> monomials;
};

struct SymmetricPlan {
    std::vector<SymmetricGroup> groups;
    std::vector<std::size_t> tail;  ///< monomials of more conditions than trees may have
};

/// Which monomials share a tree; the constant is in none. Deterministic. Time: O(monomials * (conditions each * trees
/// with the condition)).
SymmetricPlan plan_symmetric(const Polynomial& polynomial, const SymmetricOptions& options);

struct SymmetricForm {
    model::Ensemble ensemble;
    std::size_t groups = 0;
    std::size_t tail = 0;
    std::size_t remainder_trees = 0;  ///< that hold what was left of leaves which no double holds
    /// The ensemble's exact score is within this of the polynomial's; zero when `exact`.
    double error_bound = 0;
};

/// The same scores as the polynomial's, as a summing ensemble. Throws as summing_frame.
SymmetricForm symmetric_trees(const Polynomial& polynomial, const SymmetricOptions& options);

}  // namespace regrove::algebra
