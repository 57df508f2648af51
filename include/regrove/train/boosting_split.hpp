// The best question about one binned feature at a node, from the node's histogram.
//
// A question's gain is 1/2 [score(left) + score(right) - score(node)] and must exceed options.least_gain(). Of equal gains
// the smaller feature wins, then the smaller bin (categories: the earlier of the order tried), then "missing goes left".
// Decisions are made in double from exact integers, always by the same operations in the same order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/model/split.hpp"
#include "regrove/train/boosting_histogram.hpp"
#include "regrove/train/boosting_partition.hpp"
#include "regrove/train/boosting_score.hpp"

namespace regrove::train {

/// What all nodes of a tree share.
struct BoostingSplitRules {
    LeafScore score;
    double min_child_weight = 1;
    std::int64_t min_rows_leaf = 1;
    double least_gain = 0;
    std::uint32_t max_onehot = 4;
    std::uint32_t max_category_threshold = 32;
    double category_smoothing = 1;
    std::vector<std::int8_t> monotone;  ///< a feature: +1, 0, -1; empty: none

    int direction(std::uint32_t feature) const { return monotone.empty() ? 0 : monotone[feature]; }
    /// Place of a category in the order that subsets are cut from. One too light to be a side of its own says little by its
    /// gradient and stands at zero, between those that raise and those that lower the score.
    double category_place(const GradientSums& sums) const {
        const double weight = score.hessian(sums);
        return weight < min_child_weight ? 0 : score.gradient(sums) / (weight + category_smoothing);
    }
};

BoostingSplitRules make_boosting_rules(const BoostingOptions& options, const GradientGrid& grid,
                                       std::vector<std::int8_t> monotone);

/// A node as a search sees it.
struct BoostingNodeView {
    GradientSums sums;
    ValueBounds bounds;
};

/// What can be sent between ranks as it is; sets go beside it.
struct BoostingCandidateFigures {
    double score = -std::numeric_limits<double>::infinity();  ///< of both sides; less the node's: twice the gain
    std::uint32_t feature = 0;
    std::uint32_t last_left_bin = 0;  ///< numeric: bins up to it go left
    std::uint32_t next_bin = 0;       ///< numeric: the bin behind it; the missing code: all values go left
    std::uint32_t first_bin = 0;      ///< numeric: least and greatest bins that are not empty
    std::uint32_t last_bin = 0;
    std::uint8_t valid = 0;
    std::uint8_t categorical = 0;
    std::uint8_t missing_seen = 0;
    std::uint8_t missing_right = 0;
    std::uint8_t by_value = 0;  ///< the three below stand in place of bins
    double threshold = 0;       ///< values up to it go left
    double low = 0;             ///< least and greatest value of the feature at the node
    double high = 0;
    GradientSums left;
};

struct BoostingCandidate : BoostingCandidateFigures {
    std::vector<std::uint64_t> right_categories;
    std::vector<std::uint64_t> seen_categories;
};

/// Whether `a` is to be preferred to `b`; of equal scores the smaller feature.
bool preferred(const BoostingCandidate& a, const BoostingCandidate& b);

/// Of a numeric question between two bins that are not empty at the node, which may have others between them: puts the cut
/// at the boundary next to the middle, so that a row's code and its value always agree, also of rows that were not drawn.
void settle_cut(BoostingCandidate& candidate, const binning::Bins& bins);

/// The histogram's part that belongs to one feature.
struct FeatureWords {
    std::uint32_t feature = 0;
    const binning::Bins* bins = nullptr;
    const Histogram* histogram = nullptr;
    std::uint64_t first_word = 0;
};

/// Not valid when no question is allowed. Time O(bins), for categories O(bins log bins).
BoostingCandidate best_question(const BoostingSplitRules& rules, const BoostingNodeView& node,
                                const FeatureWords& words);

/// A bin that is not empty at a node.
struct ListedBin {
    std::uint32_t bin = 0;
    GradientSums sums;
};
/// A numeric feature by those of its bins that are not empty, ascending.
struct ListedFeature {
    std::uint32_t feature = 0;
    std::uint32_t count = 0;  ///< of all its bins
    std::span<const ListedBin> bins;
};

/// What best_question finds, but for settle_cut, which is left to the caller. Time O(listed bins).
BoostingCandidate best_listed_question(const BoostingSplitRules& rules, const BoostingNodeView& node,
                                       const ListedFeature& feature, const GradientSums& missing);

/// Symmetric growth: the one question about a feature that gains most over all nodes together, added in their order. A node
/// in which a side would be too small gains nothing. `words[i]` is of nodes[i]. The candidate's score is the sum of gains,
/// doubled; its `left` is not set.
BoostingCandidate best_common_question(const BoostingSplitRules& rules, std::span<const BoostingNodeView> nodes,
                                       std::span<const FeatureWords> words);

/// The sums of some bins of a feature in one node, "no value" last.
struct NodeBins {
    const BoostingNodeView* node = nullptr;
    std::vector<GradientSums> bins;
};
/// A numeric feature on a level by those of its bins that are not empty in some node.
struct ListedLevel {
    std::uint32_t feature = 0;
    std::uint32_t count = 0;              ///< of all its bins
    std::span<const std::uint32_t> bins;  ///< ascending
    bool missing_seen = false;            ///< in some node
};

/// What best_common_question finds, but for settle_cut. `nodes` have sums of the listed bins, in their order; nodes that
/// could not gain by any division of this feature may be left out.
BoostingCandidate best_listed_common_question(const BoostingSplitRules& rules, std::span<const NodeBins> nodes,
                                              const ListedLevel& level);

/// Sums of the rows of a node that a question sends left.
GradientSums sums_left(const CodeQuestion& question, const FeatureWords& words);

/// Sums of each bin of a feature, the one for "no value" last.
std::vector<GradientSums> bin_sums(const FeatureWords& words);

/// The question, complete; `all` are the node's sums. Thresholds stand in the middle between the neighbouring bins, or values.
model::Question make_boosting_question(const BoostingCandidate& candidate, const binning::Bins& bins,
                                       const GradientSums& all);
/// How codes answer it; rows of categories that training did not see here go to the heavier side.
CodeQuestion make_code_question(const BoostingCandidate& candidate, const model::Question& question,
                                const binning::Bins& bins, const CodeColumn& column);
/// How values answer a threshold.
CodeQuestion make_value_question(const model::Question& question, const data::ColumnValues& values);

}  // namespace regrove::train
