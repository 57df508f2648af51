// Grows a boosted ensemble on all ranks, each with its share of the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/sparse_cells.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/boosting_keeper.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/train/boosting_options.hpp"

namespace regrove::store {
class BinnedFile;
}

namespace regrove::dist {

/// What boosting is given; rows lie on the ranks in any way, a rank may have none.
struct BoostingTables {
    data::TableShard training;  ///< this rank's rows; its columns are let go as soon as they are binned
    std::optional<data::TableShard> validation;  ///< given on all ranks or on none; the same columns as `training`
    const model::Ensemble* continued = nullptr;  ///< a boosted model to go on from, the same on every rank
    BoostingKeeper* keeper = nullptr;  ///< given on all ranks or on none; what it resumes comes before `continued`
    /// The features, where they are sparse; then the shards have none. Given on all ranks or on none, for validation rows
    /// exactly when for the others.
    std::optional<data::SparseCells> training_cells = std::nullopt;
    std::optional<data::SparseCells> validation_cells = std::nullopt;
    /// Rows that were binned before: `training` then holds their label, weight and group only.
    store::BinnedFile* kept = nullptr;
};

struct LearningCurve {
    std::string metric;
    bool larger_is_better = false;
    std::vector<LearningPoint> points;  ///< empty unless asked for, or needed for early stopping
};

struct GrownBoosting {
    model::Ensemble ensemble;  ///< with early stopping: up to the best round
    LearningCurve curve;
    std::uint64_t rows = 0;          ///< of the training table, over all ranks
    std::uint64_t rounds = 0;        ///< in the ensemble, those of the continued model included
    std::uint64_t rounds_grown = 0;  ///< before early stopping cut some off, without the continued model's
    bool stopped = false;            ///< by the keeper, before all rounds were grown
    double binning_seconds = 0;
    double growing_seconds = 0;
    double binning_processor_seconds = 0;  ///< of this rank, all its threads
    double growing_processor_seconds = 0;
};

enum class CurveWanted : std::uint8_t {
    none,
    validation,  ///< when there are validation rows
    both,        ///< training rows, too: costs one metric over all of them a round
};

/// The same model and curve for any number of ranks and threads. Collective. Throws InputError on labels or features that
/// cannot be learned from, ConfigError on options that contradict each other or the continued model.
GrownBoosting grow_boosted(comm::Communicator& comm, BoostingTables tables, const train::BoostingOptions& options,
                           std::uint64_t seed, CurveWanted curve = CurveWanted::validation);

}  // namespace regrove::dist
