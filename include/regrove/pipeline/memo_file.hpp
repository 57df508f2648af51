// What searches for born-again trees have proven, kept in one file for other searches.
//
// The bounds hold for sub-problems by their content, whatever ensemble or objective they came from, so any search may
// take up any memo. Format: a line with versions; chunks of a count, that many entries and the XXH3-128 of both; at the
// end a chunk without entries, with the number of all entries behind its count. Numbers are little-endian.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/bornagain/memo.hpp"
#include "regrove/comm/communicator.hpp"

namespace regrove::pipeline {

/// Adds to each rank's memo the entries that it owns. A file that is not there is an empty memo. Returns the entries of
/// the file. Collective: every rank reads. Throws FormatError when the file is damaged or of another version; agreed.
std::uint64_t load_memo(comm::Communicator& comm, const std::string& path, bornagain::Memo& memo);

/// Replaces the file by the entries of all ranks, each from its owner. Appears under its name only when complete. Returns
/// their number. Collective; throws IoError, agreed.
std::uint64_t save_memo(comm::Communicator& comm, const std::string& path, const bornagain::Memo& memo);

}  // namespace regrove::pipeline
