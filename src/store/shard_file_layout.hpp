// Names and sizes within a checkpoint's HDF5 file (docs/checkpoints.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace regrove::store::shard_file {

constexpr const char* k_format = "format";
constexpr const char* k_format_name = "regrove-checkpoint-shards";
constexpr const char* k_version = "version";
constexpr std::int64_t k_format_version = 1;
constexpr const char* k_datasets_group = "/datasets";
constexpr const char* k_texts_group = "/texts";

/// Bytes of a chunk, the unit of checksums and of reading.
constexpr std::size_t k_chunk_bytes = std::size_t{1} << 20U;
/// Bytes that go to HDF5 or come from it at once.
constexpr std::size_t k_block_bytes = std::size_t{8} << 20U;

/// Consecutive records of one shard: a row of the index, stored as three 64-bit numbers.
struct Extent {
    std::uint64_t shard = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};
constexpr std::size_t k_extent_words = 3;
static_assert(sizeof(Extent) == k_extent_words * sizeof(std::uint64_t));

/// u8 [records, record_bytes].
inline std::string records_path(std::string_view dataset) { return "/datasets/" + std::string(dataset) + "/records"; }
/// u64 [extents, 3].
inline std::string index_path(std::string_view dataset) { return "/datasets/" + std::string(dataset) + "/index"; }
/// u8 [bytes, 1].
inline std::string text_path(std::string_view text) { return "/texts/" + std::string(text); }

}  // namespace regrove::store::shard_file
