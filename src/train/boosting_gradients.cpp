// Units from the largest values, and rows rounded to them, block by block over the threads.
#include "regrove/train/boosting_gradients.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "regrove/core/error.hpp"
#include "regrove/core/large_pages.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"

namespace regrove::train {

namespace {

constexpr std::size_t k_rows_a_block = 16384;
/// Rows whose derivatives are computed at a time, into a thread's own 2 x 32 KiB.
constexpr std::size_t k_rows_a_piece = 4096;
constexpr std::uint64_t k_rounding_stream = std::uint64_t{18} << 56U;

/// The smallest power of two in which `largest` takes no more than `most` units, rounded up.
double power_unit(double largest, double most) {
    if (!(largest > 0)) return 1;
    int exponent = 0;
    static_cast<void>(std::frexp(largest / most, &exponent));
    // Below the normal numbers a unit's inverse would not be finite.
    const double unit = std::ldexp(1.0, std::max(exponent - 1, -1000));
    return largest / unit <= most ? unit : 2 * unit;
}

std::size_t blocks_of(std::size_t rows) { return (rows + k_rows_a_block - 1) / k_rows_a_block; }

/// What one row becomes.
struct RowUnits {
    std::int64_t gradient;
    std::int64_t hessian;
};

class RoundToNearest {
  public:
    explicit RoundToNearest(const GradientGrid& grid)
        : gradient_(1 / grid.gradient_unit), hessian_(1 / grid.hessian_unit) {}
    /// Of a row's derivatives, amplified; the row's number over all ranks says nothing here.
    RowUnits operator()(double gradient, double hessian, std::uint64_t) const {
        return {nearest_integer(gradient * gradient_),
                std::max(nearest_integer(hessian * hessian_), std::int64_t{1})};
    }

  private:
    double gradient_;
    double hessian_;
};

/// 64 bits of a counter: the finaliser of SplitMix64 (Steele, Lea and Flood 2014), a few cycles a row.
std::uint64_t mixed_bits(std::uint64_t key, std::uint64_t counter) {
    std::uint64_t z = key + counter * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

/// Up with the probability of the part cut off; whole numbers stay.
class RoundAtRandom {
  public:
    RoundAtRandom(const GradientGrid& grid, std::uint64_t key)
        : gradient_(1 / grid.gradient_unit), hessian_(1 / grid.hessian_unit), key_(key) {}
    RowUnits operator()(double gradient, double hessian, std::uint64_t global_row) const {
        const std::uint64_t bits = mixed_bits(key_, global_row);
        return {nearest_integer(gradient * gradient_ + shift(bits >> 32U)),
                std::max(nearest_integer(hessian * hessian_ + shift(bits & 0xffffffffU)), std::int64_t{1})};
    }

  private:
    /// Uniform strictly between -1/2 and 1/2.
    static double shift(std::uint64_t bits) {
        return (static_cast<double>(static_cast<std::int64_t>(bits)) + (0.5 - 0x1p31)) * 0x1p-32;
    }

    double gradient_;
    double hessian_;
    std::uint64_t key_;
};

/// A thread's place for derivatives that are not kept.
struct PieceDerivatives {
    std::array<double, k_rows_a_piece> gradient;
    std::array<double, k_rows_a_piece> hessian;
};
PieceDerivatives& piece_derivatives() {
    thread_local PieceDerivatives piece;
    return piece;
}

/// Calls work(begin, end, gradient, hessian) for rows [begin, end) of a block, whose derivatives begin at the pointers.
template <class Work>
void for_each_piece(const GradientView& view, std::size_t begin, std::size_t end, Work work) {
    if (view.source == nullptr) return work(begin, end, view.gradient.data() + begin, view.hessian.data() + begin);
    PieceDerivatives& piece = piece_derivatives();
    for (std::size_t from = begin; from < end; from += k_rows_a_piece) {
        const std::size_t count = std::min(k_rows_a_piece, end - from);
        view.source->of_block(from, std::span(piece.gradient).first(count), std::span(piece.hessian).first(count));
        work(from, from + count, piece.gradient.data(), piece.hessian.data());
    }
}

RowEntry make_entry(std::size_t row, const RowUnits& units) {
    return (static_cast<RowEntry>(row) << 32U) |
           (static_cast<RowEntry>(static_cast<std::uint16_t>(units.gradient)) << 16U) |
           static_cast<std::uint16_t>(units.hessian);
}

/// Where each block's entries begin.
std::vector<std::size_t> block_begins(const GradientView& view) {
    const std::size_t rows = view.count();
    std::vector<std::size_t> begins(blocks_of(rows) + 1, 0);
    parallel_for_blocks(rows, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        std::size_t count = end - begin;
        if (!view.rows->marks.empty()) {
            const auto* const marks = view.rows->marks.data();
            count = static_cast<std::size_t>(
                std::count_if(marks + begin, marks + end, [](std::uint8_t m) { return m != RowMarks::k_out; }));
        }
        begins[begin / k_rows_a_block + 1] = count;
    });
    for (std::size_t block = 1; block < begins.size(); ++block) begins[block] += begins[block - 1];
    return begins;
}

struct BlockSums {
    GradientSums sums;
    std::int64_t absolute = 0;
};

template <class Round>
BlockSums fill_block(const GradientView& view, TreeRows& rows, std::size_t begin, std::size_t end, RowEntry* out,
                     const Round& round) {
    BlockSums block;
    const auto fill = [&](std::size_t first, std::size_t last, const double* gradient, const double* hessian) {
        for (std::size_t row = first; row < last; ++row) {
            if (!view.rows->takes_part(row)) continue;
            const double factor = view.rows->factor(row);
            const RowUnits units =
                round(gradient[row - first] * factor, hessian[row - first] * factor, view.first_row + row);
            if (rows.grid.packed) {
                *out++ = make_entry(row, units);
            } else {
                *out++ = static_cast<RowEntry>(row) << 32U;
                rows.gradient[row] = units.gradient;
                rows.hessian[row] = units.hessian;
            }
            block.sums += {units.gradient, units.hessian, 1};
            block.absolute += std::abs(units.gradient);
        }
    };
    for_each_piece(view, begin, end, fill);
    return block;
}

constexpr double k_largest = std::numeric_limits<double>::max();
constexpr GradientFacts k_no_rows{0, 0, std::numeric_limits<double>::infinity(), 0, true};

GradientFacts facts_of(const RowMarks& marks, std::size_t begin, std::size_t end, const double* gradients,
                       const double* hessians) {
    GradientFacts facts = k_no_rows;
    for (std::size_t row = begin; row < end; ++row) {
        if (!marks.takes_part(row)) continue;
        const double factor = marks.factor(row);
        const double hessian = hessians[row - begin] * factor;
        const double gradient = std::fabs(gradients[row - begin] * factor);
        facts.finite &= gradient <= k_largest && hessian <= k_largest;
        facts.largest_gradient = std::max(facts.largest_gradient, gradient);
        facts.largest_hessian = std::max(facts.largest_hessian, hessian);
        facts.least_hessian = std::min(facts.least_hessian, hessian);
        ++facts.rows;
    }
    return facts;
}

}  // namespace

GradientFacts gradient_facts(const GradientView& view) {
    const std::size_t rows = view.count();
    std::vector<GradientFacts> blocks(blocks_of(rows), k_no_rows);
    parallel_for_blocks(rows, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        GradientFacts& facts = blocks[begin / k_rows_a_block];
        for_each_piece(view, begin, end,
                       [&](std::size_t first, std::size_t last, const double* gradient, const double* hessian) {
                           facts = merge(facts, facts_of(*view.rows, first, last, gradient, hessian));
                       });
    });
    GradientFacts all = k_no_rows;
    for (const GradientFacts& facts : blocks) all = merge(all, facts);
    return all;
}

GradientFacts merge(const GradientFacts& a, const GradientFacts& b) {
    return {std::max(a.largest_gradient, b.largest_gradient), std::max(a.largest_hessian, b.largest_hessian),
            std::min(a.least_hessian, b.least_hessian), a.rows + b.rows, a.finite && b.finite};
}

GradientGrid packed_grid(const GradientFacts& facts) {
    GradientGrid grid{true, power_unit(facts.largest_gradient, 32767), power_unit(facts.largest_hessian, 65535)};
    if (facts.constant_hessian() && facts.largest_hessian > 0) grid.hessian_unit = facts.largest_hessian;
    return grid;
}

GradientGrid wide_grid(const GradientFacts& facts) {
    // Sums of all rows stay below 2^62.
    const int bits = std::min(46, 61 - static_cast<int>(std::bit_width(facts.rows)));
    const double most = std::ldexp(1.0, bits);
    GradientGrid grid{false, power_unit(facts.largest_gradient, most), power_unit(facts.largest_hessian, most)};
    if (facts.constant_hessian() && facts.largest_hessian > 0) grid.hessian_unit = facts.largest_hessian;
    return grid;
}

std::uint64_t rounding_key(std::uint64_t seed, std::uint64_t tree) {
    return CounterRandom(seed, k_rounding_stream).bits(tree);
}

void fill_rows(const GradientView& view, const GradientGrid& grid, std::uint64_t rounding_key, TreeRows& rows) {
    const std::size_t count = view.count();
    if (count > std::numeric_limits<std::uint32_t>::max()) {
        throw LimitError("boosting takes fewer than 2^32 rows on one rank; use more ranks");
    }
    rows.grid = grid;
    rows.gradient.resize(grid.packed ? 0 : count);
    rows.hessian.resize(grid.packed ? 0 : count);
    const auto begins = block_begins(view);
    resize_large(rows.entries, begins.back());
    std::vector<BlockSums> blocks(begins.size() - 1);
    parallel_for_blocks(count, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        const std::size_t block = begin / k_rows_a_block;
        RowEntry* const out = rows.entries.data() + begins[block];
        blocks[block] = grid.packed ? fill_block(view, rows, begin, end, out, RoundAtRandom(grid, rounding_key))
                                    : fill_block(view, rows, begin, end, out, RoundToNearest(grid));
    });
    rows.sums = {};
    rows.absolute_gradients = 0;
    for (const BlockSums& block : blocks) {
        rows.sums += block.sums;
        rows.absolute_gradients += block.absolute;
    }
}

bool packed_is_fine_enough(const GradientSums& sums, std::int64_t absolute_gradients, bool constant_hessian) {
    return absolute_gradients >= k_least_mean * sums.rows &&
           (constant_hessian || sums.hessian >= k_least_mean * sums.rows);
}

GradientSums fine_sums(const GradientView& view, const GradientGrid& grid, std::span<const RowEntry> entries) {
    const RoundToNearest round(grid);
    GradientSums sums;
    const auto add = [&](std::size_t row, double gradient, double hessian) {
        const double factor = view.rows->factor(row);
        const RowUnits units = round(gradient * factor, hessian * factor, view.first_row + row);
        sums += {units.gradient, units.hessian, 1};
    };
    if (view.source == nullptr) {
        for (const RowEntry entry : entries)
            add(row_of(entry), view.gradient[row_of(entry)], view.hessian[row_of(entry)]);
        return sums;
    }
    PieceDerivatives& piece = piece_derivatives();
    for (std::size_t begin = 0; begin < entries.size(); begin += k_rows_a_piece) {
        const auto some = entries.subspan(begin, std::min(k_rows_a_piece, entries.size() - begin));
        view.source->of_entries(some, std::span(piece.gradient).first(some.size()),
                                std::span(piece.hessian).first(some.size()));
        for (std::size_t i = 0; i < some.size(); ++i) add(row_of(some[i]), piece.gradient[i], piece.hessian[i]);
    }
    return sums;
}

}  // namespace regrove::train
