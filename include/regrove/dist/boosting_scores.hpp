// Raw scores of rows while a boosted model grows, and the metric of them over all ranks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/boosting_set.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/metric/registry.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/train/boosting_tree_grower.hpp"

namespace regrove::dist {

/// Score-major: values[k * rows + i]. They are what the model answers, to the last bit: initial scores and leaf values added
/// in tree order.
struct RawScores {
    std::size_t rows = 0;
    std::vector<double> values;

    RawScores() = default;
    RawScores(std::size_t row_count, const std::vector<double>& initial);
    /// With `own`, one a row of a model with one score, added to the initial score; empty: nothing is.
    RawScores(std::size_t row_count, const std::vector<double>& initial, const std::vector<double>& own);
    std::span<double> of(std::size_t score) { return std::span(values).subspan(score * rows, rows); }
};

/// The leaf of each row in one tree; as few bytes as the tree's nodes allow.
using LeafColumn = std::vector<std::uint16_t>;

/// Throws LimitError when the tree has more nodes than that.
LeafColumn leaf_column(const std::vector<NodeId>& leaves, std::size_t nodes);

/// Trees of one value a node, and the raw score that each adds to; no outputs: score 0.
struct ScoreTrees {
    std::span<const model::Tree> trees;
    std::span<const std::uint32_t> outputs;

    std::size_t output(std::size_t tree) const { return outputs.empty() ? 0 : outputs[tree]; }
};

/// Adds trees to scores of the rows of a shard that their features are bound to; with `leaves`, keeps the leaves of each tree.
void add_trees(infer::Binding& binding, const ScoreTrees& trees, const data::TableShard& shard, RawScores& scores,
               std::vector<LeafColumn>* leaves = nullptr);

/// The same to rows of a table of codes whose features are the model's. Throws ConfigError when a question divides a bin.
void add_trees_by_codes(const model::Ensemble& model, const train::BoostingTable& table, RawScores& scores,
                        std::vector<LeafColumn>* leaves = nullptr);

/// Adds a grown tree to the scores of the rows that it was grown on and of those that did not take part.
void add_grown_tree(const train::GrownBoostedTree& grown, const train::RowMarks& marks, std::span<double> scores);

/// The leaves of all rows of the table in a grown tree.
LeafColumn leaves_of_rows(const train::GrownBoostedTree& grown, const train::RowMarks& marks, std::size_t rows);

/// The metric of the rows of all ranks; NaN when it is not defined. Collective.
double metric_of_scores(comm::Communicator& comm, const metric::Metric& metric, const BoostingSet& set,
                        const RowLabels& labels, const RawScores& scores);

}  // namespace regrove::dist
