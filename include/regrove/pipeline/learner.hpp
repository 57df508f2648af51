// What `train` can do as a function: options and rows to a model; for every job that fits models.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/method_options.hpp"

namespace regrove::pipeline {

/// A model fitted to the rows of all ranks: the same on every rank, for any number of them. `shard` is this rank's rows;
/// a trial of its own on one rank passes comm::make_self_communicator(). Collective; throws InputError, ConfigError.
/// Provenance holds the method, its options and the seed.
model::Ensemble fit(comm::Communicator& comm, data::TableShard shard, const LearnerOptions& options,
                    std::uint64_t seed);

/// Writes method, options and seed into the model's provenance; fit() has done so.
void describe(model::Ensemble& ensemble, const LearnerOptions& options, std::uint64_t seed);

}  // namespace regrove::pipeline
