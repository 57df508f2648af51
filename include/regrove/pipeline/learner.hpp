// What `train` can do as a function: options and rows to a model; for every job that fits models.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/train/cart_options.hpp"
#include "regrove/train/forest_options.hpp"

namespace regrove::pipeline {

enum class Method : std::uint8_t { cart, forest };

struct LearnerOptions {
    Method method = Method::cart;
    train::CartOptions cart;      ///< of the tree, or of each tree of a forest
    train::ForestOptions forest;  ///< of the forest
};

/// --method and the options of all methods.
void list_options(LearnerOptions& options, OptionTable& table);
std::string_view to_text(Method method);

/// A model fitted to the rows of all ranks: the same on every rank, for any number of them. `shard` is this rank's rows;
/// a trial of its own on one rank passes comm::make_self_communicator(). Collective; throws InputError, ConfigError.
/// Provenance holds the method, its options and the seed.
model::Ensemble fit(comm::Communicator& comm, data::TableShard shard, const LearnerOptions& options,
                    std::uint64_t seed);

/// For what a person gives: throws ConfigError when an option of another method was changed, so that nothing is ignored in
/// silence.
void check_options(const LearnerOptions& options);

/// Writes method, options and seed into the model's provenance; fit() has done so.
void describe(model::Ensemble& ensemble, const LearnerOptions& options, std::uint64_t seed);

}  // namespace regrove::pipeline
