// Records, identities and places that the tests of checkpoints share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "regrove/core/random.hpp"
#include "regrove/store/checkpoint.hpp"

namespace regrove::test {

/// As large as an entry of a born-again search's memo.
struct MemoEntry {
    std::uint64_t key_high = 0;
    std::uint64_t key_low = 0;
    std::uint64_t lower = 0;
    std::uint64_t upper = 0;
    friend auto operator<=>(const MemoEntry&, const MemoEntry&) = default;
};

inline store::ShardId shard_of_entry(const MemoEntry& entry) { return store::shard_of(entry.key_high); }

/// Entry `index` in its state after `updates` changes: a pure function.
inline MemoEntry memo_entry(std::uint64_t index, std::uint64_t updates = 0) {
    const CounterRandom random(7, 0x7465737400000000U);
    return {random.bits(2 * index), random.bits(2 * index + 1), index, updates};
}

/// Entries [begin, end) of which this rank owns the shard.
inline std::vector<MemoEntry> owned_entries(const comm::Communicator& comm, std::uint64_t begin, std::uint64_t end,
                                            std::uint64_t updates = 0) {
    const auto own = store::shards_of_rank(comm.rank(), comm.size());
    std::vector<MemoEntry> entries;
    for (std::uint64_t i = begin; i < end; ++i) {
        const auto entry = memo_entry(i, updates);
        if (own.contains(shard_of_entry(entry))) entries.push_back(entry);
    }
    return entries;
}

inline store::CheckpointIdentity some_identity() {
    return {"count", 1, {{"max_depth", "3"}, {"objective", "leaves"}}, {{"model", "0123456789abcdef"}}};
}

inline store::CheckpointPlace place_in(const std::string& folder) {
    store::CheckpointPlace place;
    place.folder = folder;
    return place;
}

/// The last state of each key that this rank owns, by index.
inline std::map<std::uint64_t, MemoEntry> read_memo(const store::CheckpointGeneration& generation) {
    std::map<std::uint64_t, MemoEntry> memo;
    generation.read<MemoEntry>("memo", [&](store::ShardId, std::span<const MemoEntry> entries) {
        for (const MemoEntry& entry : entries) memo[entry.lower] = entry;
    });
    return memo;
}

}  // namespace regrove::test
