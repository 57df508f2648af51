// The best question about one binned feature at one node, and the question that it stands for.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/model/split.hpp"
#include "regrove/train/bin_sweep.hpp"
#include "regrove/train/cart_options.hpp"
#include "regrove/train/forest_random.hpp"

namespace regrove::train {

/// What all nodes of a tree share. `entropy` must outlive it.
struct BinnedSplitRules {
    StatisticsLayout layout;
    Criterion criterion = Criterion::gini;
    const EntropyTerms* entropy = nullptr;
    CategoryQuestions category_questions = CategoryQuestions::subset;
    std::uint64_t min_rows_leaf = 1;
    bool missing_as_question = false;
    bool extra_random = false;
    bool squares_fit_64_bits = false;  ///< the tree's weight is below 2^31
};

/// Throws nothing and checks nothing: `options` must be fit for forests (no surrogates).
BinnedSplitRules make_split_rules(const CartOptions& options, const StatisticsLayout& layout, Criterion criterion,
                                  const EntropyTerms& entropy, bool extra_random, std::int64_t tree_weight);

/// A feature's best question while it is known by its bins.
struct BinnedCandidate {
    SplitCandidate candidate;
    bool categorical = false;
    bool missing_seen = false;
    std::uint32_t first_bin = 0;  ///< numeric: the node's least and greatest bins that are not empty
    std::uint32_t last_bin = 0;
    double drawn_threshold = std::numeric_limits<double>::quiet_NaN();  ///< extra-random
    std::vector<std::uint64_t> right_categories;
    std::vector<std::uint64_t> seen_categories;
};

/// A node's view of one feature.
struct BinnedFeature {
    const binning::Bins* bins = nullptr;
    std::uint32_t feature = 0;
    Statistics totals;  ///< of the node
    const NodeRandom* random = nullptr;
};

/// From statistics of every bin: (bins.count + 1) x layout.size(), the rows without a value last.
BinnedCandidate best_numeric_question(const BinnedSplitRules& rules, const BinnedFeature& feature,
                                      Statistics statistics, BinSweepScratch& scratch);
BinnedCandidate best_category_question(const BinnedSplitRules& rules, const BinnedFeature& feature,
                                       Statistics statistics, BinSweepScratch& scratch);

/// When a node looks at a feature: looks of a later turn count only if none of an earlier one gains; of equal scores in one
/// turn the earlier place wins, so that ties fall at random where features are drawn at random.
struct LookOrder {
    std::uint32_t turn = 0;
    std::uint32_t place = 0;
};

/// The winner of a node among those that gain over the parent: by turn, then score, then place.
class BinnedWinner {
  public:
    explicit BinnedWinner(const ParentTerm& parent) : parent_(parent) {}
    void offer(BinnedCandidate&& candidate, const LookOrder& order);
    bool any() const { return best_.candidate.valid; }
    const BinnedCandidate& best() const { return best_; }
    /// The score less the parent's term.
    ExactScore gain_score() const;

  private:
    ParentTerm parent_;
    BinnedCandidate best_;
    LookOrder order_;
};

/// The question, complete: thresholds in the middle between the neighbouring bins, or as drawn.
model::Question make_question(const BinnedCandidate& winner, const binning::Bins& bins);

/// How rows of the node go, by their codes.
struct BinnedRoute {
    bool categorical = false;
    bool missing_right = false;
    std::uint32_t missing_code = 0;
    std::uint32_t last_left_code = 0;
    std::vector<std::uint64_t> right_categories;

    bool goes_right(std::uint32_t code) const {
        if (code == missing_code) return missing_right;
        return categorical ? model::contains(right_categories, code) : code > last_left_code;
    }
};
BinnedRoute make_route(const BinnedCandidate& winner, const model::Question& question, const binning::Bins& bins);

}  // namespace regrove::train
