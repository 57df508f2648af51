// Integer statistics of a set of rows: sums that do not depend on the order of adding, from which impurity follows.
//
// Glossary of the module:
//   statistics   classification: [weight of class 0, ..., weight of class K-1, rows]
//                regression:     [weight, high, low, rows] where  sum of weight * target = high * 2^32 + low
//   unit         weights and targets are integers in units of a power of two, so that their sums are exact
//   totals       a node's statistics over all ranks
// Statistics of disjoint sets add element by element: that is the merge of every kernel here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/core/int128.hpp"
#include "regrove/train/cart_options.hpp"

namespace regrove::train {

using Statistics = std::span<const std::int64_t>;

struct StatisticsLayout {
    std::uint32_t classes = 0;  ///< zero: regression

    bool regression() const { return classes == 0; }
    std::size_t size() const { return regression() ? 4 : classes + 1; }
    std::size_t rows_at() const { return size() - 1; }
};

inline std::uint64_t rows(const StatisticsLayout& layout, Statistics s) {
    return static_cast<std::uint64_t>(s[layout.rows_at()]);
}

inline std::int64_t weight(const StatisticsLayout& layout, Statistics s) {
    if (layout.regression()) return s[0];
    std::int64_t sum = 0;
    for (std::uint32_t k = 0; k < layout.classes; ++k) sum += s[k];
    return sum;
}

/// Regression: sum of weight * target in units.
inline Int128 target_sum(Statistics s) { return (static_cast<Int128>(s[1]) << 32U) + s[2]; }

/// Adds one row. `target` is the class, or the target in units.
inline void add_row(const StatisticsLayout& layout, std::int64_t* into, std::int64_t target, std::int64_t weight) {
    if (layout.regression()) {
        const Int128 product = static_cast<Int128>(weight) * target;
        into[0] += weight;
        into[1] += static_cast<std::int64_t>(product >> 32U);
        into[2] += static_cast<std::int64_t>(product & 0xffffffffU);
        into[3] += 1;
    } else {
        into[target] += weight;
        into[layout.classes] += 1;
    }
}

/// The parent's term of ExactScore (c and its denominator) for these totals.
struct ParentTerm {
    Int128 c = 0;
    std::int64_t dc = 1;
};

/// x log2 x in fixed point: the term of entropy for weight x (in units). The scale keeps sums of a whole table below
/// 2^62.
class EntropyTerms {
  public:
    EntropyTerms() = default;
    /// `total_weight` in units of `unit`.
    EntropyTerms(std::int64_t total_weight, double unit);
    std::int64_t operator()(std::int64_t weight) const;
    /// Fixed-point result to bits times weight.
    double scale() const { return scale_; }

  private:
    double unit_ = 1;
    double scale_ = 1;
};

}  // namespace regrove::train
