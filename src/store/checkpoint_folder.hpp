// What lies in a checkpoint folder: generations with and without a manifest, and what may be removed.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checkpoint_manifest.hpp"

namespace regrove::store {

/// A folder gen-NNNNNN.INCARNATION with a manifest.
struct FoundGeneration {
    std::string name;
    std::uint64_t number = 0;
    std::optional<Manifest> manifest;
    std::string damage;  ///< why there is no manifest to be had
};

struct FolderContents {
    /// The newest first: by epoch and number; those with a damaged manifest by number alone.
    std::vector<FoundGeneration> generations;
    std::vector<std::string> incomplete;  ///< generations that were never finished: no manifest
    std::uint64_t last_number = 0;        ///< of any of them
    std::uint64_t last_epoch = 0;
};

/// "gen-000012.1234-0-5e0c".
std::string generation_name(std::uint64_t number, const std::string& incarnation);

/// Empty when there is no such folder. Throws IoError.
FolderContents read_folder(const std::string& folder);

/// Removes all generations but `kept` (names), and temporaries of processes that were killed; files that a kept
/// generation refers to stay. A manifest goes before its files.
void remove_generations(const std::string& folder, const std::set<std::string>& kept);

}  // namespace regrove::store
