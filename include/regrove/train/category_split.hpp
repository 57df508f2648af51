// The best question about a categorical feature at one node, from the statistics of its categories.
//
// Two classes and regression: ordering the categories by mean label and sweeping finds the best subset (Fisher 1958;
// Breiman et al. 1984, theorem 4.5). More classes: greedy, moving the category that helps most, one at a time; above
// k_greedy_categories present categories, sweeps by the share of each class in turn. O(C log C), O(C^2 K), O(K C log C).
// The theorem needs free choice: with min_rows_leaf above one, or where rows without a value would do best on a side of
// their own (which only MissingSplit::separate may ask), the best ordered subset is taken, though another may gain more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/train/numeric_sweep.hpp"

namespace regrove::train {

constexpr std::uint32_t k_greedy_categories = 256;

struct CategoryInput {
    std::uint32_t feature = 0;
    std::uint32_t categories = 0;
    std::span<const std::int64_t> statistics;  ///< categories x layout.size()
    Statistics missing;                        ///< of the rows without a value
    CategoryQuestions questions = CategoryQuestions::subset;
    bool missing_as_category = false;    ///< MissingSplit::separate
    bool parent_term_of_valued = false;  ///< surrogate rule: rows without a value do not count
    std::uint64_t min_rows_leaf = 1;
};

/// A candidate with its set. `candidate.code` numbers the node's candidates of this feature in the order tried.
struct CategoryCandidate {
    SplitCandidate candidate;
    std::vector<std::uint64_t> right_categories;  ///< bit c: category c goes right
};

struct CategoryResult {
    CategoryCandidate best;
    std::vector<CategoryCandidate> ties;  ///< of exactly the best's score, later in order
};

CategoryResult best_category_split(const StatisticsLayout& layout, Criterion criterion, const EntropyTerms& entropy,
                                   const CategoryInput& input);

}  // namespace regrove::train
