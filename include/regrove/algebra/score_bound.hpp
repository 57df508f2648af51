// How far from zero a polynomial's scores can be, at any point of the space.
#pragma once

#include "regrove/algebra/polynomial.hpp"

namespace regrove::algebra {

/// No score at any point is farther from zero. The smaller of two bounds, rounded up: coefficients of one sign added up; and,
/// packed into symmetric trees, the largest and smallest leaf of each that conditions of one feature allow. The latter counts
/// what cancels within a tree, not what cancels between trees. Time: O(trees * 2^12).
double score_bound(const Polynomial& polynomial);

}  // namespace regrove::algebra
