// Boosting as a person asks for it: rows put aside for validation, the objective's own limits, and a model to go on from.
#pragma once

#include <cstdint>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/pipeline/method_options.hpp"

namespace regrove::pipeline {

/// A table without the rows put aside, and those.
struct SplitRows {
    data::TableShard training;
    data::TableShard validation;
    std::optional<data::SparseCells> validation_cells = std::nullopt;  ///< where the rows are sparse
};

/// Each row is put aside with probability `share`, by its number over all ranks and the seed: the same rows however they
/// are spread. With a group column each group is, whole, by its name and the seed. `cells`, where the features are sparse, keep those of the other rows. Collective; throws InputError when one of
/// the two would be empty.
SplitRows put_rows_aside(comm::Communicator& comm, const data::TableShard& shard, double share, std::uint64_t seed,
                         std::optional<data::SparseCells>* cells = nullptr);

/// dist::grow_boosted with --valid-share and the objective's largest leaf value where none was given. Collective; throws
/// ConfigError when --valid-share and validation rows are both given.
dist::GrownBoosting fit_boosting(comm::Communicator& comm, dist::BoostingTables tables, const LearnerOptions& options,
                                 std::uint64_t seed, dist::CurveWanted curve);

/// Throws ConfigError naming each option, and the seed, that differs from those that `model` was made with (as its provenance
/// says; one without provenance is taken as it is). The number of trees and early stopping may differ. An option that the model's
/// provenance does not know is one that came later: it must be at its default, which does what was done before it came.
void require_same_options(const model::Ensemble& model, const LearnerOptions& options, std::uint64_t seed);

}  // namespace regrove::pipeline
