// What growth of a boosted tree asks of a table: the best questions of new nodes, and how the rows answer them.
//
// Two kinds of tables answer: dense ones by histograms (boosting_evaluation.hpp), sparse ones by their columns
// (boosting_sparse_search.hpp). All that they share is here: what a search knows, and how candidates of ranks become one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/train/boosting_exchange.hpp"
#include "regrove/train/boosting_nodes.hpp"
#include "regrove/train/boosting_thresholds.hpp"

namespace regrove::train {

/// What all nodes of a tree share.
struct TreeSearchContext {
    const BoostingTable& table;
    const BoostingSplitRules& rules;
    const ColumnSampling& columns;
    const Interactions& interactions;
    const TreeRows& rows;
    bool counts = false;  ///< searches count rows
    std::uint32_t max_depth = 0;
    /// Answers for numeric features, which have no codes in the table; null: their histograms do.
    ThresholdSearch* thresholds = nullptr;
};

/// Every call is collective.
class BoostingSearch {
  public:
    virtual ~BoostingSearch() = default;
    /// Evaluates the root: nodes[0].
    virtual void evaluate_root(std::vector<GrowingNode>& nodes) = 0;
    /// Evaluates the children of nodes just opened.
    virtual void evaluate_children(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) = 0;
    /// Symmetric growth: finds one question for all nodes of a level (the children of `opened`, or the root when there
    /// are none) and gives it to each with the node's own sums. False when no question gains enough.
    virtual bool evaluate_level(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) = 0;
    /// Sets `question` and `codes` of nodes that are to be opened, by their best candidates.
    virtual void ask(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> open) = 0;
};

/// Whether a node may have children at all, by its depth and sums.
bool may_split(const TreeSearchContext& context, const GrowingNode& node);

/// The features that each of some nodes may ask about.
std::vector<FeatureMarks> features_of_nodes(const TreeSearchContext& context, const std::vector<GrowingNode>& nodes,
                                            std::span<const std::uint32_t> ids);

/// Of each place the preferred candidate of all ranks. Collective.
std::vector<BoostingCandidate> best_of_ranks(BoostingExchange& exchange, std::vector<BoostingCandidate> own);

/// The node has been searched, and this is the best that was found.
void take_best(const TreeSearchContext& context, BoostingCandidate best, GrowingNode& node);

/// The nodes of the level below `opened` (none: the root); empty when the level is too deep or has no rows. `with_rows` are
/// those that have any: only they gain by a question.
struct SymmetricLevel {
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> with_rows;
};
SymmetricLevel level_below(const TreeSearchContext& context, const std::vector<GrowingNode>& nodes,
                           std::span<const std::uint32_t> opened);
bool gains_enough(const TreeSearchContext& context, const BoostingCandidate& common);
/// Gives the question to all nodes of a level; left[i] are the sums of the rows of with_rows[i] that go left.
void divide_level(const TreeSearchContext& context, const SymmetricLevel& level, const BoostingCandidate& common,
                  std::span<const GradientSums> left, std::vector<GrowingNode>& nodes);

}  // namespace regrove::train
