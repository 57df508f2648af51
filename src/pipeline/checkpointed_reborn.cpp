#include "regrove/pipeline/checkpointed_reborn.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace regrove::pipeline {

namespace {

using bornagain::MemoEntry;

constexpr const char* k_dataset = "memo";
using Clock = std::chrono::steady_clock;

/// Of the time kept back, what is for writing when there is no tree to prove.
constexpr double k_write_share = 0.5;
/// What bounds may still take after a signal.
constexpr std::chrono::seconds k_most_overtime{1};

store::ShardId shard_of_entry(const MemoEntry& entry) { return store::shard_of(entry.key.high); }

/// The root's figures on every rank: bounds from samples depend on the time there was. Where one rank's memory ended
/// the search, it says so for all.
void share(comm::Communicator& comm, bornagain::RebornResult& result) {
    const bool one_is_full = comm.max(std::uint64_t{result.ended == bornagain::Ended::out_of_memory}) != 0;
    if (one_is_full && result.ended == bornagain::Ended::stopped) result.ended = bornagain::Ended::out_of_memory;
    std::vector<std::uint64_t> numbers{result.value, result.lower_bound, result.depth_bound, result.leaves_bound,
                                       static_cast<std::uint64_t>(result.ended)};
    comm.broadcast(numbers);
    result.value = numbers[0];
    result.lower_bound = numbers[1];
    result.depth_bound = numbers[2];
    result.leaves_bound = numbers[3];
    result.ended = static_cast<bornagain::Ended>(numbers[4]);
}

}  // namespace

CheckpointedReborn::CheckpointedReborn(JobContext& context, store::CheckpointIdentity identity, dist::HostMemo& host)
    : context_(context), checkpoints_(context, std::move(identity)), host_(host), memo_(host.memo()) {
    if (const auto* const found = checkpoints_.resumed())
        found->read<MemoEntry>(k_dataset, [&](store::ShardId, std::span<const MemoEntry> entries) {
            for (const MemoEntry& entry : entries)
                if (entry.bounds.lower <= entry.bounds.upper) memo_.tighten(entry.key, entry.bounds);
        });
}

bornagain::RebornResult CheckpointedReborn::run(const cellspace::CompiledEnsemble& ensemble,
                                                const cellspace::Space& space,
                                                const bornagain::RebornOptions& options, std::uint64_t memory_bytes,
                                                double reserve_seconds) {
    shared_ = std::make_unique<dist::SharedMemo>(context_.comm, host_, checkpoints_.given(), [this] {
        const SafePoint point = checkpoints_.safe_point();
        if (point.save) save(false);
        return point.stop;
    });
    bornagain::RebornLimits limits;
    limits.memory_bytes = memory_bytes;
    limits.memo = &memo_;
    limits.stop = [this, reserve_seconds] {
        return context_.stop_requested() || context_.checkpoint.seconds_left() <= reserve_seconds;
    };
    limits.overtime_ends = [this, reserve_seconds, asked = std::optional<Clock::time_point>()]() mutable {
        if (!asked) asked = Clock::now();
        const bool is_long = Clock::now() - *asked > k_most_overtime;
        return (is_long && context_.stop_requested()) ||
               context_.checkpoint.seconds_left() <= reserve_seconds * k_write_share;
    };
    limits.hooks = shared_->hooks();
    bornagain::RebornResult result = bornagain::reborn(ensemble, space, options, limits);
    share(context_.comm, result);
    if (context_.comm.size() > 1) context_.summary.details["epochs"] = shared_->epochs();
    save(true);
    return result;
}

/// Every rank writes what it has proven; in full, what it owns: its epochs have brought that together. Ranks that share a
/// memo divide it among them.
void CheckpointedReborn::save(bool is_last) {
    if (!checkpoints_.given()) return;
    const std::vector<MemoEntry> unsaved = shared_->take_unsaved();
    pending_.insert(pending_.end(), unsaved.begin(), unsaved.end());
    const bool is_all_saved = context_.comm.sum(std::uint64_t{pending_.size()}) == 0 && saved_;
    if (is_last && is_all_saved) return;
    const bool committed = checkpoints_.save(memo_.size(), [&](store::CheckpointWriter& writer) {
        if (writer.wants_all()) {
            const int ranks = context_.comm.size();
            std::vector<MemoEntry> owned;
            for (std::uint32_t shard = 0; shard < bornagain::Memo::k_shards; ++shard) {
                if (!memo_.is_own_part(shard)) continue;
                owned.clear();
                memo_.visit(shard, [&](const MemoEntry& entry) {
                    if (host_.is_here(store::rank_of_shard(shard_of_entry(entry), ranks))) owned.push_back(entry);
                });
                writer.append<MemoEntry>(k_dataset, std::span<const MemoEntry>(owned), shard_of_entry);
            }
        }
        writer.append<MemoEntry>(k_dataset, std::span<const MemoEntry>(pending_), shard_of_entry);
    });
    if (committed) pending_.clear();
    saved_ = saved_ || committed;
}

}  // namespace regrove::pipeline
