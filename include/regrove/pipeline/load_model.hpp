// The one way in which jobs on several ranks take a model: the root reads, all receive.
#pragma once

#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

/// A model of any known format, by content; the same on every rank. Collective; errors are agreed.
model::Ensemble load_model(comm::Communicator& comm, const std::string& path);

/// For work that asks the trees alone, without rows: throws ConfigError when the model's rows bring initial scores with them
/// (infer/initial_scores.hpp), so that its answers depend on more than the trees.
void require_no_initial_scores(const model::Ensemble& ensemble, const std::string& what);

}  // namespace regrove::pipeline
