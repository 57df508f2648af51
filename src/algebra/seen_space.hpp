// A polynomial on the part of the space that training has seen.
#pragma once

#include <span>

#include "regrove/algebra/polynomial.hpp"

namespace regrove::algebra {

/// Where missing values of features that no question of the models saw missing, and categories in no dictionary, do not
/// occur: the conditions of the former are dropped, and the last category of each dictionary becomes the reference, so
/// that equal functions on that part have equal polynomials again. Sets of categories must be expanded.
Polynomial on_seen_space(const Polynomial& polynomial, std::span<const model::Ensemble* const> models);

}  // namespace regrove::algebra
