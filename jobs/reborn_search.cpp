#include "reborn_search.hpp"

#include <algorithm>
#include <chrono>

#include "regrove/pipeline/memo_file.hpp"

namespace regrove::jobs {

namespace {

/// Time kept back for proving and writing what a stopped search has found: a share of what is left, within bounds.
constexpr double k_reserve_share = 0.1;
constexpr double k_most_reserve_seconds = 30;
/// Share of --memory-limit that the search may fill with its sub-problems; the rest is for the program and its tables.
constexpr double k_memory_share = 0.75;

/// What is proven of sub-problems holds for any options, so that only the ensemble counts.
store::CheckpointIdentity identity_of(const pipeline::JobContext& context, const std::string& model_hash) {
    store::CheckpointIdentity identity = context.checkpoint.identity;
    identity.options.clear();
    identity.inputs = {{"model", model_hash}};
    return identity;
}

}  // namespace

RebornSearch::RebornSearch(pipeline::JobContext& context, const std::string& model_hash)
    : context_(context), search_(context, identity_of(context, model_hash), memo_) {}

SearchOutcome RebornSearch::run(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                                const bornagain::RebornOptions& options, const std::string& memo_file) {
    take_up(memo_file);
    SearchOutcome outcome = search(ensemble, space, options);
    keep(memo_file);
    return outcome;
}

void RebornSearch::take_up(const std::string& memo_file) {
    if (memo_file.empty()) return;
    const auto phase = context_.summary.phase("read memo");
    context_.summary.details["memo_entries_read"] = pipeline::load_memo(context_.comm, memo_file, memo_);
}

void RebornSearch::keep(const std::string& memo_file) {
    if (memo_file.empty()) return;
    const auto phase = context_.summary.phase("write memo");
    context_.summary.details["memo_entries_written"] = pipeline::save_memo(context_.comm, memo_file, memo_);
    context_.summary.wrote(memo_file);
}

SearchOutcome RebornSearch::search(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                                   const bornagain::RebornOptions& options) {
    const auto phase = context_.summary.phase("search");
    const auto start = std::chrono::steady_clock::now();
    const auto memory = static_cast<std::uint64_t>(static_cast<double>(context_.memory_limit_bytes) * k_memory_share);
    const double reserve =
        std::clamp(context_.checkpoint.seconds_left() * k_reserve_share, 0.0, k_most_reserve_seconds);
    SearchOutcome outcome;
    outcome.result = search_.run(ensemble, space, options, memory, reserve);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
}

void RebornSearch::throw_stopped(const std::string& what_was_written) {
    search_.checkpoints().throw_stopped(what_was_written);
}

}  // namespace regrove::jobs
