// Dealt round, since neighbouring trials take about equally long.
#include "regrove/dist/trials.hpp"

#include <algorithm>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/core/random.hpp"

namespace regrove::dist {

namespace {

// Streams are told apart by their upper bits (train/folds.cpp has 3 and 4).
constexpr std::uint64_t k_trial_stream = std::uint64_t{5} << 56U;

void run_named(const TrialRun& run, comm::Communicator& trial_comm, std::uint64_t trial) {
    try {
        run.work(trial_comm, trial);
    } catch (const Error& error) {
        throw Error(error.code(), run.name(trial) + ": " + error.what());
    }
}

}  // namespace

std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t trial) {
    return CounterRandom(seed, k_trial_stream).bits(trial);
}

void run_trials(comm::Communicator& comm, const TrialRun& run) {
    Progress progress(run.what, run.count, "trials");
    if (run.spread == TrialSpread::rows) {
        for (std::uint64_t trial = 0; trial < run.count; ++trial) {
            run_named(run, comm, trial);
            progress.advance(1);
        }
        return;
    }
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    comm::agree_on(comm, [&] {
        const auto alone = comm::make_self_communicator();
        for (auto trial = static_cast<std::uint64_t>(comm.rank()); trial < run.count; trial += ranks) {
            run_named(run, *alone, trial);
            progress.advance(std::min(ranks, run.count - trial));  // the other ranks are about as far
        }
    });
}

void share_numbers(comm::Communicator& comm, TrialSpread spread, std::size_t width, std::vector<double>& numbers) {
    if (spread == TrialSpread::rows || comm.size() == 1 || width == 0) return;
    const std::size_t count = numbers.size() / width;
    const auto ranks = static_cast<std::size_t>(comm.size());
    std::vector<double> own;
    for (auto trial = static_cast<std::size_t>(comm.rank()); trial < count; trial += ranks)
        own.insert(own.end(), numbers.begin() + static_cast<std::ptrdiff_t>(trial * width),
                   numbers.begin() + static_cast<std::ptrdiff_t>((trial + 1) * width));
    const auto all = comm.gather_all(std::span<const double>(own));
    auto next = all.begin();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t trial = rank; trial < count; trial += ranks, next += static_cast<std::ptrdiff_t>(width))
            std::copy_n(next, width, numbers.begin() + static_cast<std::ptrdiff_t>(trial * width));
    }
}

}  // namespace regrove::dist
