// A model's answers for a table as a table of their own: ids, answers, flags.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/infer/predictor.hpp"

namespace regrove::infer {

enum class PredictionKind : std::uint8_t { automatic, classes, probability, value, leaf, raw };

/// "class", "probability", ...
std::string_view to_text(PredictionKind kind);

/// `automatic` becomes classes or value by the model's task; throws ConfigError when the kind does not fit the task,
/// naming those that do.
PredictionKind resolve_kind(PredictionKind kind, const model::Ensemble& ensemble);

struct PredictionOptions {
    PredictionKind kind = PredictionKind::automatic;
    bool flags = false;
};

/// One row for each of the shard's rows, in order. Columns: the shard's id columns; then by kind
///   class        `class`, a category
///   probability  `probability_NAME` of each class
///   value        `value`
///   leaf         `leaf` (from left to right, from 0) and `node` (the node's number in the model file); with several
///                trees `leaf_T` and `node_T` of each tree T
///   raw          `raw_NAME` of each class (the leaf's class weights, or a boosted model's scores), or `raw` when there
///                is one score: what a regression sums or averages before the link, or two classes' margin
/// and with flags `unseen_category`, `unseen_missing` and `outside_range`, 0 or 1 (see PathFlags).
/// Throws InputError when an id column has the name of one of these, or the shard lacks the model's column of initial scores
/// (infer/initial_scores.hpp).
data::TableShard prediction_table(const model::Ensemble& ensemble, const Predictor& predictor,
                                  const data::TableShard& shard, const PredictionOptions& options);

}  // namespace regrove::infer
