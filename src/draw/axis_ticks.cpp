// Ticks are whole numbers times a power of ten, so that value and text come from the same decimal.
#include "regrove/draw/axis_ticks.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "regrove/core/number_text.hpp"

namespace regrove::draw {
namespace {

constexpr int k_most_decimals = 6;  ///< beyond: scientific
constexpr int k_most_whole_digits = 9;
constexpr double k_narrowest = 1e-12;  ///< relative; a narrower range is noise and is shown as one value

/// whole * 10^power
struct Decimal {
    std::int64_t whole = 0;
    int power = 0;
    double value() const { return parse_double(std::to_string(whole) + "e" + std::to_string(power)).value; }
};

/// The power of ten of the first digit of `value` > 0.
int first_digit_power(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer - 1, value, std::chars_format::scientific).ptr;
    *end = '\0';
    return std::atoi(std::string(buffer).substr(std::string(buffer).find('e') + 1).c_str());
}

void group_thousands(std::string& digits) {
    if (digits.size() < 5) return;
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
}

std::string scientific_text(std::string digits, int power) {
    const int exponent = power + static_cast<int>(digits.size()) - 1;
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.size() > 1) digits.insert(1, ".");
    return digits + "e" + std::to_string(exponent);
}

std::string decimal_text(Decimal number, bool scientific) {
    if (number.whole == 0) return "0";
    const std::string sign = number.whole < 0 ? "-" : "";
    std::string digits = std::to_string(number.whole < 0 ? -number.whole : number.whole);
    if (scientific) return sign + scientific_text(digits, number.power);
    if (number.power >= 0) {
        digits.append(static_cast<std::size_t>(number.power), '0');
        group_thousands(digits);
        return sign + digits;
    }
    const auto decimals = static_cast<std::size_t>(-number.power);
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    std::string whole = digits.substr(0, digits.size() - decimals);
    group_thousands(whole);
    return sign + whole + "." + digits.substr(digits.size() - decimals);
}

bool needs_exponents(int power, double largest) {
    return -power > k_most_decimals || (largest > 0 && first_digit_power(largest) >= k_most_whole_digits);
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `least` > 0.
Decimal round_step(double least) {
    const int power = first_digit_power(least);
    for (const std::int64_t whole : {1, 2, 5})
        if (Decimal{whole, power}.value() >= least) return {whole, power};
    return {1, power + 1};
}

AxisTick tick(Decimal number, bool scientific) { return {number.value(), decimal_text(number, scientific)}; }

}  // namespace

std::vector<AxisTick> linear_ticks(double low, double high, unsigned wanted) {
    const double size = std::max(std::abs(low), std::abs(high));
    if (!(high - low > size * k_narrowest)) {
        const double room = size > 0 ? size / 10 : 0.5;
        low -= room;
        high += room;
    }
    // In halves, so that the widest range of doubles does not overflow.
    const Decimal step = round_step((high / 2 - low / 2) / wanted * 2);
    const double width = step.value();
    const auto first = static_cast<std::int64_t>(std::floor(low / width));
    const auto last = std::max(static_cast<std::int64_t>(std::ceil(high / width)), first + 1);
    const bool scientific = needs_exponents(step.power, std::max(std::abs(low), std::abs(high)));
    std::vector<AxisTick> ticks;
    for (std::int64_t i = first; i <= last; ++i) ticks.push_back(tick({i * step.whole, step.power}, scientific));
    return ticks;
}

std::vector<AxisTick> logarithmic_ticks(double low, double high, unsigned wanted) {
    const int first = first_digit_power(low);
    const int last = first_digit_power(high);
    std::vector<Decimal> decades;
    std::vector<Decimal> finer;
    for (int power = first; power <= last; ++power) {
        for (const std::int64_t whole : {1, 2, 5}) {
            const Decimal number{whole, power};
            if (number.value() < low || number.value() > high) continue;
            finer.push_back(number);
            if (whole == 1) decades.push_back(number);
        }
    }
    const std::vector<Decimal>& chosen = decades.size() < 3 ? finer : decades;
    const std::size_t stride = std::max<std::size_t>(1, (chosen.size() + wanted - 1) / std::max(wanted, 1U));
    const bool scientific = first < -4 || last > 6;
    std::vector<AxisTick> ticks;
    for (std::size_t i = 0; i < chosen.size(); i += decades.size() < 3 ? 1 : stride)
        ticks.push_back(tick(chosen[i], scientific));
    return ticks;
}

}  // namespace regrove::draw
