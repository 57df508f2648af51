// What growth of boosted trees asks of other ranks, over a communicator.
#pragma once

#include <memory>

#include "regrove/comm/communicator.hpp"
#include "regrove/train/boosting_exchange.hpp"

namespace regrove::dist {

/// One rank alone: nothing is copied. The communicator must outlive it.
std::unique_ptr<train::BoostingExchange> make_boosting_exchange(comm::Communicator& comm);

}  // namespace regrove::dist
