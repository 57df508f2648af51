// From the coefficients of monomials over few conditions to what each combination of the conditions adds up to.
#pragma once

#include <vector>

#include "regrove/algebra/symmetric_trees.hpp"

namespace regrove::algebra {

/// Leaves of a group's tree in units, `scores` each; bit i of a leaf's number: condition i holds. One zeta transform.
std::vector<Int128> leaf_table(const Polynomial& polynomial, const SymmetricGroup& group);

}  // namespace regrove::algebra
