// Exact conversions on top of <charconv>, which rounds once and knows no locale.
#include "regrove/core/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <system_error>

namespace regrove {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class T>
std::string shortest(T value) {
    if (value != value) return "nan";  // to_chars would show the sign of a NaN
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

/// Removes one leading '+', which from_chars does not take; false when no digit or point follows the sign.
bool strip_sign(std::string_view& text) {
    if (!text.empty() && text.front() == '+') {
        text.remove_prefix(1);
        if (text.empty() || text.front() == '-') return false;
    }
    const std::size_t first = !text.empty() && text.front() == '-' ? 1 : 0;
    return first < text.size() && (is_digit(text[first]) || text[first] == '.');
}

/// Whether |text| is at least one: of the numbers that are out of range, this tells the huge from the tiny.
/// `text` is a well-formed decimal number other than zero.
bool is_large(std::string_view text) {
    if (text.front() == '-') text.remove_prefix(1);
    const std::size_t mark = text.find_first_of("eE");
    const std::string_view digits = text.substr(0, mark);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_of("123456789");
    // The first digit other than zero stands for 10^place.
    const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
    if (mark == std::string_view::npos) return place >= 0;
    std::string_view exponent_text = text.substr(mark + 1);
    const bool negative = exponent_text.front() == '-';
    if (negative || exponent_text.front() == '+') exponent_text.remove_prefix(1);
    std::int64_t exponent = 0;
    const auto read = std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
    if (read.ec == std::errc::result_out_of_range) return !negative;
    return (negative ? -exponent : exponent) + place >= 0;
}

template <class T>
ParsedNumber<T> parse_real(std::string_view text) {
    if (!strip_sign(text)) return {T{}, NumberStatus::not_a_number_text};
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument)
        return {T{}, NumberStatus::not_a_number_text};
    const T sign = text.front() == '-' ? T{-1} : T{1};
    if (error == std::errc::result_out_of_range) {
        if (is_large(text)) return {sign * std::numeric_limits<T>::infinity(), NumberStatus::overflow};
        return {sign * T{0}, NumberStatus::ok};
    }
    return {value, NumberStatus::ok};
}

/// All of `text` as an unsigned decimal number, blanks and signs refused.
std::optional<double> parse_plain(std::string_view text) {
    if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return std::nullopt;
    const auto number = parse_double(text);
    if (number.status != NumberStatus::ok) return std::nullopt;
    return number.value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size() || error != std::errc{}) return std::nullopt;
    return value;
}

/// "HH:MM:SS"; hours below `hour_limit`.
std::optional<double> parse_clock(std::string_view text, std::uint64_t hour_limit) {
    const std::size_t first = text.find(':');
    const std::size_t second = text.find(':', first + 1);
    if (second == std::string_view::npos) return std::nullopt;
    const auto hours = parse_count(text.substr(0, first));
    const auto minutes = parse_count(text.substr(first + 1, second - first - 1));
    const auto seconds = parse_count(text.substr(second + 1));
    if (!hours || !minutes || !seconds) return std::nullopt;
    if (*hours >= hour_limit || *minutes >= 60 || *seconds >= 60) return std::nullopt;
    return static_cast<double>(*hours) * 3600 + static_cast<double>(*minutes) * 60 + static_cast<double>(*seconds);
}

constexpr std::uint64_t k_hours_of_a_century = 24ULL * 36525;

std::optional<std::uint64_t> unit_bytes(std::string_view unit) {
    if (unit.empty() || unit == "B" || unit == "b") return 1;
    constexpr std::string_view k_letters = "KMGT";
    const char letter = unit.front() >= 'a' ? static_cast<char>(unit.front() - 'a' + 'A') : unit.front();
    const std::size_t power = k_letters.find(letter);
    if (power == std::string_view::npos) return std::nullopt;
    const std::string_view rest = unit.substr(1);
    const bool binary = rest.empty() || rest == "i" || rest == "iB" || rest == "ib";
    if (!binary && rest != "B" && rest != "b") return std::nullopt;
    std::uint64_t bytes = 1;
    for (std::size_t i = 0; i <= power; ++i) bytes *= binary ? 1024 : 1000;
    return bytes;
}

std::string two_digits(std::uint64_t value) { return (value < 10 ? "0" : "") + std::to_string(value); }

/// One digit after the point, rounded half up, for non-negative values.
std::string one_decimal(double value) {
    const auto tenths = static_cast<std::uint64_t>(value * 10 + 0.5);
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

}  // namespace

std::string to_text(double value) { return shortest(value); }
std::string to_text(float value) { return shortest(value); }
std::string to_text(std::int64_t value) { return std::to_string(value); }

ParsedNumber<double> parse_double(std::string_view text) { return parse_real<double>(text); }
ParsedNumber<float> parse_float(std::string_view text) { return parse_real<float>(text); }

ParsedNumber<std::int64_t> parse_int64(std::string_view text) {
    if (!strip_sign(text)) return {0, NumberStatus::not_a_number_text};
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument)
        return {0, NumberStatus::not_a_number_text};
    if (error == std::errc::result_out_of_range) return {0, NumberStatus::overflow};
    return {value, NumberStatus::ok};
}

std::optional<double> parse_duration_seconds(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash != std::string_view::npos) {
        const auto days = parse_count(text.substr(0, dash));
        const auto rest = parse_clock(text.substr(dash + 1), 24);
        if (!days || !rest || *days > k_hours_of_a_century / 24) return std::nullopt;
        return static_cast<double>(*days) * 86400 + *rest;
    }
    if (text.find(':') != std::string_view::npos) return parse_clock(text, k_hours_of_a_century);
    double factor = 1;
    if (!text.empty() && !is_digit(text.back()) && text.back() != '.') {
        switch (text.back()) {
            case 's':
                factor = 1;
                break;
            case 'm':
                factor = 60;
                break;
            case 'h':
                factor = 3600;
                break;
            case 'd':
                factor = 86400;
                break;
            default:
                return std::nullopt;
        }
        text.remove_suffix(1);
    }
    const auto number = parse_plain(text);
    if (!number) return std::nullopt;
    return *number * factor;
}

std::optional<std::uint64_t> parse_size_bytes(std::string_view text) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    std::string_view unit = text.substr(digits);
    if (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    const auto factor = unit_bytes(unit);
    if (!factor || (digits < text.size() && unit.empty())) return std::nullopt;
    if (const auto whole = parse_count(text.substr(0, digits))) {
        if (*whole > std::numeric_limits<std::uint64_t>::max() / *factor) return std::nullopt;
        return *whole * *factor;
    }
    const auto number = parse_plain(text.substr(0, digits));
    if (!number || *number * static_cast<double>(*factor) >= 0x1.0p63) return std::nullopt;
    return static_cast<std::uint64_t>(*number * static_cast<double>(*factor));
}

std::string format_bytes(std::uint64_t bytes) {
    if (bytes < 1024) return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    constexpr std::string_view k_units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    while (value >= 1023.95 && unit + 1 < std::size(k_units)) {
        value /= 1024;
        ++unit;
    }
    return one_decimal(value) + ' ' + std::string(k_units[unit]);
}

std::string format_seconds(double seconds) {
    if (!(seconds >= 0)) return "unknown time";
    if (seconds < 0.0995) return one_decimal(seconds * 1000) + " ms";
    if (seconds < 59.95) return one_decimal(seconds) + " s";
    if (seconds >= 1e12) return "very long";
    const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
    if (whole < 3600) return std::to_string(whole / 60) + "m " + two_digits(whole % 60) + "s";
    if (whole < 86400) return std::to_string(whole / 3600) + "h " + two_digits(whole / 60 % 60) + 'm';
    return std::to_string(whole / 86400) + "d " + two_digits(whole / 3600 % 24) + 'h';
}

}  // namespace regrove
