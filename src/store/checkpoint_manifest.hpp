// The manifest of a generation: what it belongs to, and the files that hold it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/core/hash.hpp"
#include "regrove/store/checkpoint_identity.hpp"
#include "regrove/store/checkpoint_shard.hpp"

namespace regrove::store {

struct DatasetFacts {
    std::string name;
    bool appended = false;
    std::uint64_t record_bytes = 0;
    std::uint64_t records = 0;
    ShardRange shards;  ///< all of the file's records of this dataset lie in these
};

struct FileFacts {
    std::string path;  ///< relative to the checkpoint folder: "gen-000012.x/rank-0003.h5"
    std::uint64_t bytes = 0;
    Hash128 hash;
    std::vector<DatasetFacts> datasets;
    std::vector<std::string> texts;
};

struct Manifest {
    CheckpointIdentity identity;
    int results_version = 0;
    std::uint64_t number = 0;
    std::uint64_t step = 0;
    int ranks = 0;
    std::uint64_t epoch = 0;  ///< rises with each incarnation
    std::string incarnation;
    std::string when;              ///< UTC, ISO 8601
    std::uint64_t chain = 0;       ///< generations since the one written in full
    std::vector<FileFacts> files;  ///< the oldest generation's first; each generation's in rank order
};

constexpr const char* k_manifest_name = "manifest.json";

/// JSON that ends in a hash of all before it, so that damage shows.
std::string to_text(const Manifest& manifest);
/// Throws FormatError that says what is wrong: damage, another format or version.
Manifest parse_manifest(const std::string& text);

/// One file as JSON on a line, for the way to the root, and back.
std::string to_line(const FileFacts& file);
FileFacts parse_file_line(const std::string& line);

/// Texts as JSON can hold them: bytes that are not UTF-8 are replaced.
CheckpointIdentity storable(const CheckpointIdentity& identity);

}  // namespace regrove::store
