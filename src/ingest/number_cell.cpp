// Reads digits into a 64-bit integer and a power of ten, and divides or multiplies once where that is exact.
//
// The short cut is Clinger's (1990): digits <= 2^53 and |power| <= 22 are both exact doubles, so one operation rounds
// once. Everything else goes to from_chars through core/number_text.hpp.
#include "regrove/ingest/number_cell.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "regrove/core/int128.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::ingest {
namespace {

constexpr int k_exact_power = 22;
constexpr std::uint64_t k_exact_digits = std::uint64_t{1} << 53U;
constexpr int k_most_digits = 19;    // of a uint64 that cannot overflow
constexpr int k_lowest_power = -70;  // 10^power for the test of float32
constexpr int k_highest_power = 40;

constexpr std::array<double, k_exact_power + 1> k_powers{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                         1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                         1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr auto k_units = [] {
    std::array<double, k_highest_power - k_lowest_power + 1> units{};
    for (int power = k_lowest_power; power <= k_highest_power; ++power) {
        double unit = 1;
        for (int i = 0; i < power; ++i) unit *= 10;
        for (int i = 0; i > power; --i) unit /= 10;
        units[static_cast<std::size_t>(power - k_lowest_power)] = unit;
    }
    return units;
}();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The parts of a decimal text.
struct Scan {
    const char* digits_begin = nullptr;
    const char* digits_end = nullptr;  ///< behind the last digit or the mark
    std::uint64_t digits = 0;          ///< modulo 2^64
    int whole = 0;                     ///< digits before the mark
    int fraction = 0;                  ///< digits behind it
    int exponent = 0;
    bool negative = false;
    bool has_mark = false;
    bool has_exponent = false;
};

bool scan_exponent(const char*& p, const char* end, Scan& scan) {
    scan.has_exponent = true;
    ++p;
    bool negative = false;
    if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
    if (p == end || !is_digit(*p)) return false;
    for (; p != end && is_digit(*p); ++p)
        if (scan.exponent < 100000) scan.exponent = scan.exponent * 10 + (*p - '0');
    if (negative) scan.exponent = -scan.exponent;
    return true;
}

/// False when `text` is no decimal number.
bool scan_number(std::string_view text, char mark, Scan& scan) {
    const char* p = text.data();
    const char* end = p + text.size();
    if (p != end && (*p == '-' || *p == '+')) scan.negative = *p++ == '-';
    scan.digits_begin = p;
    std::uint64_t digits = 0;
    for (; p != end && is_digit(*p); ++p) digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
    scan.whole = static_cast<int>(p - scan.digits_begin);
    if (p != end && *p == mark) {
        scan.has_mark = true;
        const char* fraction = ++p;
        for (; p != end && is_digit(*p); ++p) digits = digits * 10 + static_cast<std::uint64_t>(*p - '0');
        scan.fraction = static_cast<int>(p - fraction);
    }
    scan.digits = digits;
    scan.digits_end = p;
    if (scan.whole + scan.fraction == 0) return false;
    if (p != end && (*p == 'e' || *p == 'E') && !scan_exponent(p, end, scan)) return false;
    return p == end;
}

/// Reads the digits of a long text again, without zeros at both ends; `digits` stays 0 when more than 19 are left.
void shorten(const Scan& scan, char mark, NumberCell& cell) {
    std::string digits;
    for (const char* p = scan.digits_begin; p != scan.digits_end; ++p)
        if (*p != mark && !(digits.empty() && *p == '0')) digits += *p;
    cell.exponent = scan.exponent - scan.fraction;
    while (!digits.empty() && digits.back() == '0') {
        digits.pop_back();
        ++cell.exponent;
    }
    if (digits.size() > static_cast<std::size_t>(k_most_digits)) return;
    for (const char c : digits) cell.digits = cell.digits * 10 + static_cast<std::uint64_t>(c - '0');
}

NumberCell read_slowly(std::string_view text, char mark, const Scan& scan, NumberCell cell) {
    std::string plain(text);
    if (mark != '.')
        for (char& c : plain)
            if (c == mark) c = '.';
    const auto parsed = parse_double(plain);
    if (parsed.status == NumberStatus::not_a_number_text) return {};
    cell.kind = parsed.status == NumberStatus::overflow ? NumberKind::overflow : NumberKind::real;
    cell.real = parsed.value;
    cell.digits = 0;
    shorten(scan, mark, cell);
    return cell;
}

NumberCell read_integer(std::string_view text, char mark, const Scan& scan, NumberCell cell) {
    if (scan.whole > 1 && *scan.digits_begin == '0') {
        cell.kind = NumberKind::leading_zero;
        return cell;
    }
    cell.digits = scan.digits;
    const std::uint64_t largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (scan.whole <= k_most_digits && scan.digits <= largest) {
        const auto value = static_cast<std::int64_t>(scan.digits);
        cell.kind = NumberKind::integer;
        cell.integer = scan.negative ? -value : value;
        cell.real = static_cast<double>(cell.integer);
        return cell;
    }
    cell = read_slowly(text, mark, scan, cell);
    if (cell.kind == NumberKind::real) cell.kind = NumberKind::big_integer;
    return cell;
}

bool is_infinity_word(std::string_view text) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    std::string lower;
    for (const char c : text.substr(0, 9)) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return lower == "inf" || lower == "infinity";
}

}  // namespace

NumberCell read_number(std::string_view text, char mark) {
    Scan scan;
    NumberCell cell;
    if (!scan_number(text, mark, scan)) {
        if (text.size() >= 3 && text.size() <= 9 && is_infinity_word(text)) cell.kind = NumberKind::infinite;
        return cell;
    }
    cell.has_mark = scan.has_mark;
    if (!scan.has_mark && !scan.has_exponent) return read_integer(text, mark, scan, cell);
    const int power = scan.exponent - scan.fraction;
    if (scan.whole + scan.fraction > k_most_digits || scan.digits > k_exact_digits || power < -k_exact_power ||
        power > k_exact_power)
        return read_slowly(text, mark, scan, cell);
    cell.kind = NumberKind::real;
    cell.digits = scan.digits;
    cell.exponent = power;
    const auto digits = static_cast<double>(scan.digits);
    const double value = power < 0 ? digits / k_powers[static_cast<std::size_t>(-power)]
                                   : digits * k_powers[static_cast<std::size_t>(power)];
    cell.real = scan.negative ? -value : value;
    return cell;
}

NumberCell read_number_or_code(std::string_view text, char mark) {
    NumberCell number = read_number(text, mark);
    if (number.kind != NumberKind::leading_zero) return number;
    const bool sign = text.front() == '-' || text.front() == '+';
    const std::size_t first = std::min(text.find_first_not_of('0', sign ? 1 : 0), text.size() - 1);
    number = read_number(text.substr(first), mark);
    if (text.front() == '-') {
        number.integer = -number.integer;
        number.real = -number.real;
    }
    return number;
}

bool recoverable_from_float32(const NumberCell& number) {
    const double size = std::fabs(number.real);
    if (size == 0) return number.digits == 0;  // not what underflowed
    if (!(size >= static_cast<double>(std::numeric_limits<float>::min()) &&
          size <= static_cast<double>(std::numeric_limits<float>::max())))
        return false;
    if (number.digits != 0 && number.digits < 1000000) return true;
    const double error = std::fabs(static_cast<double>(static_cast<float>(number.real)) - number.real);
    if (error == 0) return true;
    std::uint64_t digits = number.digits;
    int exponent = number.exponent;
    for (; digits != 0; digits /= 10, ++exponent) {
        if (exponent < k_lowest_power || exponent > k_highest_power) return false;
        const double unit = k_units[static_cast<std::size_t>(exponent - k_lowest_power)];
        if (error < 0.4999 * unit) return true;
        // About half a unit: only the shortest text of the float can tell how the tie is rounded.
        if (error < 0.5001 * unit) return parse_double(to_text(static_cast<float>(number.real))).value == number.real;
        if (digits % 10 != 0) return false;
    }
    return false;
}

bool is_exact_double(std::string_view integer_text, double value) {
    if (!integer_text.empty() && (integer_text.front() == '+' || integer_text.front() == '-'))
        integer_text.remove_prefix(1);
    if (integer_text.size() > 38) return false;  // 10^38 < 2^127
    UInt128 whole = 0;
    for (const char c : integer_text) whole = whole * 10 + static_cast<unsigned>(c - '0');
    return static_cast<UInt128>(std::fabs(value)) == whole;
}

}  // namespace regrove::ingest
