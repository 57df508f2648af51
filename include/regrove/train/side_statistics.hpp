// Statistics of the two sides of a split that is moved row by row, with the score kept up to date.
//
// One type a criterion, all with the same members, so that the sweeps over numbers and over categories share them:
//   start(left, right)      statistics of both sides, in the layout of statistics.hpp
//   move(target, weight)    one row from right to left
//   move_all(statistics)    a set of rows from right to left
//   approximate()           the score in double precision, within 2^-49 of the exact value relative to its terms
//   exact()                 the score as a rational number
#pragma once

#include <algorithm>
#include <cstdint>

#include "regrove/train/exact_score.hpp"
#include "regrove/train/statistics.hpp"

namespace regrove::train {

/// Rows of each side and their weights, which every criterion needs.
struct SideCounts {
    std::uint64_t left_rows = 0;
    std::uint64_t right_rows = 0;
    std::int64_t left_weight = 0;
    std::int64_t right_weight = 0;

    bool allowed(std::uint64_t min_rows) const {
        return left_rows >= min_rows && right_rows >= min_rows && left_weight > 0 && right_weight > 0;
    }
};

/// Gini: sums of squared class weights. `Square` is 64 bits wide for unit weights, 128 for others. Counters of the
/// classes live outside: 2 K integers (left, then right) a side pair.
template <class Square>
class GiniSides {
  public:
    static constexpr bool k_counts = true;

    void start(const StatisticsLayout& layout, Statistics left, Statistics right, std::int64_t* counters,
               const EntropyTerms&) {
        left_ = counters;
        right_ = counters + layout.classes;
        counts = {rows(layout, left), rows(layout, right), weight(layout, left), weight(layout, right)};
        left_squares_ = right_squares_ = 0;
        for (std::uint32_t k = 0; k < layout.classes; ++k) {
            left_[k] = left[k];
            right_[k] = right[k];
            left_squares_ += static_cast<Square>(left[k]) * static_cast<Square>(left[k]);
            right_squares_ += static_cast<Square>(right[k]) * static_cast<Square>(right[k]);
        }
    }
    void move(std::int64_t target, std::int64_t weight) {
        change(target, weight);
        counts.left_rows += 1;
        counts.right_rows -= 1;
    }
    void move_all(const StatisticsLayout& layout, Statistics s) {
        for (std::uint32_t k = 0; k < layout.classes; ++k) {
            if (s[k] != 0) change(k, s[k]);
        }
        counts.left_rows += rows(layout, s);
        counts.right_rows -= rows(layout, s);
    }
    double approximate() const {
        return static_cast<double>(left_squares_) / static_cast<double>(counts.left_weight) +
               static_cast<double>(right_squares_) / static_cast<double>(counts.right_weight);
    }
    ExactScore exact() const {
        ExactScore score;
        score.a = static_cast<Int128>(left_squares_);
        score.b = static_cast<Int128>(right_squares_);
        score.da = counts.left_weight;
        score.db = counts.right_weight;
        return score;
    }

    SideCounts counts;

  private:
    void change(std::int64_t k, std::int64_t weight) {
        // (x + w)^2 - x^2 = w (2 x + w)
        const auto w = static_cast<Square>(weight);
        left_squares_ += w * static_cast<Square>(2 * left_[k] + weight);
        right_squares_ -= w * static_cast<Square>(2 * right_[k] - weight);
        left_[k] += weight;
        right_[k] -= weight;
        counts.left_weight += weight;
        counts.right_weight -= weight;
    }
    std::int64_t* left_ = nullptr;
    std::int64_t* right_ = nullptr;
    Square left_squares_ = 0;
    Square right_squares_ = 0;
};

/// Entropy: sums of fixed-point terms x log2 x; larger is better, as for the others.
class EntropySides {
  public:
    static constexpr bool k_counts = true;

    void start(const StatisticsLayout& layout, Statistics left, Statistics right, std::int64_t* counters,
               const EntropyTerms& entropy) {
        entropy_ = &entropy;
        left_ = counters;
        right_ = counters + layout.classes;
        counts = {rows(layout, left), rows(layout, right), weight(layout, left), weight(layout, right)};
        sum_ = 0;
        for (std::uint32_t k = 0; k < layout.classes; ++k) {
            left_[k] = left[k];
            right_[k] = right[k];
            sum_ += entropy(left[k]) + entropy(right[k]);
        }
    }
    void move(std::int64_t target, std::int64_t weight) {
        change(target, weight);
        counts.left_rows += 1;
        counts.right_rows -= 1;
    }
    void move_all(const StatisticsLayout& layout, Statistics s) {
        for (std::uint32_t k = 0; k < layout.classes; ++k) {
            if (s[k] != 0) change(k, s[k]);
        }
        counts.left_rows += rows(layout, s);
        counts.right_rows -= rows(layout, s);
    }
    double approximate() const { return static_cast<double>(total()); }
    ExactScore exact() const {
        ExactScore score;
        score.a = total();
        return score;
    }

    SideCounts counts;

  private:
    std::int64_t total() const { return sum_ - (*entropy_)(counts.left_weight) - (*entropy_)(counts.right_weight); }
    void change(std::int64_t k, std::int64_t weight) {
        sum_ -= (*entropy_)(left_[k]) + (*entropy_)(right_[k]);
        left_[k] += weight;
        right_[k] -= weight;
        sum_ += (*entropy_)(left_[k]) + (*entropy_)(right_[k]);
        counts.left_weight += weight;
        counts.right_weight -= weight;
    }
    const EntropyTerms* entropy_ = nullptr;
    std::int64_t* left_ = nullptr;
    std::int64_t* right_ = nullptr;
    std::int64_t sum_ = 0;
};

/// Squared error: sums of targets; their squares over the weights are what the split gains.
class SquaredErrorSides {
  public:
    static constexpr bool k_counts = false;

    void start(const StatisticsLayout& layout, Statistics left, Statistics right, std::int64_t*,
               const EntropyTerms&) {
        counts = {rows(layout, left), rows(layout, right), left[0], right[0]};
        left_ = target_sum(left);
        right_ = target_sum(right);
    }
    void move(std::int64_t target, std::int64_t weight) {
        const Int128 product = static_cast<Int128>(weight) * target;
        left_ += product;
        right_ -= product;
        counts.left_weight += weight;
        counts.right_weight -= weight;
        counts.left_rows += 1;
        counts.right_rows -= 1;
    }
    void move_all(const StatisticsLayout& layout, Statistics s) {
        left_ += target_sum(s);
        right_ -= target_sum(s);
        counts.left_weight += s[0];
        counts.right_weight -= s[0];
        counts.left_rows += rows(layout, s);
        counts.right_rows -= rows(layout, s);
    }
    double approximate() const {
        const auto l = static_cast<double>(left_);
        const auto r = static_cast<double>(right_);
        return l * l / static_cast<double>(counts.left_weight) + r * r / static_cast<double>(counts.right_weight);
    }
    ExactScore exact() const {
        ExactScore score;
        score.a = left_;
        score.b = right_;
        score.da = counts.left_weight;
        score.db = counts.right_weight;
        score.squared = true;
        return score;
    }

    SideCounts counts;

  private:
    Int128 left_ = 0;
    Int128 right_ = 0;
};

/// Surrogates: how much weight a question sends to the same side as the main one, either way round. The layout has
/// two "classes": 0 for rows that the main question sends left, 1 for right.
class AgreementSides {
  public:
    static constexpr bool k_counts = false;

    void start(const StatisticsLayout& layout, Statistics left, Statistics right, std::int64_t*,
               const EntropyTerms&) {
        counts = {rows(layout, left), rows(layout, right), weight(layout, left), weight(layout, right)};
        left_ = {left[0], left[1]};
        right_ = {right[0], right[1]};
    }
    void move(std::int64_t target, std::int64_t weight) {
        change(target, weight);
        counts.left_rows += 1;
        counts.right_rows -= 1;
    }
    void move_all(const StatisticsLayout& layout, Statistics s) {
        change(0, s[0]);
        change(1, s[1]);
        counts.left_rows += rows(layout, s);
        counts.right_rows -= rows(layout, s);
    }
    std::int64_t straight() const { return left_.main_left + right_.main_right; }
    std::int64_t reversed() const { return left_.main_right + right_.main_left; }
    double approximate() const { return static_cast<double>(std::max(straight(), reversed())); }
    ExactScore exact() const {
        ExactScore score;
        score.a = std::max(straight(), reversed());
        return score;
    }

    SideCounts counts;

  private:
    struct Agreeing {
        std::int64_t main_left = 0;
        std::int64_t main_right = 0;
    };
    void change(std::int64_t k, std::int64_t weight) {
        (k == 0 ? left_.main_left : left_.main_right) += weight;
        (k == 0 ? right_.main_left : right_.main_right) -= weight;
        counts.left_weight += weight;
        counts.right_weight -= weight;
    }
    Agreeing left_;
    Agreeing right_;
};

/// Whether a surrogate follows the main question better the other way round; false for all other criteria.
template <class Sides>
bool agrees_reversed(const Sides&) {
    return false;
}
inline bool agrees_reversed(const AgreementSides& sides) { return sides.reversed() > sides.straight(); }

}  // namespace regrove::train
