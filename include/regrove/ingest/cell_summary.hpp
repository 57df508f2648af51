// What is known of one column's cells: a mergeable summary from which its type is decided.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace regrove::ingest {

/// A place in the input that orders like the rows: by file, then line.
struct CellPlace {
    std::uint64_t file = std::numeric_limits<std::uint64_t>::max();  ///< index in the list of inputs
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    bool known() const { return file != std::numeric_limits<std::uint64_t>::max(); }
    friend auto operator<=>(const CellPlace&, const CellPlace&) = default;
};

/// Plain numbers, so that ranks merge arrays of it in one collective. `cells` and `missing` are counts; of the other
/// counters only zero or not zero has a meaning, since repeated texts of a category may be looked at once only.
struct CellSummary {
    std::uint64_t cells = 0;
    std::uint64_t missing = 0;
    std::uint64_t integers = 0;        ///< within int64
    std::uint64_t big_integers = 0;    ///< whole, beyond int64
    std::uint64_t lossy_integers = 0;  ///< of these, what a double changes
    std::uint64_t reals = 0;
    std::uint64_t float64_only = 0;  ///< numbers that float32 would change
    std::uint64_t codes = 0;         ///< 007
    std::uint64_t comma_texts = 0;   ///< texts that would be numbers with a decimal comma
    std::uint64_t other_texts = 0;   ///< texts that would not
    std::uint64_t point_marks = 0;   ///< numbers with a decimal point, where the decimal mark is a comma
    std::uint64_t comma_marks = 0;   ///< numbers with a decimal comma, where that is the decimal mark
    std::uint64_t infinities = 0;
    std::uint64_t overflows = 0;
    std::int64_t low_integer = std::numeric_limits<std::int64_t>::max();
    std::int64_t high_integer = std::numeric_limits<std::int64_t>::min();
    double low = std::numeric_limits<double>::infinity();  ///< of all finite numbers
    double high = -std::numeric_limits<double>::infinity();
    CellPlace first_text;  ///< of texts and codes
    CellPlace first_infinity;
    CellPlace first_overflow;
    CellPlace first_lossy_integer;
    CellPlace first_point_mark;

    std::uint64_t present() const { return cells - missing; }
    bool has_text() const { return codes + comma_texts + other_texts > 0; }
    bool has_real() const { return reals + big_integers > 0; }
    bool has_number() const { return integers > 0 || has_real(); }
};

/// Associative and commutative, with CellSummary{} as identity.
void merge(CellSummary& into, const CellSummary& from);

}  // namespace regrove::ingest
