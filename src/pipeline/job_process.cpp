#include "regrove/pipeline/job_process.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

#include <sys/resource.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/comm/arrival.hpp"
#include "regrove/comm/mpi_session.hpp"
#include "regrove/core/memory.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/temporary_file.hpp"
#include "regrove/core/version.hpp"
#include "regrove/pipeline/deadline.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/handshake.hpp"
#include "regrove/pipeline/invocation.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/signal_watch.hpp"
#include "regrove/pipeline/summary_json.hpp"

namespace regrove::pipeline {

namespace {

/// Less than the program and MPI take at the start, and this to work with, no --memory-limit can be: without it a job
/// could not even end in order.
constexpr std::uint64_t k_least_work_bytes = std::uint64_t{8} << 20U;

/// Makes the threads that loops will use, each with its stack, by holding each of them for a moment: under a memory limit
/// there might be no room for a stack later.
void start_threads(unsigned threads) {
    constexpr auto k_patience = std::chrono::milliseconds(200);  // fewer threads do all the same
    const auto end = std::chrono::steady_clock::now() + k_patience;
    std::atomic<unsigned> arrived{0};
    parallel_for(threads, [&](std::size_t) {
        ++arrived;
        while (arrived < threads && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
}

/// How long a failed rank waits for the others to fail too before it ends them.
constexpr double k_patience_seconds = 5.0;

class JobProcess {
  public:
    JobProcess(const JobRow& row, std::span<const JobRow> all_jobs) : row_(row), all_jobs_(all_jobs) {
        if (row.mpi == MpiUse::when_launched && comm::launched_on_ranks()) {
            session_ = std::make_unique<comm::MpiSession>();
            arrival_ = std::make_unique<comm::Arrival>();
        } else {
            self_ = comm::make_self_communicator();
        }
    }

    int run(std::span<const std::string> words) {
        const JobClock clock(comm());
        try {
            start(words);
            execute();
            finish(clock);
            return static_cast<int>(summary_.code());
        } catch (...) {
            return fail(clock, std::current_exception());
        }
    }

  private:
    comm::Communicator& comm() { return session_ ? session_->world() : *self_; }

    void start(std::span<const std::string> words) {
        agree_plainly(comm(), [&] {
            invocation_ = std::make_unique<Invocation>(row_);
            invocation_->read_command_line(words, all_jobs_);
        });
        const RunnerOptions& runner = invocation_->runner();
        log::configure(runner.log_level, comm().rank(), comm().size());
        set_progress_mode(runner.progress, comm().rank());
        require_same_start(comm(), start_facts());
        comm::agree_on(comm(), [&] {
            if (comm().is_root() && !runner.summary.empty())
                require_writable(runner.summary, runner.overwrite || goes_on_from(runner.summary));
        });
        summary_allowed_ = !runner.summary.empty();
        agree_plainly(comm(), [&] { set_limits(runner); });
    }

    /// Whether a summary is that of a run which this one goes on from: stopped with a checkpoint in the same folder.
    bool goes_on_from(const std::string& summary) const {
        const std::string folder = invocation_->checkpoint_request().folder;
        return !folder.empty() && stopped_with_checkpoint(summary, row_.name, folder);
    }

    StartFacts start_facts() const {
        StartFacts facts{{"job", row_.name}, {"build", build_text()}};
        for (const auto& [name, text] : invocation_->result_options()) facts.emplace_back(to_flag(name), text);
        for (const auto& fact : invocation_->checkpoint_facts()) facts.push_back(fact);
        for (const auto& setting : invocation_->stage_settings()) facts.emplace_back(setting.origin, setting.value);
        return facts;
    }

    void set_limits(const RunnerOptions& runner) {
        const unsigned available = default_thread_count(static_cast<unsigned>(comm().local_size()));
        threads_ = runner.threads == 0 ? available : runner.threads;
        set_thread_count(threads_);
        if (threads_ > available) {
            log::warning("--threads " + std::to_string(threads_) + " asks for more than the " +
                         std::to_string(available) +
                         " processor(s) that each rank may use; mpirun binds ranks unless --bind-to none is given");
        }
        deadline_ = Deadline(time_limit_seconds(runner), slurm_seconds_left());
        if (const auto seconds = time_limit_seconds(runner)) {
            signals_.set_time_limit(*seconds, row_.has_stages ? ExitCode::stopped_resumable : ExitCode::limit,
                                    comm().is_root());
        }
        if (const auto bytes = memory_limit_bytes(runner)) {
            start_threads(threads_);
            const std::uint64_t least = private_memory_bytes() + k_least_work_bytes;
            const rlimit limit{std::max(bytes, least), std::max(bytes, least)};
            if (setrlimit(RLIMIT_DATA, &limit) != 0)
                throw ConfigError("--memory-limit is above this shell's own limit");
        } else {
            keep_freed_memory();
        }
    }

    void execute() {
        const RunnerOptions& runner = invocation_->runner();
        JobContext context{comm(), summary_, runner.seed, threads_, runner.overwrite, memory_limit_bytes(runner)};
        context.stop_requested = [this] { return signals_.stop_requested(); };
        context.stage_settings = invocation_->stage_settings();
        context.checkpoint = invocation_->checkpoint_request();
        context.checkpoint.seconds_left = [this] { return deadline_.seconds_left(); };
        context.checkpoint.requests = [this] { return signals_.checkpoint_requests(); };
        context.checkpoint.opened = [this] { signals_.allow_grace(); };
        context.checkpoint.saved = [this] { signals_.set_limit_code(ExitCode::stopped_resumable); };
        invocation_->job().run(context);
    }

    void finish(const JobClock& clock) {
        if (summary_allowed_) write_summary(clock, std::nullopt);
        const auto peak = comm().max(peak_memory_bytes());
        if (!comm().is_root() || log::level() <= log::Level::error) return;
        auto lines = summary_.shown();
        lines.emplace_back("time", format_seconds(clock.seconds()));
        lines.emplace_back("peak memory", format_bytes(peak) + (comm().size() > 1 ? " (largest rank)" : ""));
        std::FILE* const stream = invocation_->writes_to_standard_output() ? stderr : stdout;
        std::fputs(format_table(lines).c_str(), stream);
        std::fflush(stream);
    }

    void write_summary(const JobClock& clock, const std::optional<Failure>& failure) {
        const JobAccount account{
            row_.name, invocation_->table(), clock, threads_, failure, failure ? failure->code : summary_.code()};
        const auto json = build_summary(comm(), account, summary_);
        comm::agree_on(comm(), [&] {
            if (comm().is_root()) write_json(json, invocation_->runner().summary);
        });
    }

    int fail(const JobClock& clock, const std::exception_ptr& error) {
        if (arrival_ && !arrival_->all_arrive(k_patience_seconds)) end_all(clock, describe(error));
        const auto failures = gather_failures(comm(), error);
        for (const auto& failure : failures) {
            if (comm().is_root()) print_failure(failure, row_.name);
        }
        try {
            if (summary_allowed_) write_summary(clock, failures.front());
        } catch (const std::exception& second) {
            if (comm().is_root()) log::error(std::string("the summary could not be written: ") + second.what());
        }
        return static_cast<int>(failures.front().code);
    }

    /// This rank failed alone, in the middle of the others' work: say so and end them all.
    [[noreturn]] void end_all(const JobClock& clock, Failure failure) {
        failure.message = "rank " + std::to_string(comm().rank()) + ": " + failure.message;
        print_failure(failure, row_.name);
        if (summary_allowed_) write_own_summary(clock, failure);
        remove_all_temporary_files();
        comm::MpiSession::abort(static_cast<int>(failure.code));
    }

    /// What this rank knows by itself, when the others cannot be asked any more.
    void write_own_summary(const JobClock& clock, const Failure& failure) {
        try {
            const auto self = comm::make_self_communicator();
            const JobAccount account{row_.name, invocation_->table(), clock, threads_, failure, failure.code};
            auto json = build_summary(*self, account, summary_);
            json["ranks"] = comm().size();
            json["failed_rank"] = comm().rank();
            write_json(json, invocation_->runner().summary);
        } catch (const std::exception& second) {
            log::error(std::string("the summary could not be written: ") + second.what());
        }
    }

    const JobRow& row_;
    std::span<const JobRow> all_jobs_;
    SignalWatch signals_;
    std::unique_ptr<comm::MpiSession> session_;
    std::unique_ptr<comm::Arrival> arrival_;
    std::unique_ptr<comm::Communicator> self_;
    std::unique_ptr<Invocation> invocation_;
    Deadline deadline_;
    Summary summary_;
    unsigned threads_ = 1;
    bool summary_allowed_ = false;
};

}  // namespace

int run_job_process(const JobRow& row, std::span<const std::string> words, std::span<const JobRow> all_jobs) {
    JobProcess process(row, all_jobs);
    return process.run(words);
}

}  // namespace regrove::pipeline
