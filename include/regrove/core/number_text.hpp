// Numbers to text and back, exactly: the shortest text that reads back to the same bits, and a parser that rounds once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace regrove {

/// Shortest decimal text that parses back to the same value ("0.1", "1e+300", "nan", "inf").
std::string to_text(double value);
std::string to_text(float value);
std::string to_text(std::int64_t value);

/// Why a text is no number of the asked type.
enum class NumberStatus : std::uint8_t { ok, not_a_number_text, overflow };

template <class T>
struct ParsedNumber {
    T value{};
    NumberStatus status = NumberStatus::ok;
};

/// Parse all of `text` (no surrounding blanks; a leading '+' is taken) to the nearest value, rounding once.
/// Underflow goes to zero or a denormal silently; overflow is reported. "nan" and "inf" words are refused: the reader
/// decides what marks a missing value.
ParsedNumber<double> parse_double(std::string_view text);
ParsedNumber<float> parse_float(std::string_view text);
ParsedNumber<std::int64_t> parse_int64(std::string_view text);

/// "90", "15m", "2h", "HH:MM:SS", "D-HH:MM:SS" to seconds; nullopt when malformed.
std::optional<double> parse_duration_seconds(std::string_view text);
/// "4096", "512MiB", "4GiB", "1.5GB" to bytes; nullopt when malformed.
std::optional<std::uint64_t> parse_size_bytes(std::string_view text);
/// "1.5 GiB", for people.
std::string format_bytes(std::uint64_t bytes);
/// "1h 02m", "3.4 s", for people.
std::string format_seconds(double seconds);

}  // namespace regrove
