// All parts are brought to the common multiple of their sizes.
#include "credit_sum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regrove/core/check.hpp"

namespace regrove::algebra {

namespace {

/// Factors whose product is the least common multiple of the sizes.
std::vector<std::uint64_t> common_factors(const std::vector<std::pair<std::uint64_t, WideInteger>>& by_size) {
    std::vector<std::uint64_t> factors;
    for (const auto& [size, sum] : by_size) {
        std::uint64_t product = 1;  // of the factors so far, modulo the size
        for (const std::uint64_t factor : factors)
            product = static_cast<std::uint64_t>(UInt128{product} * factor % size);
        const std::uint64_t missing = size / std::gcd(product, size);
        if (missing > 1) factors.push_back(missing);
    }
    return factors;
}

}  // namespace

void CreditSum::add(const WideInteger& number, std::uint64_t size) {
    const auto at = std::ranges::lower_bound(by_size_, size, {}, [](const auto& part) { return part.first; });
    if (at != by_size_.end() && at->first == size)
        at->second.add(number);
    else
        by_size_.insert(at, {size, number});
}

bool CreditSum::is_zero() const {
    return std::ranges::all_of(by_size_, [](const auto& part) { return part.second.is_zero(); });
}

double CreditSum::value(int exponent, std::span<const std::uint64_t> divisors) const {
    if (is_zero()) return 0;
    const std::vector<std::uint64_t> factors = common_factors(by_size_);
    WideInteger numerator;
    for (const auto& [size, sum] : by_size_) {
        WideInteger part = sum;
        for (const std::uint64_t factor : factors) part.multiply(factor);
        const std::uint64_t rest = part.divide(size);
        REGROVE_CHECK(rest == 0);
        numerator.add(part);
    }
    std::vector<std::uint64_t> all(divisors.begin(), divisors.end());
    all.insert(all.end(), factors.begin(), factors.end());
    return to_double(std::move(numerator), exponent, all);
}

ScoreScale::ScoreScale(const Polynomial& polynomial, std::uint64_t rows) : divisors{rows} {
    // The divisor as an odd integer times a power of two.
    int power = 0;
    double mantissa = std::frexp(polynomial.divisor, &power);
    REGROVE_CHECK(mantissa > 0 && rows > 0);
    while (mantissa != std::floor(mantissa)) {
        mantissa *= 2;
        --power;
    }
    divisors.push_back(static_cast<std::uint64_t>(mantissa));
    exponent = polynomial.unit_exponent - power;
}

}  // namespace regrove::algebra
