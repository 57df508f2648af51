// Which includes the architecture allows, and what a source tree does against it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace regrove::layering {

/// Everything in the tree at `root` that goes against the rules, one line each, "file:line: what and why":
///   - a file of room A includes a header of room B, and A has no door to B in cmake/RegroveModules.cmake
///     (files of jobs/ stand above all rooms: no room includes them, they may include every room);
///   - a folder of include/regrove or src that is no room, a door that leads to no room, doors that form a ring;
///   - headers that include each other in a ring, also within a room;
///   - an outside library in a room that does not own it (MPI, HDF5, Boost.Serialization, TBB, CLI11, toml++).
/// Empty when the tree is in order. Throws std::runtime_error when there is nothing to read.
std::vector<std::string> find_violations(const std::filesystem::path& root);

}  // namespace regrove::layering
