// A sum of integers divided by small sizes: exact until it is rounded once.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/algebra/wide_integer.hpp"

namespace regrove::algebra {

class CreditSum {
  public:
    /// Adds number / size; size > 0.
    void add(const WideInteger& number, std::uint64_t size);
    bool is_zero() const;
    /// The sum * 2^exponent / (the product of the divisors), rounded once.
    double value(int exponent, std::span<const std::uint64_t> divisors) const;

  private:
    std::vector<std::pair<std::uint64_t, WideInteger>> by_size_;  ///< rising sizes
};

/// What turns units of a polynomial's scores, summed over `rows`, into scores.
struct ScoreScale {
    ScoreScale(const Polynomial& polynomial, std::uint64_t rows);
    int exponent = 0;
    std::vector<std::uint64_t> divisors;
};

}  // namespace regrove::algebra
