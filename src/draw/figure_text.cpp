// Rounding for the eye on top of the standard's exact, locale-free number output.
#include "regrove/draw/figure_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "regrove/core/number_text.hpp"

namespace regrove::draw {
namespace {

constexpr int k_most_digits = 17;         // of a double
constexpr int k_clean_digits = 7;         // more than that is not "few"
constexpr double k_noise_double = 1e-12;  // relative
constexpr double k_noise_single = 1e-7;
constexpr double k_rows_missed = 0.1;
constexpr std::uint64_t k_fewest_rows = 100;  // a small node gets as many digits as one of these

std::string formatted(double value, std::chars_format format, int precision) {
    char buffer[512];  // a double in fixed notation has at most 309 whole digits
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format, precision).ptr;
    return {buffer, end};
}

void strip_zeros(std::string& digits) {
    if (digits.find('.') == std::string::npos) return;
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
}

// Commas between groups of three of the whole part, from five digits on.
std::string grouped(std::string digits) {
    const std::size_t first = digits.starts_with('-') ? 1 : 0;
    const std::size_t dot = digits.find('.');
    const std::size_t whole_end = dot == std::string::npos ? digits.size() : dot;
    if (whole_end - first < 5) return digits;
    for (std::size_t at = whole_end - 3; at > first; at -= 3) {
        digits.insert(at, ",");
        if (at < first + 4) break;
    }
    return digits;
}

// "1.500e+12" as "1.5e12".
std::string short_exponent(const std::string& scientific) {
    const std::size_t e = scientific.find('e');
    std::string mantissa = scientific.substr(0, e);
    strip_zeros(mantissa);
    return mantissa + "e" + std::to_string(std::atoi(scientific.c_str() + e + 1));
}

// `value` at `digits` significant digits, whole digits always complete below a thousand million.
std::string significant(double value, int digits) {
    if (value == 0) return "0";
    if (!std::isfinite(value)) return to_text(value);
    const std::string scientific = formatted(value, std::chars_format::scientific, digits - 1);
    const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
    if (exponent < -4 || exponent > 8) return short_exponent(scientific);
    const int decimals = digits - 1 - exponent;
    std::string text = formatted(value, std::chars_format::fixed, decimals > 0 ? decimals : 0);
    strip_zeros(text);
    return grouped(text == "-0" ? "0" : text);
}

// What `significant` shows, as a number again.
double shown_value(double value, int digits) {
    const std::string scientific = formatted(value, std::chars_format::scientific, digits - 1);
    const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
    const bool whole = exponent >= digits && exponent <= 8;
    const std::string text = whole ? formatted(value, std::chars_format::fixed, 0) : scientific;
    return parse_double(text).value;
}

}  // namespace

std::string count_text(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string count_text(std::uint64_t count, const std::string& singular, const std::string& plural) {
    return count_text(count) + " " + (count == 1 ? singular : plural);
}

std::string percent_text(double share) {
    if (!(share > 0)) return "0%";
    if (share >= 1) return "100%";
    if (share < 0.0005) return "<0.1%";
    if (share >= 0.9995) return ">99.9%";
    std::string digits = formatted(share * 100, std::chars_format::fixed, 1);
    strip_zeros(digits);
    return digits + "%";
}

std::string value_text(double value) { return significant(value, 4); }

std::string error_text(double value) { return significant(value, 2); }

std::string threshold_text(double threshold, const ThresholdRange& range) {
    if (!std::isfinite(threshold) || threshold == 0) return significant(threshold, 3);
    const double noise = std::abs(threshold) * (range.single_precision ? k_noise_single : k_noise_double);
    for (int digits = 1; digits <= k_clean_digits; ++digits)
        if (std::abs(shown_value(threshold, digits) - threshold) <= noise) return significant(threshold, digits);
    const double width = range.high - range.low;
    if (!(width > 0) || !std::isfinite(width)) return significant(threshold, k_clean_digits);
    const double allowed = width * k_rows_missed / static_cast<double>(std::max(range.rows, k_fewest_rows));
    for (int digits = 3; digits < k_most_digits; ++digits) {
        const double shown = shown_value(threshold, digits);
        const bool within = shown >= range.low && shown < range.high;
        if (within && std::abs(shown - threshold) <= allowed) return significant(threshold, digits);
    }
    return significant(threshold, k_most_digits);
}

}  // namespace regrove::draw
