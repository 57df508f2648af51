// What a rank's rows are to be told apart by: classes or numbers, and weights, as integers of a common unit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/train/exact_score.hpp"
#include "regrove/train/statistics.hpp"

namespace regrove::train {

/// The scale of targets and weights. It must be the same on all ranks, so it is made of global facts only.
struct TargetScale {
    double weight_unit = 1;         ///< a power of two; weight = integer * weight_unit
    double value_unit = 1;          ///< a power of two (regression)
    std::int64_t value_offset = 0;  ///< subtracted from every target, in units; keeps sums small
};

/// Facts about weights that decide their unit; ranks merge them (sum, maximum, and).
struct WeightFacts {
    double sum_bound = 0;  ///< an upper bound of the sum of weights
    double largest = 0;
    bool all_integers = true;
};

/// One when all weights are integers whose sum is below 2^42; else so fine that the sum is below 2^61 (classes) or
/// 2^52 (regression) units.
double choose_weight_unit(const WeightFacts& facts, bool regression);

/// The finest power of two for which |target| <= largest takes at most min(52, 92 - bits(total weight)) bits, so that
/// sums of weight * target stay below 2^94 after the mean is taken off.
double choose_value_unit(double largest, std::int64_t total_weight);

/// The integer nearest to value / unit.
std::int64_t quantise(double value, double unit);

struct Target {
    StatisticsLayout layout;
    Criterion criterion = Criterion::gini;
    TargetScale scale;
    std::vector<std::uint32_t> classes;  ///< classification: the class of each row
    std::vector<std::int64_t> values;    ///< regression: each row's target in units, less the offset
    std::vector<std::int64_t> weights;   ///< in units; empty: one each
    bool is_weighted = false;            ///< on all ranks, also on one without rows

    std::size_t rows() const { return layout.regression() ? values.size() : classes.size(); }
    std::int64_t target(std::size_t row) const {
        return layout.regression() ? values[row] : static_cast<std::int64_t>(classes[row]);
    }
    std::int64_t weight(std::size_t row) const { return is_weighted ? weights[row] : 1; }
};

/// Sum of weight * target^2 in two limbs: high * 2^k_low_bits + low. Exact, and adds limb by limb.
struct SquareSum {
    static constexpr unsigned k_low_bits = 40;
    Int128 high = 0;
    Int128 low = 0;

    void add(std::int64_t target, std::int64_t weight) {
        const auto square = static_cast<Int128>(target) * target;
        high += (square >> k_low_bits) * weight;
        low += (square & ((Int128{1} << k_low_bits) - 1)) * weight;
    }
};

/// Turns totals into figures for people: impurity, class weights or mean, and gain.
class NodeFigures {
  public:
    NodeFigures(const StatisticsLayout& layout, Criterion criterion, const TargetScale& scale,
                const EntropyTerms& entropy)
        : layout_(layout), criterion_(criterion), scale_(scale), entropy_(entropy) {}

    /// Gini: 1 - sum p^2; entropy in bits; regression: mean squared error.
    double impurity(Statistics totals, const SquareSum& squares) const;
    /// Whether all targets of a regression's rows are equal: exact, where the impurity may be too small for a double.
    bool constant(Statistics totals, const SquareSum& squares) const;
    /// Class weights, or the mean as the one element.
    std::vector<double> value(Statistics totals) const;
    double weight(Statistics totals) const;
    /// The impurity decrease that a score (less its parent's term) stands for, per unit of node weight.
    double gain(const ExactScore& score, std::int64_t node_weight) const;
    /// The parent's term: what a score must exceed.
    ParentTerm parent_term(Statistics totals) const;

  private:
    StatisticsLayout layout_;
    Criterion criterion_;
    TargetScale scale_;
    const EntropyTerms& entropy_;
};

}  // namespace regrove::train
