// Ranks compare what they were started with, before any work.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "regrove/comm/communicator.hpp"

namespace regrove::pipeline {

/// Name and text of everything that must be the same on all ranks.
using StartFacts = std::vector<std::pair<std::string, std::string>>;

/// Collective: one small message when all agree. Otherwise throws on every rank the same ConfigError, naming the
/// lowest rank that differs from rank 0 and the first fact that differs.
void require_same_start(comm::Communicator& comm, const StartFacts& facts);

}  // namespace regrove::pipeline
