// The communicator of all ranks of a test run.
#pragma once

#include "regrove/comm/communicator.hpp"

namespace regrove::test {

comm::Communicator& world();

}  // namespace regrove::test
