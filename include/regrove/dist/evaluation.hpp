// A model's answers for rows with labels, and metrics of them over all ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/metric/registry.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// Owns the columns that metric::Predictions views.
struct Answers {
    std::vector<std::int32_t> true_class;
    std::vector<std::int32_t> predicted_class;
    std::vector<double> probability;
    std::vector<double> true_value;
    std::vector<double> predicted_value;
    std::vector<double> weight;
    std::vector<double> initial;  ///< what the rows' scores begin at; empty: at the model's own initial scores
    std::vector<std::uint64_t> group_begins;  ///< filled by who needs it: dist::find_groups
    std::size_t rows = 0;
    std::uint32_t classes = 0;

    metric::Predictions view() const;
};

/// Behind those of earlier rows of the same table and model; groups are left alone.
void append(Answers& answers, const Answers& more);

/// The rows' weights, or empty when the table has no weight column.
std::vector<double> weights_of(const data::TableShard& shard);

/// Answers for this rank's rows. Does not communicate; throws InputError on a missing or unknown label, or without the model's
/// column of initial scores (infer/initial_scores.hpp).
Answers answer_rows(const model::Ensemble& ensemble, const infer::Predictor& predictor,
                    const data::TableShard& shard);

/// Replaces the predictions of `answers` by those of these leaves (Predictor::leaves of the same rows) and of
/// `answers.initial`; probabilities only when wanted.
void predict_again(Answers& answers, const model::Ensemble& ensemble, const infer::Predictor& predictor,
                   const std::vector<NodeId>& leaves, bool with_probabilities);

/// The metrics of these names, or those usual for the task when there are none. Throws ConfigError on an unknown name.
std::vector<metric::Metric> chosen_metrics(const std::vector<std::string>& names, model::Task task);

/// The names of all metrics, joined by commas, for --help.
std::string metric_names();

/// One metric's number over all ranks, the same on every rank; NaN when it is not defined. Collective; throws
/// ConfigError (agreed) when the metric needs groups and the rows have none.
double metric_number(comm::Communicator& comm, const metric::Metric& metric, const metric::Predictions& view);

/// The merge of all ranks' summaries, on the root; an empty one elsewhere. Collective.
metric::Summary merge_on_root(comm::Communicator& comm, const metric::Summary& own);

}  // namespace regrove::dist
