// A job that counts: deterministic, long enough to be killed, and with all that a checkpoint can hold.
//
// Entry i is made in step i / block and changed once in a later step. The result is the table of all entries, which
// depends on nothing but --until. REGROVE_TEST_KILL=STEP:COUNT:RANK ends a rank by SIGKILL when it comes to a step of
// the checkpoint protocol for the COUNT-th time; "after:MILLISECONDS:RANK" does so some time after the start.
#include <csignal>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/pipeline/command.hpp"
#include "regrove/pipeline/job_checkpoints.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/run_pipeline.hpp"
#include "regrove/store/checkpoint_archive.hpp"

#include "support/checkpoint_cases.hpp"

namespace regrove::test {
namespace {

struct KillOrder {
    std::string step;
    int count = 0;
    int rank = 0;
};

KillOrder kill_order() {
    KillOrder order;
    const char* const text = std::getenv("REGROVE_TEST_KILL");
    if (text == nullptr) return order;
    std::istringstream words(text);
    char colon = 0;
    std::getline(words, order.step, ':');
    words >> order.count >> colon >> order.rank;
    return order;
}

void kill_later(const KillOrder& order, int rank) {
    if (order.step != "after" || rank != order.rank) return;
    std::thread([milliseconds = order.count] {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        raise(SIGKILL);
    }).detach();
}

struct SmallState {
    std::uint64_t steps = 0;
    std::vector<std::uint64_t> history;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& steps& history;
    }
};

class CountJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("until", until_, 1, 1000000, "entries");
        table.add("block", block_, 1, 1000000, "entries of a step");
        table.add("input", input_, "something to have a hash of").no_result();
        table.add("pause", pause_ms_, 0, 100000, "milliseconds that a step takes").no_result();
        table.add("output", output_, "the table of entries").no_result();
    }

    void run(pipeline::JobContext& context) override {
        auto order = kill_order();
        kill_later(order, context.comm.rank());
        context.checkpoint.on_step = [&context, order, seen = 0](std::string_view step) mutable {
            if (step == order.step && context.comm.rank() == order.rank && ++seen == order.count) raise(SIGKILL);
        };
        auto identity = context.checkpoint.identity;
        identity.inputs.emplace_back("input", input_);
        pipeline::JobCheckpoints checkpoints(context, identity);
        if (const auto* found = checkpoints.resumed()) restore(context.comm, *found);
        context.summary.result["began_at"] = state_.steps;
        const std::uint64_t steps = (until_ + block_ - 1) / block_ + 1;
        while (state_.steps < steps) {
            work(context.comm);
            const auto point = checkpoints.safe_point();
            const bool ended = state_.steps == steps;
            if (point.save || ended) save(context.comm, checkpoints);
            if (point.stop && !ended) checkpoints.throw_stopped("");
        }
        write(context);
    }

  private:
    /// Makes this rank's entries of a block and changes those of the block before.
    void work(const comm::Communicator& comm) {
        const std::uint64_t begin = state_.steps * block_;
        const auto add = [&](std::uint64_t first, std::uint64_t updates) {
            for (const auto& entry : owned_entries(comm, first, std::min(first + block_, until_), updates)) {
                memo_[entry.lower] = entry;
                changed_.insert(entry.lower);
            }
        };
        if (begin >= block_) add(begin - block_, 1);
        add(begin, 0);
        ++state_.steps;
        if (comm.is_root()) state_.history.push_back(begin);
        std::this_thread::sleep_for(std::chrono::milliseconds(pause_ms_));
    }

    void save(const comm::Communicator& comm, pipeline::JobCheckpoints& checkpoints) {
        const auto committed = checkpoints.save(state_.steps, [&](store::CheckpointWriter& writer) {
            std::vector<MemoEntry> entries;
            for (const auto& [index, entry] : memo_) {
                if (writer.wants_all() || changed_.contains(index)) entries.push_back(entry);
            }
            writer.append<MemoEntry>("memo", entries, shard_of_entry);
            const std::uint64_t begin = state_.steps * block_;
            writer.put<MemoEntry>("ahead", owned_entries(comm, begin, begin + 5), shard_of_entry);
            writer.put_text("state", store::to_archive(state_));
        });
        if (committed) changed_.clear();
    }

    void restore(comm::Communicator& comm, const store::CheckpointGeneration& found) {
        state_ = store::from_archive<SmallState>(found.text("state").value());
        if (state_.steps != found.step()) throw InternalError("the state is of another step");
        if (state_.history.size() != state_.steps) throw InternalError("the history has gaps");
        for (const auto& [index, entry] : read_memo(found)) memo_[index] = entry;
        const std::uint64_t begin = state_.steps * block_;
        std::vector<MemoEntry> ahead;
        found.read<MemoEntry>("ahead", [&](store::ShardId, std::span<const MemoEntry> entries) {
            ahead.insert(ahead.end(), entries.begin(), entries.end());
        });
        auto expected = owned_entries(comm, begin, begin + 5);
        std::ranges::sort(ahead);
        std::ranges::sort(expected);
        comm::agree_on(comm, [&] {
            if (ahead != expected) throw InternalError("entries ahead are of another step");
        });
    }

    void write(pipeline::JobContext& context) const {
        std::vector<MemoEntry> own;
        for (const auto& [index, entry] : memo_) own.push_back(entry);
        auto all = context.comm.gather_all(std::span<const MemoEntry>(own));
        std::ranges::sort(all, {}, &MemoEntry::lower);
        comm::agree_on(context.comm, [&] {
            if (!context.comm.is_root()) return;
            pipeline::OutputFile file(output_, true);
            for (const auto& entry : all) {
                file.write(std::to_string(entry.lower) + ' ' + std::to_string(entry.upper) + ' ' +
                           std::to_string(entry.key_low) + '\n');
            }
            file.commit();
        });
        context.summary.result["entries"] = all.size();
    }

    std::uint64_t until_ = 1000;
    std::uint64_t block_ = 10;
    std::uint64_t pause_ms_ = 0;
    std::string input_;
    std::string output_ = "out.table";
    SmallState state_;
    std::map<std::uint64_t, MemoEntry> memo_;
    std::set<std::uint64_t> changed_;
};

const std::vector<pipeline::JobRow>& all_jobs();

/// The job `run` as the program has it.
class RunJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override { pipeline::list_options(options_, table); }
    void run(pipeline::JobContext& context) override { pipeline::run_pipeline(context, options_, all_jobs()); }

  private:
    pipeline::RunOptions options_;
};

const std::vector<pipeline::JobRow>& all_jobs() {
    static const std::vector<pipeline::JobRow> rows = [] {
        pipeline::JobRow count;
        count.name = "count";
        count.purpose = "count";
        count.group = "tests";
        count.example = "count --until 100";
        count.has_checkpoints = true;
        count.make = [] { return std::make_unique<CountJob>(); };
        pipeline::JobRow run = count;
        run.name = "run";
        run.has_checkpoints = false;
        run.has_stages = true;
        run.positionals = {"pipeline"};
        run.make = [] { return std::make_unique<RunJob>(); };
        return std::vector{count, run};
    }();
    return rows;
}

}  // namespace
}  // namespace regrove::test

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    return regrove::pipeline::run_command(words, regrove::test::all_jobs());
}
