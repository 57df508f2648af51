#include "reborn_search.hpp"

#include <algorithm>
#include <chrono>

#include "regrove/comm/agreement.hpp"

namespace regrove::jobs {

namespace {

/// Time kept back for verifying and writing what a stopped search has found: a share of the limit, within bounds.
constexpr double k_reserve_share = 0.1;
constexpr double k_least_reserve_seconds = 0.2;
constexpr double k_most_reserve_seconds = 30;
/// Share of --memory-limit that the search may fill with its sub-problems; the rest is for the program and its tables.
constexpr double k_memory_share = 0.75;

bornagain::RebornLimits limits_of(const pipeline::JobContext& context) {
    bornagain::RebornLimits limits;
    limits.memory_bytes =
        static_cast<std::uint64_t>(static_cast<double>(context.memory_limit_bytes) * k_memory_share);
    const double reserve = std::clamp(context.checkpoint.seconds_left() * k_reserve_share, k_least_reserve_seconds,
                                      k_most_reserve_seconds);
    context.checkpoint.opened();  // the job ends by itself: do not end it at once when the time is over
    limits.hooks.ends = [&context, reserve] {
        return context.stop_requested() || context.checkpoint.seconds_left() <= reserve;
    };
    return limits;
}

/// The root's result on every rank.
void share(comm::Communicator& comm, bornagain::RebornResult& result) {
    comm.broadcast(result.tree.nodes);
    std::vector<std::uint64_t> numbers{result.value, result.lower_bound, result.depth_bound, result.leaves_bound,
                                       static_cast<std::uint64_t>(result.ended)};
    comm.broadcast(numbers);
    result.value = numbers[0];
    result.lower_bound = numbers[1];
    result.depth_bound = numbers[2];
    result.leaves_bound = numbers[3];
    result.ended = static_cast<bornagain::Ended>(numbers[4]);
    std::vector<bornagain::RebornFigures> figures{result.figures};
    comm.broadcast(figures);
    result.figures = figures[0];
}

}  // namespace

SearchOutcome search_reborn(pipeline::JobContext& context, const cellspace::CompiledEnsemble& ensemble,
                            const cellspace::Space& space, const bornagain::RebornOptions& options) {
    const auto phase = context.summary.phase("search");
    const auto start = std::chrono::steady_clock::now();
    SearchOutcome outcome;
    outcome.result = comm::agree_on(context.comm, [&] {
        if (!context.comm.is_root()) return bornagain::RebornResult{};
        return bornagain::reborn(ensemble, space, options, limits_of(context));
    });
    share(context.comm, outcome.result);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
}

}  // namespace regrove::jobs
