// Whom a monomial's gain goes to.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/algebra/attribution.hpp"

namespace regrove::algebra {

/// Places of features or conditions, rising, none twice.
std::vector<std::uint32_t> monomial_subjects(const Polynomial& polynomial, std::size_t monomial, Subject subject);

std::size_t subject_count(const Polynomial& polynomial, Subject subject);

}  // namespace regrove::algebra
