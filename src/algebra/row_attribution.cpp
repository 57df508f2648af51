// 64 rows at a time go down the trie as the bits of one word; what holds is added up by feature and number of features.
#include "regrove/algebra/row_attribution.hpp"

#include <algorithm>
#include <bit>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/core/parallel.hpp"

#include "condition_bits.hpp"
#include "credit_sum.hpp"
#include "monomial_subjects.hpp"

namespace regrove::algebra {

namespace {

constexpr std::size_t k_word_rows = 64;
constexpr std::size_t k_bound_rows = 1024;  ///< rows whose conditions are asked at once
static_assert(k_bound_rows <= k_block_rows);
constexpr std::uint32_t k_unused = 0xffffffffU;

/// For every monomial, its features as places among those that any monomial has.
struct Players {
    explicit Players(const Polynomial& polynomial) : place(polynomial.frame.features.size(), k_unused) {
        for (std::size_t m = 0; m < polynomial.size(); ++m) {
            for (const std::uint32_t feature : monomial_subjects(polynomial, m, Subject::feature)) {
                if (place[feature] == k_unused) {
                    place[feature] = static_cast<std::uint32_t>(features.size());
                    features.push_back(feature);
                }
                places.push_back(place[feature]);
            }
            first.push_back(places.size());
            most = std::max<std::size_t>(most, size(m));
        }
    }
    std::size_t size(std::size_t m) const { return first[m + 1] - first[m]; }
    std::span<const std::uint32_t> of(std::size_t m) const { return {places.data() + first[m], size(m)}; }

    std::vector<std::uint32_t> place;     ///< by feature
    std::vector<std::uint32_t> features;  ///< by place
    std::vector<std::uint32_t> places;
    std::vector<std::size_t> first{0};
    std::size_t most = 0;  ///< features of one monomial
};

/// Sums of 64 rows: row, place, number of features, score.
class WordSums {
  public:
    WordSums(const Polynomial& polynomial, const Players& players, const MonomialTrie& trie)
        : polynomial_(polynomial),
          players_(players),
          trie_(trie),
          bits_(polynomial.conditions),
          holds_(trie.depth() + 1),
          sums_(k_word_rows * row_step()),
          scores_(k_word_rows * polynomial.scores) {}

    /// Asks all conditions of rows [begin, end), at most k_bound_rows.
    void bind(const infer::Binding& binding, const data::TableShard& shard, std::size_t begin, std::size_t end) {
        bits_.fill(binding, shard, begin, end);
    }
    /// Adds up `rows` of them, the first the `word`-th 64th.
    void fill(std::size_t word, std::size_t rows) {
        std::ranges::fill(sums_, Int128{0});
        std::ranges::fill(scores_, Int128{0});
        holds_[0] = rows == k_word_rows ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
        if (polynomial_.size() > 0 && polynomial_.is_constant(0)) give(0, holds_[0]);
        walk(word);
    }

    /// One of the rows added up, as row `to` of the result.
    void write(std::size_t row, const ScoreScale& scale, std::size_t to, RowAttributions& result) const {
        const std::size_t features = players_.place.size();
        for (std::uint32_t score = 0; score < polynomial_.scores; ++score) {
            const WideInteger sum(scores_[row * polynomial_.scores + score]);
            result.scores[to * polynomial_.scores + score] = to_double(sum, scale.exponent, scale.divisors);
            for (std::uint32_t place = 0; place < players_.features.size(); ++place)
                result.values[(to * features + players_.features[place]) * polynomial_.scores + score] =
                    value(row, place, score, scale);
        }
    }

  private:
    double value(std::size_t row, std::uint32_t place, std::uint32_t score, const ScoreScale& scale) const {
        CreditSum sum;
        for (std::size_t size = 1; size <= players_.most; ++size) {
            const Int128 part = sums_[at(row, place, size) + score];
            if (part != 0) sum.add(WideInteger(part), size);
        }
        return sum.value(scale.exponent, scale.divisors);
    }
    std::size_t row_step() const { return players_.features.size() * players_.most * polynomial_.scores; }
    std::size_t at(std::size_t row, std::uint32_t place, std::size_t size) const {
        return row * row_step() + (place * players_.most + size - 1) * polynomial_.scores;
    }

    void walk(std::size_t word) {
        const auto& nodes = trie_.nodes();
        for (std::uint32_t at = 0; at < nodes.size();) {
            const MonomialTrie::Node& node = nodes[at];
            const std::uint64_t holds = holds_[node.depth - 1] & bits_.of(node.condition)[word];
            holds_[node.depth] = holds;
            if (node.monomial != MonomialTrie::k_no_monomial) give(node.monomial, holds);
            at = holds == 0 ? node.behind : at + 1;
        }
    }

    void give(std::size_t m, std::uint64_t holds) {
        const auto coefficient = polynomial_.coefficient(m);
        const auto places = players_.of(m);
        for (; holds != 0; holds &= holds - 1) {
            const auto row = static_cast<std::size_t>(std::countr_zero(holds));
            add(scores_.data() + row * polynomial_.scores, coefficient);
            for (const std::uint32_t place : places) add(sums_.data() + at(row, place, places.size()), coefficient);
        }
    }

    static void add(Int128* sums, std::span<const Int128> coefficient) {
        for (std::size_t score = 0; score < coefficient.size(); ++score)
            sums[score] = add_exactly(sums[score], coefficient[score]);
    }

    const Polynomial& polynomial_;
    const Players& players_;
    const MonomialTrie& trie_;
    ConditionBits bits_;
    std::vector<std::uint64_t> holds_;  ///< by depth
    std::vector<Int128> sums_;
    std::vector<Int128> scores_;
};

}  // namespace

RowAttributions row_attributions(const Polynomial& polynomial, const infer::Binding& binding,
                                 const data::TableShard& shard) {
    const Players players(polynomial);
    const MonomialTrie trie(polynomial);
    const ScoreScale scale(polynomial, 1);
    const std::size_t features = polynomial.frame.features.size();
    RowAttributions result;
    result.values.resize(shard.rows * features * polynomial.scores, 0);
    result.scores.resize(shard.rows * polynomial.scores, 0);
    parallel_for_blocks(shard.rows, k_bound_rows, [&](std::size_t first, std::size_t last) {
        WordSums sums(polynomial, players, trie);
        sums.bind(binding, shard, first, last);
        for (std::size_t word = 0; first + word * k_word_rows < last; ++word) {
            const std::size_t begin = first + word * k_word_rows;
            const std::size_t rows = std::min(k_word_rows, last - begin);
            sums.fill(word, rows);
            for (std::size_t row = 0; row < rows; ++row) sums.write(row, scale, begin + row, result);
        }
    });
    return result;
}

}  // namespace regrove::algebra
