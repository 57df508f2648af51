// A point where a polynomial that is not zero is not zero.
#pragma once

#include <vector>

#include "regrove/algebra/polynomial.hpp"

namespace regrove::algebra {

/// Cells of the frame's features where exactly one monomial's conditions hold and none of the others': the monomial of
/// fewest conditions and, among those, lowest borders (the induction of the paper's proof of theorem 1). The polynomial
/// has at least one monomial, and no large sets. `with_unknown`: whether a category in no dictionary may stand for
/// "none of them"; otherwise the last of the dictionary does.
std::vector<double> nonzero_point(const Polynomial& polynomial, bool with_unknown);

}  // namespace regrove::algebra
