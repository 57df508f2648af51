// Asks clock and signals, and writes when the ranks agree.
#include "regrove/pipeline/job_checkpoints.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/log.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::pipeline {

namespace {

/// The next checkpoint may be larger than the last.
constexpr double k_growth = 1.5;

store::CheckpointPlace place_of(const JobContext& context) {
    store::CheckpointPlace place;
    place.folder = context.checkpoint.folder;
    place.resume = context.checkpoint.resume;
    place.overwrite = context.overwrite;
    place.drop_other = context.checkpoint.drop_other;
    place.on_step = context.checkpoint.on_step;
    return place;
}

}  // namespace

struct JobCheckpoints::State {
    using Clock = std::chrono::steady_clock;

    JobContext& context;
    std::optional<store::CheckpointStore> store;
    Clock::time_point last_save = Clock::now();
    double save_seconds = 0;
    std::uint64_t handled_requests = 0;
    bool stopping = false;
    bool asked_to_stop = false;
    std::uint64_t saved_generation = 0;  ///< the last; zero: none in this run
    std::uint64_t written = 0;
    std::uint64_t failed = 0;
    std::uint64_t bytes = 0;
    double seconds = 0;

    /// Never sooner than the last one took, so that at most half of the time goes into checkpoints.
    bool is_due() const {
        const double every = context.checkpoint.every_seconds;
        return every > 0 &&
               std::chrono::duration<double>(Clock::now() - last_save).count() >= std::max(every, save_seconds);
    }

    /// Agreed by the largest of each: what one rank wants, all do.
    SafePoint agree() {
        std::array<std::uint64_t, 4> wishes{
            std::uint64_t{context.stop_requested()},
            std::uint64_t{context.checkpoint.seconds_left() < k_growth * save_seconds}, std::uint64_t{is_due()},
            context.checkpoint.requests()};
        context.comm.max(std::span<std::uint64_t>(wishes));
        asked_to_stop = wishes[0] != 0;
        stopping = asked_to_stop || wishes[1] != 0;
        const bool asked = wishes[3] > handled_requests;
        handled_requests = wishes[3];
        return {store.has_value() && (stopping || wishes[2] != 0 || asked), stopping};
    }

    bool take(const store::CommitOutcome& outcome) {
        last_save = Clock::now();
        save_seconds = outcome.seconds;
        seconds += outcome.seconds;
        bytes += outcome.bytes;
        outcome.committed ? ++written : ++failed;
        if (outcome.committed) {
            saved_generation = outcome.generation;
            context.checkpoint.saved();
            log::debug("checkpoint " + std::to_string(outcome.generation) + ": " + format_bytes(outcome.bytes) +
                       " in " + format_seconds(outcome.seconds));
        } else if (context.comm.is_root()) {
            context.summary.warn("a checkpoint could not be written: " + outcome.problem);
        }
        account();
        return outcome.committed;
    }

    void account() {
        auto& details = context.summary.details["checkpoints"];
        details["written"] = written;
        details["failed"] = failed;
        details["bytes"] = bytes;
        details["seconds"] = seconds;
        if (const auto* found = store->resumed()) details["resumed_from"] = found->number();
    }
};

JobCheckpoints::JobCheckpoints(JobContext& context, store::CheckpointIdentity identity)
    : state_(new State{context, {}}) {
    state_->handled_requests = context.comm.max(context.checkpoint.requests());
    if (!context.checkpoint.folder.empty()) {
        state_->store.emplace(context.comm, place_of(context), std::move(identity));
        state_->account();
    }
    context.checkpoint.opened();
}

JobCheckpoints::~JobCheckpoints() = default;

bool JobCheckpoints::given() const { return state_->store.has_value(); }

const store::CheckpointGeneration* JobCheckpoints::resumed() const {
    return state_->store ? state_->store->resumed() : nullptr;
}

SafePoint JobCheckpoints::safe_point() { return state_->agree(); }

bool JobCheckpoints::save(std::uint64_t step, const std::function<void(store::CheckpointWriter&)>& fill) {
    if (!state_->store) return false;
    const auto phase = state_->context.summary.phase("checkpoint");
    auto writer = state_->store->begin(step);
    comm::agree_on(state_->context.comm, [&] { fill(writer); });
    return state_->take(writer.commit(state_->stopping ? store::IfFailed::fail : store::IfFailed::warn));
}

void JobCheckpoints::throw_stopped(const std::string& what_was_written) const {
    std::string message = state_->asked_to_stop ? "stopped, as asked" : "stopped, as the time is over";
    if (!what_was_written.empty()) message += "; " + what_was_written;
    if (state_->saved_generation == 0) {
        throw Error(ExitCode::limit, message + (given() ? "; no checkpoint was written"
                                                        : "; without --checkpoint the same command begins again"));
    }
    throw Error(ExitCode::stopped_resumable, message + "; checkpoint " + std::to_string(state_->saved_generation) +
                                                 " in '" + state_->context.checkpoint.folder + "' holds the rest");
}

}  // namespace regrove::pipeline
