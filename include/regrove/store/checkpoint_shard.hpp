// Where the records of a checkpoint belong: a key's hash names a logical shard, a shard names its rank.
//
// The number of shards is fixed, so a checkpoint does not depend on how many ranks wrote it.
#pragma once

#include <cstdint>

#include "regrove/core/hash.hpp"

namespace regrove::store {

using ShardId = std::uint32_t;

constexpr ShardId k_shards = 4096;  ///< a power of two, and the most ranks that can each own one

/// The shard of a key, by the highest bits of its hash: those must be evenly spread.
constexpr ShardId shard_of(std::uint64_t key_hash) { return static_cast<ShardId>(key_hash >> 52U); }
constexpr ShardId shard_of(const Hash128& key_hash) { return shard_of(key_hash.high); }

/// Consecutive shards [begin, end).
struct ShardRange {
    ShardId begin = 0;
    ShardId end = 0;
    constexpr bool contains(ShardId shard) const { return shard >= begin && shard < end; }
    friend constexpr bool operator==(const ShardRange&, const ShardRange&) = default;
};

/// The shards that `rank` of `ranks` (at most k_shards) owns: as many as any other rank's, or one more.
constexpr ShardRange shards_of_rank(int rank, int ranks) {
    const auto first = [&](int r) {
        return static_cast<ShardId>(
            (std::uint64_t{k_shards} * static_cast<unsigned>(r) + static_cast<unsigned>(ranks) - 1) /
            static_cast<unsigned>(ranks));
    };
    return {first(rank), first(rank + 1)};
}

/// The rank of `ranks` that owns `shard`; the inverse of shards_of_rank.
constexpr int rank_of_shard(ShardId shard, int ranks) {
    return static_cast<int>(std::uint64_t{shard} * static_cast<unsigned>(ranks) / k_shards);
}

}  // namespace regrove::store
