// Whether the files of a generation are on disk as its manifest says, asked by all ranks together.
#pragma once

#include <span>
#include <string>

#include "regrove/comm/communicator.hpp"

#include "checkpoint_manifest.hpp"

namespace regrove::store {

/// The first problem of any rank, the lowest rank's first; empty when no rank has one. Collective.
std::string first_problem(comm::Communicator& comm, const std::string& own);

/// Reads the files again, from disk where the system lets go of its copies, and compares size, hash and shape. The
/// ranks share the files, none reads one that it wrote itself when there are several. Returns the first problem, on
/// all ranks. Collective.
std::string verify_files(comm::Communicator& comm, const std::string& folder, std::span<const FileFacts> files);

/// Only their sizes. Local.
std::string verify_sizes(const std::string& folder, std::span<const FileFacts> files);

}  // namespace regrove::store
