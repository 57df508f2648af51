// Gradients as integers of a unit that all ranks share, so that their sums are exact in any order.
//
// Packed grid: 16 bits for the gradient and 16 for the hessian of a row, whose sums share one 64-bit word of a histogram
// (gradient * 2^32 + hessian, which is linear: words add and subtract as plain integers). Rounded at random, up with a
// probability of the part cut off, so that the sum over a node of rows far below the unit is right in the mean; to nearest
// they would all be zero and never be divided. The units are so fine beside the mean gradient (k_least_mean) that the
// error of a sum is below that of drawing other rows.
// Wide grid: 64 bits each, to nearest, for small tables and for gradients with heavy tails.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace regrove::train {

/// Of one tree, over the rows of all ranks that take part.
struct GradientFacts {
    double largest_gradient = 0;  ///< absolute
    double largest_hessian = 0;
    double least_hessian = 0;
    std::uint64_t rows = 0;
    bool finite = true;  ///< all gradients and hessians

    bool constant_hessian() const { return least_hessian == largest_hessian; }
};

/// Rows that take part in a tree; a mark a row, empty: all take part.
struct RowMarks {
    static constexpr std::uint8_t k_out = 0;
    static constexpr std::uint8_t k_in = 1;
    static constexpr std::uint8_t k_amplified = 2;  ///< stands for other rows, too
    std::vector<std::uint8_t> marks;
    double amplification = 1;

    bool takes_part(std::size_t row) const { return marks.empty() || marks[row] != k_out; }
    double factor(std::size_t row) const { return !marks.empty() && marks[row] == k_amplified ? amplification : 1; }
};

/// A row's number and its packed gradient: row << 32 | gradient (16 bits) << 16 | hessian (16 bits).
using RowEntry = std::uint64_t;
inline std::uint32_t row_of(RowEntry entry) { return static_cast<std::uint32_t>(entry >> 32U); }

/// Derivatives that are not kept but computed whenever they are asked for: pure functions of a row, so the same each time. Called by
/// several threads at once.
class DerivativeSource {
  public:
    virtual ~DerivativeSource() = default;
    virtual std::size_t rows() const = 0;
    /// Of rows [begin, begin + gradient.size()).
    virtual void of_block(std::size_t begin, std::span<double> gradient, std::span<double> hessian) const = 0;
    /// Of the rows of some entries, in their order.
    virtual void of_entries(std::span<const RowEntry> entries, std::span<double> gradient,
                            std::span<double> hessian) const = 0;
};

/// Derivatives of all rows of this rank, kept (`gradient` and `hessian`) or computed (`source`).
struct GradientView {
    std::span<const double> gradient;
    std::span<const double> hessian;
    const RowMarks* rows = nullptr;
    std::uint64_t first_row = 0;  ///< over all ranks
    const DerivativeSource* source = nullptr;

    std::size_t count() const { return source != nullptr ? source->rows() : gradient.size(); }
};

/// Of this rank's rows. No rows: 0, 0, +inf, 0, finite.
GradientFacts gradient_facts(const GradientView& view);
GradientFacts merge(const GradientFacts& a, const GradientFacts& b);

/// Tables of fewer rows (over all ranks) take the wide grid.
constexpr std::uint64_t k_packed_rows = 65536;
/// The packed grid is left when the mean of its absolute gradients, or of its hessians, is below so many units.
constexpr std::int64_t k_least_mean = 64;
/// A packed histogram word holds the sums of so many rows.
constexpr std::uint64_t k_packed_sum_rows = 65535;

/// Units are powers of two, but for a constant hessian, whose unit it is itself: then sums of hessians count rows.
struct GradientGrid {
    bool packed = false;
    double gradient_unit = 1;
    double hessian_unit = 1;
};

GradientGrid packed_grid(const GradientFacts& facts);
GradientGrid wide_grid(const GradientFacts& facts);

/// The integer nearest to `value`, |value| < 2^51, ties to even.
inline std::int64_t nearest_integer(double value) {
    constexpr double k_shift = 0x1.8p52;
    return std::bit_cast<std::int64_t>(value + k_shift) - std::bit_cast<std::int64_t>(k_shift);
}

/// Sums in units of a grid. A row that takes part has a hessian of at least one unit, so that a sum of zero means no rows.
struct GradientSums {
    std::int64_t gradient = 0;
    std::int64_t hessian = 0;
    std::int64_t rows = 0;  ///< only where rows are counted

    GradientSums& operator+=(const GradientSums& other) {
        gradient += other.gradient;
        hessian += other.hessian;
        rows += other.rows;
        return *this;
    }
    friend GradientSums operator-(GradientSums a, const GradientSums& b) {
        return {a.gradient - b.gradient, a.hessian - b.hessian, a.rows - b.rows};
    }
    friend bool operator==(const GradientSums&, const GradientSums&) = default;
};

/// What a row adds to a packed histogram word.
inline std::int64_t packed_word(RowEntry entry) {
    const auto gradient = static_cast<std::int16_t>(entry >> 16U);
    return static_cast<std::int64_t>(gradient) * (std::int64_t{1} << 32U) +
           static_cast<std::int64_t>(entry & 0xffffU);
}
inline std::int64_t gradient_of_word(std::int64_t word) { return word >> 32; }
inline std::int64_t hessian_of_word(std::int64_t word) { return word & 0xffffffff; }

/// This rank's rows of one tree, ready to be grown on.
struct TreeRows {
    GradientGrid grid;
    std::vector<RowEntry> entries;       ///< rows that take part, ascending
    std::vector<std::int64_t> gradient;  ///< wide grid: in units, by row
    std::vector<std::int64_t> hessian;
    GradientSums sums;                    ///< of the entries; rows counted
    std::int64_t absolute_gradients = 0;  ///< packed grid: sum of |gradient|, to judge it by
};

/// What a tree's random rounding is keyed by, beside the number of the row over all ranks.
std::uint64_t rounding_key(std::uint64_t seed, std::uint64_t tree);

/// Throws LimitError for 2^32 rows or more on one rank.
void fill_rows(const GradientView& view, const GradientGrid& grid, std::uint64_t rounding_key, TreeRows& rows);

/// Whether the packed grid is fine enough, from the sums over all ranks.
bool packed_is_fine_enough(const GradientSums& sums, std::int64_t absolute_gradients, bool constant_hessian);

/// Sums of some rows in units of a wide grid.
GradientSums fine_sums(const GradientView& view, const GradientGrid& grid, std::span<const RowEntry> entries);

}  // namespace regrove::train
