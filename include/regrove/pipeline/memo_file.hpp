// What searches for born-again trees have proven, kept in one file for other searches (store/memo_file.hpp).
//
// The bounds hold for sub-problems by their content, whatever ensemble or objective they came from, so any search may
// take up any memo.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/bornagain/memo.hpp"
#include "regrove/comm/communicator.hpp"

namespace regrove::pipeline {

struct MemoEntries {
    std::uint64_t in_file = 0;
    std::uint64_t taken_up = 0;  ///< by all ranks: fewer when there was no room
};

/// Adds to each rank's memo the entries of the file that it owns, as long as the memo needs at most `memory_bytes`
/// (zero: no limit). A file that is not there is an empty memo. Collective: every rank reads. Throws FormatError when
/// the file is damaged or of another version; agreed.
MemoEntries load_memo(comm::Communicator& comm, const std::string& path, bornagain::Memo& memo,
                      std::uint64_t memory_bytes = 0);

/// Replaces the file by the union of what it holds now and of what all ranks know; its bytes depend on nothing else.
/// It appears under its name only when complete. Returns its entries. The root holds 1/256 of all ranks' memos at once.
/// Collective; throws IoError, FormatError, agreed.
std::uint64_t save_memo(comm::Communicator& comm, const std::string& path, const bornagain::Memo& memo);

}  // namespace regrove::pipeline
