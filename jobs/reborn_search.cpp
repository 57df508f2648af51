#include "reborn_search.hpp"

#include <algorithm>
#include <chrono>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/memory.hpp"
#include "regrove/pipeline/memo_file.hpp"
#include "regrove/pipeline/output_file.hpp"

namespace regrove::jobs {

namespace {

/// Time kept back for proving and writing what a stopped search has found: a share of what is left, within bounds.
constexpr double k_reserve_share = 0.1;
constexpr double k_most_reserve_seconds = 30;
/// Share of what --memory-limit leaves beside the program (with MPI tens of megabytes) that the search may fill with its
/// sub-problems; the rest is for its tables, for what ranks exchange, and for making and writing the tree.
constexpr double k_memory_share = 0.75;
/// Share of that which a memo file may fill: the rest is for what is new.
constexpr double k_memo_share = 0.5;

/// What is proven of sub-problems holds for any options, so that only the ensemble counts.
store::CheckpointIdentity identity_of(const pipeline::JobContext& context, const std::string& model_hash) {
    store::CheckpointIdentity identity = context.checkpoint.identity;
    identity.options.clear();
    identity.inputs = {{"model", model_hash}};
    return identity;
}

}  // namespace

RebornSearch::RebornSearch(pipeline::JobContext& context, const std::string& model_hash, bool share_memo)
    : context_(context),
      host_(context.comm, share_memo, context.memory_limit_bytes),
      search_(context, identity_of(context, model_hash), host_) {}

/// At least one: zero would be no limit.
std::uint64_t RebornSearch::memo_bytes() const {
    if (context_.memory_limit_bytes == 0) return 0;
    const std::uint64_t exchange = 2 * static_cast<std::uint64_t>(context_.comm.size()) *
                                   dist::SharedMemo::k_most_news * sizeof(bornagain::MemoEntry);
    const std::uint64_t used = private_memory_bytes() + exchange;  // threads have their stacks already
    if (used >= context_.memory_limit_bytes) return 1;
    return 1 + static_cast<std::uint64_t>(static_cast<double>(context_.memory_limit_bytes - used) * k_memory_share);
}

void RebornSearch::take_up(const std::string& memo_file) {
    const auto phase = context_.summary.phase("read memo");
    comm::agree_on(context_.comm, [&] {
        if (context_.comm.is_root()) pipeline::require_writable(memo_file, true);
    });
    const auto room = static_cast<std::uint64_t>(static_cast<double>(memo_bytes()) * k_memo_share);
    const pipeline::MemoEntries found = pipeline::load_memo(context_.comm, memo_file, host_.memo(), room);
    context_.summary.details["memo_entries_read"] = found.taken_up;
    if (found.taken_up < found.in_file)
        context_.summary.warn(memo_file + ": of " + std::to_string(found.in_file) + " entries only " +
                              std::to_string(found.taken_up) + " were taken up, for want of memory (--memory-limit)");
}

void RebornSearch::keep(const std::string& memo_file) {
    const auto phase = context_.summary.phase("write memo");
    try {
        context_.summary.details["memo_entries_written"] =
            pipeline::save_memo(context_.comm, memo_file, host_.memo());
        // No output in the summary: stages of a run may share it, and one is not out of date when another adds to it.
    } catch (const Error& error) {  // the same on all ranks
        if (context_.comm.is_root())
            context_.summary.warn(std::string("the memo could not be kept: ") + error.what());
    }
}

SearchOutcome RebornSearch::run(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                                const bornagain::RebornOptions& options) {
    const auto phase = context_.summary.phase("search");
    const auto start = std::chrono::steady_clock::now();
    const double reserve =
        std::clamp(context_.checkpoint.seconds_left() * k_reserve_share, 0.0, k_most_reserve_seconds);
    SearchOutcome outcome;
    outcome.result = search_.run(ensemble, space, options, memo_bytes(), reserve);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
}

void RebornSearch::throw_stopped(const std::string& what_was_written) {
    search_.checkpoints().throw_stopped(what_was_written);
}

}  // namespace regrove::jobs
