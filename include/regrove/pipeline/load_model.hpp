// The one way in which jobs on several ranks take a model: the root reads, all receive.
#pragma once

#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

/// A model of any known format, by content; the same on every rank. Collective; errors are agreed.
model::Ensemble load_model(comm::Communicator& comm, const std::string& path);

}  // namespace regrove::pipeline
