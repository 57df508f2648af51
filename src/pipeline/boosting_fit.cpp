// What stands between the options of a job and the rounds of boosting.
#include "regrove/pipeline/boosting_fit.hpp"

#include <array>
#include <utility>
#include <vector>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/core/random.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/pipeline/learner.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::uint64_t k_stream_validation = std::uint64_t{15} << 56U;

/// The shard's place among those of all ranks.
void number_rows(comm::Communicator& comm, data::TableShard& shard) {
    const auto rows = static_cast<std::uint64_t>(shard.rows);
    shard.first_row = comm.exclusive_sum(rows);
    shard.global_rows = comm.sum(rows);
}

/// For each row the number that its draw is keyed by: its own over all ranks, or one that its whole group shares.
std::vector<std::uint64_t> draw_keys(const data::TableShard& shard, std::uint64_t first) {
    std::vector<std::uint64_t> keys(shard.rows);
    const auto group = shard.schema.find(data::ColumnRole::group);
    for (std::uint64_t row = 0; row < shard.rows; ++row) {
        keys[row] = first + row;
        if (group)
            keys[row] = hash_bytes(data::cell_text(shard.schema.columns[*group], shard.values[*group], row)).low;
    }
    return keys;
}

std::string given(const std::string& value) { return value.empty() ? "not given" : value; }

/// While rows still have the numbers that a person knows them by.
void check_initial_scores(comm::Communicator& comm, const dist::BoostingTables& tables, const std::string& column) {
    if (column.empty() || tables.training_cells) return;
    comm::agree_on(comm, [&] { static_cast<void>(infer::read_initial_scores(tables.training, column)); });
}

}  // namespace

SplitRows put_rows_aside(comm::Communicator& comm, const data::TableShard& shard, double share, std::uint64_t seed,
                         std::optional<data::SparseCells>* cells) {
    const std::uint64_t first = comm.exclusive_sum(static_cast<std::uint64_t>(shard.rows));
    SplitRows split = comm::agree_on(comm, [&] {
        const CounterRandom random(seed, k_stream_validation);
        std::array<std::vector<std::uint64_t>, 2> places;
        const std::vector<std::uint64_t> keys = draw_keys(shard, first);
        for (std::uint64_t row = 0; row < shard.rows; ++row)
            places[random.uniform(keys[row]) < share ? 1 : 0].push_back(row);
        SplitRows parts{data::take_rows(shard, places[0]), data::take_rows(shard, places[1]), std::nullopt};
        if (cells == nullptr || !*cells) return parts;
        parts.validation_cells = data::take_rows(**cells, places[1]);
        *cells = data::take_rows(**cells, places[0]);
        return parts;
    });
    number_rows(comm, split.training);
    number_rows(comm, split.validation);
    if (split.training.global_rows == 0 || split.validation.global_rows == 0)
        throw InputError("--valid-share puts " + std::to_string(split.validation.global_rows) + " of " +
                         std::to_string(split.training.global_rows + split.validation.global_rows) +
                         " rows aside; both parts need rows: take another share or give --valid FILE");
    return split;
}

dist::GrownBoosting fit_boosting(comm::Communicator& comm, dist::BoostingTables tables, const LearnerOptions& options,
                                 std::uint64_t seed, dist::CurveWanted curve) {
    const train::BoostingOptions& boosting = options.boosting;
    if (options.valid_share > 0) {
        if (tables.kept != nullptr)
            throw ConfigError(
                "--valid-share: a kept binned table does not hold the values that validation rows need; "
                "give --valid FILE, or train on the table itself");
        if (tables.validation)
            throw ConfigError("--valid and --valid-share both give validation rows: give one of them");
        check_initial_scores(comm, tables, boosting.initial_score);
        SplitRows split = put_rows_aside(comm, tables.training, options.valid_share, seed, &tables.training_cells);
        tables.training = std::move(split.training);
        tables.validation = std::move(split.validation);
        tables.validation_cells = std::move(split.validation_cells);
    }
    return dist::grow_boosted(comm, std::move(tables), boosting, seed, curve);
}

void require_same_options(const model::Ensemble& model, const LearnerOptions& options, std::uint64_t seed) {
    if (!model.provenance.contains("method")) return;
    model::Ensemble now;
    describe(now, options, seed);
    LearnerOptions defaults;
    defaults.method = options.method;
    model::Ensemble usual;
    describe(usual, defaults, seed);
    std::string differ;
    for (const auto& [key, value] : now.provenance) {
        if (key == "option.trees" || key == "option.early_stopping") continue;
        const auto before = model.provenance.find(key);
        const bool is_later = before == model.provenance.end() && key.starts_with("option.");
        if (is_later && value == usual.provenance.at(key)) continue;
        const std::string old = is_later                           ? "no such option when the model was made"
                                : before == model.provenance.end() ? "not told"
                                                                   : given(before->second);
        if (before != model.provenance.end() && before->second == value) continue;
        differ += (differ.empty() ? "" : ", ") + key + " (" + old + ", now " + given(value) + ")";
    }
    if (!differ.empty())
        throw ConfigError("--continue: the model was made with other options: " + differ +
                          "; give the same, or the trees would not be those of one longer run");
}

}  // namespace regrove::pipeline
