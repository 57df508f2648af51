// Read before the rows are binned, while the table still has its columns.
#include "regrove/dist/boosting_first_scores.hpp"

#include <span>
#include <string>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/boosting_refit.hpp"
#include "regrove/infer/initial_scores.hpp"

namespace regrove::dist {

namespace {

/// Takes the column of --initial-score out of a shard, so that it is no feature.
std::vector<double> take_column(comm::Communicator& comm, data::TableShard& shard, const std::string& name,
                                const char* which) {
    const std::uint64_t first = comm.exclusive_sum(static_cast<std::uint64_t>(shard.rows));
    return comm::agree_on(comm, [&] {
        shard.first_row = first;
        std::vector<double> scores;
        try {
            scores = infer::read_initial_scores(shard, name);
        } catch (const InputError& error) {
            throw InputError(std::string("--initial-score, ") + which + " rows: " + error.what());
        }
        const auto place = static_cast<std::ptrdiff_t>(*shard.schema.find(name));
        shard.schema.columns.erase(shard.schema.columns.begin() + place);
        shard.values.erase(shard.values.begin() + place);
        return scores;
    });
}

void check_one_score(const train::BoostingOptions& options, const std::string& what, std::uint32_t scores) {
    if (options.initial_score.empty() || scores == 1) return;
    throw ConfigError("--initial-score is for objectives of one score a row, and " + what + " has " +
                      std::to_string(scores) + " (one a class)");
}

}  // namespace

BroughtScores take_initial_scores(comm::Communicator& comm, BoostingTables& tables,
                                  const train::BoostingOptions& options) {
    BroughtScores brought;
    if (options.initial_score.empty()) return brought;
    if (tables.kept != nullptr)
        throw ConfigError(
            "--initial-score: a kept binned table does not hold that column; train on the table itself");
    if (tables.training_cells)
        throw ConfigError("--initial-score needs dense rows, and these are sparse: ingest them to a dense table");
    if (tables.continued != nullptr) check_one_score(options, "the model of --continue", tables.continued->scores());
    brought.training = take_column(comm, tables.training, options.initial_score, "training");
    if (tables.validation)
        brought.validation = take_column(comm, *tables.validation, options.initial_score, "validation");
    return brought;
}

std::vector<double> first_scores(comm::Communicator& comm, const BoostingSet& set,
                                 const train::BoostingOptions& options) {
    const objective::Objective& objective = *set.objective;
    check_one_score(options, std::string(objective.name()), objective.scores());
    if (!options.initial_score.empty() || options.objective.boost_from_average == objective::FirstScores::zero) {
        return std::vector<double>(objective.scores(), 0.0);
    }
    if (const auto quantile = objective.initial_quantile()) {
        const RowLabels rows = comm::agree_on(comm, [&] { return set.rows.whole(); });
        return quantiles(comm, rows.labels, rows.weights, {}, 1, *quantile);
    }
    auto words = comm::agree_on(comm, [&] { return summarise(objective, set.rows); });
    comm.sum(std::span<std::int64_t>(words));
    return objective.initial_scores(words);
}

}  // namespace regrove::dist
