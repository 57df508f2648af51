// Exact weighted quantiles of many small sets of rows at once (the leaves of a tree), for rows spread over ranks.
//
// The search walks down the digits of the values' sort keys: each round counts the weight of every digit in every set,
// the caller adds the counts of all ranks, and each set goes on with the digit that holds its quantile. Only integers
// are added, so the outcome does not depend on how rows are spread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace regrove::objective {

/// The quantile q of a set is its smallest value v such that the values <= v have at least q of the set's weight (and at
/// least one unit of it).
class QuantileSelection {
  public:
    /// `set_of_row[i]` < sets says to which set value i belongs (k_no_set: none); empty: all are of set 0. `masses`:
    /// whole weights, not negative (see WeightGrid); empty: one each. The spans must stay until done(). Values are
    /// finite.
    QuantileSelection(std::span<const double> values, std::span<const std::int64_t> masses,
                      std::span<const std::uint32_t> set_of_row, std::uint32_t sets, double quantile);
    static constexpr std::uint32_t k_no_set = 0xffffffffU;

    /// False for k_rounds rounds: while (!done()) { table = count(); add the tables of all ranks; advance(table); }
    bool done() const { return round_ == k_rounds; }
    static constexpr unsigned k_rounds = 8;
    /// This rank's masses by set and digit: sets * 256.
    std::vector<std::int64_t> count() const;
    void advance(std::span<const std::int64_t> merged);
    /// One a set; 0 for a set without mass. Only when done().
    std::vector<double> quantiles() const;

  private:
    std::span<const double> values_;
    std::span<const std::int64_t> masses_;
    std::span<const std::uint32_t> set_of_row_;
    double quantile_;
    unsigned round_ = 0;
    std::vector<std::uint64_t> prefixes_;  ///< a set: the digits found so far
    std::vector<std::int64_t> wanted_;     ///< a set: mass still to pass within the prefix, from one; 0: no mass
};

/// Weights as whole numbers of a power-of-two unit made of global facts: the largest weight and the number of rows.
/// The sum of all stays below 2^62; weights are rounded to nearest, zero only when they were.
class WeightGrid {
  public:
    /// `largest` is the largest weight of all ranks, `rows` their number of rows.
    WeightGrid(double largest, std::uint64_t rows);
    std::vector<std::int64_t> masses(std::span<const double> weights) const;

  private:
    double scale_;
};

}  // namespace regrove::objective
