// What an open generation keeps.
#pragma once

#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/store/checkpoint.hpp"

#include "checkpoint_manifest.hpp"

namespace regrove::store {

struct CheckpointGeneration::State {
    comm::Communicator& comm;
    std::string folder;
    Manifest manifest;
};

}  // namespace regrove::store
