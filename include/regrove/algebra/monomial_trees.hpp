// A polynomial as an ensemble of one tree a monomial, so that whatever takes an ensemble takes a polynomial.
#pragma once

#include "regrove/algebra/polynomial.hpp"

namespace regrove::algebra {

/// The tree of each monomial asks its conditions in order, right, right, ..., to a leaf that holds the coefficient; all
/// left leaves hold zeros. A coefficient that no double can hold is spread over several trees, so that to_polynomial
/// gives the polynomial back. The constant is the initial score. At least one tree, if need be an empty one.
/// A mean of numbers becomes a sum: then coefficients are divided by the polynomial's divisor and rounded once each.
/// Not for means and votes about classes: see as_sum().
model::Ensemble monomial_trees(const Polynomial& polynomial);

/// The tree of one monomial's conditions with `value` at its end, one number a score.
model::Tree monomial_tree(const Polynomial& polynomial, std::size_t monomial, const std::vector<double>& value);

/// What a summing ensemble of the polynomial's frame begins with; throws as monomial_trees.
model::Ensemble summing_frame(const Polynomial& polynomial);

/// Whether monomial_trees and other summing forms keep every coefficient exactly.
inline bool has_exact_sum(const Polynomial& polynomial) { return polynomial.divisor == 1; }

/// Doubles, one a row for each score, whose column sums are exactly the coefficient (see fixed_point exact_parts), or its
/// quotient by the divisor rounded once.
std::vector<std::vector<double>> coefficient_parts(const Polynomial& polynomial, std::span<const Int128> coefficient);

}  // namespace regrove::algebra
