#include "regrove/train/exact_score.hpp"

#include <bit>

#include <boost/multiprecision/cpp_int.hpp>

namespace regrove::train {

namespace {

using Big = boost::multiprecision::cpp_int;

int bit_length(Int128 value) {
    const auto magnitude = static_cast<UInt128>(value < 0 ? -value : value);
    const auto high = static_cast<std::uint64_t>(magnitude >> 64U);
    const auto low = static_cast<std::uint64_t>(magnitude);
    return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}

Big big(Int128 value) {
    const bool negative = value < 0;
    const auto magnitude = static_cast<UInt128>(negative ? -value : value);
    Big result = static_cast<std::uint64_t>(magnitude >> 64U);
    result <<= 64;
    result += static_cast<std::uint64_t>(magnitude);
    return negative ? Big(-result) : result;
}

Big term(Int128 value, bool squared) {
    const Big number = big(value);
    return squared ? Big(number * number) : number;
}

/// Numerator over the denominator da * db * dc.
Big numerator(const ExactScore& s) {
    return term(s.a, s.squared) * s.db * s.dc + term(s.b, s.squared) * s.da * s.dc -
           term(s.c, s.squared) * s.da * s.db;
}

bool same_parent(const ExactScore& x, const ExactScore& y) { return x.c == y.c && x.dc == y.dc; }

bool same_sides(const ExactScore& x, const ExactScore& y) {
    return (x.a == y.a && x.da == y.da && x.b == y.b && x.db == y.db) ||
           (x.a == y.b && x.da == y.db && x.b == y.a && x.db == y.da);
}

/// Whether (a db + b da) dA dB of both sides fits 126 bits.
bool fits_int128(const ExactScore& x, const ExactScore& y) {
    const int values = std::max({bit_length(x.a), bit_length(x.b), bit_length(y.a), bit_length(y.b)});
    const int weights = std::max({bit_length(x.da), bit_length(x.db), bit_length(y.da), bit_length(y.db)});
    return values + 3 * weights + 1 <= 126;
}

std::strong_ordering order(const Big& x, const Big& y) {
    const int sign = x.compare(y);
    return sign < 0   ? std::strong_ordering::less
           : sign > 0 ? std::strong_ordering::greater
                      : std::strong_ordering::equal;
}

}  // namespace

double ExactScore::value() const {
    // Subtracted exactly, rounded last: a small gain of large sums keeps its digits.
    const Big denominator = Big(da) * db * dc;
    return numerator(*this).convert_to<double>() / denominator.convert_to<double>();
}

std::strong_ordering compare(const ExactScore& x, const ExactScore& y) {
    const bool parents_equal = same_parent(x, y);
    if (parents_equal && same_sides(x, y)) return std::strong_ordering::equal;
    if (parents_equal && !x.squared && fits_int128(x, y)) {
        const Int128 left = (x.a * x.db + x.b * x.da) * (static_cast<Int128>(y.da) * y.db);
        const Int128 right = (y.a * y.db + y.b * y.da) * (static_cast<Int128>(x.da) * x.db);
        return left < right   ? std::strong_ordering::less
               : left > right ? std::strong_ordering::greater
                              : std::strong_ordering::equal;
    }
    return order(numerator(x) * y.da * y.db * y.dc, numerator(y) * x.da * x.db * x.dc);
}

bool exceeds(const ExactScore& score, Int128 c, std::int64_t dc) {
    ExactScore parent;
    parent.a = c;
    parent.da = dc;
    parent.squared = score.squared;
    return compare(score, parent) > 0;
}

}  // namespace regrove::train
