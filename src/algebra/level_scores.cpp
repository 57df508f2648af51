// Each monomial is added where it is dropped; running sums from the last level to the first give every level's scores.
#include <algorithm>
#include <bit>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/algebra/monomial_pruning.hpp"
#include "regrove/core/parallel.hpp"

#include "condition_bits.hpp"

namespace regrove::algebra {

namespace {

/// The number of levels that keep each monomial: the first ones.
std::vector<std::uint32_t> levels_that_keep(std::span<const double> values, std::span<const PruningLevel> levels) {
    std::vector<std::uint32_t> keeping;
    for (const double value : values) {
        const auto end = std::ranges::upper_bound(levels, value, {}, &PruningLevel::alpha);
        keeping.push_back(static_cast<std::uint32_t>(end - levels.begin()));
    }
    return keeping;
}

class BlockScores {
  public:
    BlockScores(const Polynomial& polynomial, const std::vector<std::uint32_t>& keeping, std::size_t levels)
        : polynomial_(polynomial), keeping_(keeping), levels_(levels), bits_(polynomial.conditions) {}

    /// Scores of a block: level by level, row by row, score by score.
    const std::vector<Int128>& of(const infer::Binding& binding, const data::TableShard& shard, std::size_t begin,
                                  std::size_t end) {
        bits_.fill(binding, shard, begin, end);
        const std::size_t rows = end - begin;
        sums_.assign(levels_ * rows * polynomial_.scores, 0);
        for (std::size_t m = 0; m < polynomial_.size(); ++m)
            if (keeping_[m] > 0) add(m, rows);
        const std::size_t step = rows * polynomial_.scores;
        for (std::size_t level = levels_ - 1; level-- > 0;)
            for (std::size_t i = 0; i < step; ++i)
                sums_[level * step + i] = add_exactly(sums_[level * step + i], sums_[(level + 1) * step + i]);
        return sums_;
    }

  private:
    /// To the last level that keeps it.
    void add(std::size_t m, std::size_t rows) {
        const auto coefficient = polynomial_.coefficient(m);
        Int128* const into = sums_.data() + (keeping_[m] - 1) * rows * polynomial_.scores;
        for (std::size_t word = 0; word * 64 < rows; ++word) {
            std::uint64_t holds =
                rows - word * 64 >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (rows - word * 64)) - 1;
            for (const ConditionId id : polynomial_.monomial(m)) holds &= bits_.of(id)[word];
            for (; holds != 0; holds &= holds - 1) {
                const std::size_t row = word * 64 + static_cast<std::size_t>(std::countr_zero(holds));
                for (std::uint32_t k = 0; k < polynomial_.scores; ++k) {
                    Int128& sum = into[row * polynomial_.scores + k];
                    sum = add_exactly(sum, coefficient[k]);
                }
            }
        }
    }

    const Polynomial& polynomial_;
    const std::vector<std::uint32_t>& keeping_;
    std::size_t levels_;
    ConditionBits bits_;
    std::vector<Int128> sums_;
};

/// Rows that are scored at once: the sums of 100 levels take 1.6 MB for each score.
constexpr std::size_t k_scored_rows = 1024;

}  // namespace

std::vector<std::vector<double>> scores_at_levels(const Polynomial& polynomial, std::span<const double> values,
                                                  std::span<const PruningLevel> levels, const infer::Binding& binding,
                                                  const data::TableShard& shard) {
    static_assert(k_scored_rows <= k_block_rows);
    const std::vector<std::uint32_t> keeping = levels_that_keep(values, levels);
    std::vector<std::vector<double>> scores(levels.size());
    for (auto& own : scores) own.resize(shard.rows * polynomial.scores);
    if (levels.empty()) return scores;
    parallel_for_blocks(shard.rows, 8 * k_scored_rows, [&](std::size_t first, std::size_t last) {
        BlockScores block(polynomial, keeping, levels.size());
        for (std::size_t begin = first; begin < last; begin += k_scored_rows) {
            const std::size_t end = std::min(begin + k_scored_rows, last);
            const std::vector<Int128>& sums = block.of(binding, shard, begin, end);
            const std::size_t step = (end - begin) * polynomial.scores;
            for (std::size_t level = 0; level < levels.size(); ++level)
                for (std::size_t i = 0; i < step; ++i)
                    scores[level][begin * polynomial.scores + i] =
                        to_double(sums[level * step + i], polynomial.unit_exponent) / polynomial.divisor;
        }
    });
    return scores;
}

std::vector<double> scores_of(const Polynomial& polynomial, const data::TableShard& shard) {
    const model::Ensemble asking = asking_ensemble(polynomial);
    const infer::Binding binding(asking, shard.schema);
    const std::vector<double> all_stay(polynomial.size(), 1);
    const PruningLevel whole;
    return scores_at_levels(polynomial, all_stay, {&whole, 1}, binding, shard)[0];
}

}  // namespace regrove::algebra
