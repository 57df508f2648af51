// Fewer symmetric trees for some squared error: Kuralenok et al. 2019, equation 5,
//   minimise E (H(x) - sum of trees)^2 + lambda * number of trees,
// over subsets of the trees that a polynomial packs into, greedily from all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/monomial_pairs.hpp"
#include "regrove/algebra/symmetric_trees.hpp"

namespace regrove::algebra {

/// The monomials of a plan in its order: group by group, then the tail.
std::vector<std::uint32_t> places_of(const SymmetricPlan& plan);

struct TreeTrade {
    std::vector<std::uint8_t> kept;  ///< a tree of the plan (a tail monomial is a tree): 1 when it stays
    std::vector<double> shift;       ///< a score: what the constant gains, the mean of what was dropped
    double squared_error = 0;        ///< mean over the rows of the squared change, summed over the scores
};

/// Drops, while the objective falls, the tree whose loss raises the squared error least; the constant takes over the mean of what
/// is dropped. `pairs` counts the monomials of places_of(plan) over `rows` rows. Ties: the first tree of the plan. Time:
/// O(monomials^2 + trees^2).
TreeTrade trade_trees(const Polynomial& polynomial, const SymmetricPlan& plan, const MonomialPairs& pairs,
                      std::uint64_t rows, double cost_of_a_tree);

/// The polynomial without the monomials of dropped trees, its constant shifted.
Polynomial traded(const Polynomial& polynomial, const SymmetricPlan& plan, const TreeTrade& trade);
/// By how much the traded polynomial is less than it.
Polynomial traded_away(const Polynomial& polynomial, const SymmetricPlan& plan, const TreeTrade& trade);

}  // namespace regrove::algebra
