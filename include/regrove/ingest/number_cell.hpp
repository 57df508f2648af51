// What number a cell's text is: an integer, a real, a code with leading zeros, infinite, too large, or none.
#pragma once

#include <cstdint>
#include <string_view>

namespace regrove::ingest {

enum class NumberKind : std::uint8_t {
    none,         ///< no number
    integer,      ///< fits int64 and is not its smallest value
    big_integer,  ///< whole, but beyond int64; `real` is the nearest double
    real,
    leading_zero,  ///< digits only, with a zero in front of others: 007
    infinite,      ///< "inf" or "infinity" in any case
    overflow,      ///< beyond the largest double
};

struct NumberCell {
    NumberKind kind = NumberKind::none;
    bool has_mark = false;     ///< a decimal mark was there
    std::int64_t integer = 0;  ///< of kind integer
    double real = 0;           ///< the nearest double (integer, big_integer, real)
    std::uint64_t digits = 0;  ///< decimal digits without the point; 0 with `real` != 0: more than 19
    int exponent = 0;          ///< |value| = digits * 10^exponent
};

/// All of `text` as a number with decimal mark `mark`; rounds once, to the exact bits.
NumberCell read_number(std::string_view text, char mark);

/// As read_number, but a code with leading zeros is an integer: for columns that are said to be numbers.
NumberCell read_number_or_code(std::string_view text, char mark);

/// Whether the text comes back, as a decimal number, when the nearest float32 is printed with as many digits: then
/// float32 keeps what was written. Any text of at most six digits does, within float32's range.
bool recoverable_from_float32(const NumberCell& number);

/// Whether a big_integer's double is exactly the number written.
bool is_exact_double(std::string_view integer_text, double value);

}  // namespace regrove::ingest
