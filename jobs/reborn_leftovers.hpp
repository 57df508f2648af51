// Whether files are outputs of a search for a born-again tree: a run that goes on from a checkpoint replaces its own.
#pragma once

#include <string>

#include "regrove/bornagain/reborn.hpp"

namespace regrove::jobs {

/// Each of the files that is there was written by a search of this objective. One that cannot be read was not.
bool are_of_search(const std::string& tree, const std::string& certificate, const std::string& pruned,
                   bornagain::Objective objective);

}  // namespace regrove::jobs
