#include "regrove/pipeline/run_pipeline.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "regrove/core/error.hpp"
#include "regrove/core/log.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/version.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/handshake.hpp"
#include "regrove/pipeline/pipeline_file.hpp"
#include "regrove/pipeline/ready_stage.hpp"
#include "regrove/pipeline/run_lock.hpp"
#include "regrove/pipeline/run_paths.hpp"
#include "regrove/pipeline/stage_record.hpp"

namespace regrove::pipeline {

namespace {

namespace fs = std::filesystem;

/// How many stages show their figures at the end: the last one of each job, counted from the end.
constexpr std::size_t k_shown_stages = 5;

/// Temporaries of a process that was killed; nobody else is at work here, since the lock is ours.
void remove_leftovers(const std::string& folder) {
    std::vector<fs::path> leftovers;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file() && entry.path().filename().string().find(".partial-") != std::string::npos) {
            leftovers.push_back(entry.path());
        }
    }
    for (const auto& path : leftovers) fs::remove(path);
}

class PipelineRun {
  public:
    PipelineRun(JobContext& context, const RunOptions& options, std::span<const JobRow> jobs)
        : context_(context), comm_(context.comm), options_(options), jobs_(jobs), paths_(make_paths(options)) {}

    void run() {
        agree_on_rank_zero([&] { open_folder(); });
        agree_plainly(comm_, [&] { prepare(); });
        require_same_start(comm_, facts());
        bool rerun = false;
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            if (!stages_[i].wanted) continue;
            stop_if_asked(i);
            rerun = run_or_skip(i, rerun);
        }
        show_last();
    }

  private:
    static RunPaths make_paths(const RunOptions& options) {
        if (options.pipeline.empty()) throw UsageError("which pipeline? Give its file: regrove run PIPELINE.toml");
        const fs::path file(options.pipeline);
        const std::string folder = options.dir.empty() ? file.stem().string() + ".run" : options.dir;
        const std::string config = file.parent_path().empty() ? "." : file.parent_path().string();
        const char* const data = std::getenv("REGROVE_DATA");
        return {folder, config, data == nullptr ? "" : data};
    }

    template <class Work>
    void agree_on_rank_zero(Work work) {
        agree_plainly(comm_, [&] {
            if (comm_.is_root()) work();
        });
    }

    void open_folder() {
        if (!fs::exists(options_.pipeline)) throw io_error("read", options_.pipeline, ENOENT);
        std::error_code error;
        fs::create_directories(paths_.run_folder() + "/stages", error);
        if (error) throw io_error("create", paths_.run_folder() + "/stages", error.value());
        lock_.emplace(paths_.run_folder());
        remove_leftovers(paths_.run_folder());
    }

    /// Reads and checks all stages before the first one runs.
    void prepare() {
        context_.summary.read(options_.pipeline);
        for (auto& stage : read_pipeline(options_.pipeline, jobs_, options_.smoke, context_.stage_settings)) {
            const bool wanted = options_.stage.empty() || std::find(options_.stage.begin(), options_.stage.end(),
                                                                    stage.name) != options_.stage.end();
            stages_.push_back(make_ready(std::move(stage), stages_.size() + 1, wanted, paths_));
        }
        for (const auto& name : options_.stage) require_stage(name);
    }

    void require_stage(const std::string& name) const {
        std::string names;
        for (const auto& ready : stages_) {
            if (ready.stage.name == name) return;
            names += " " + ready.stage.name;
        }
        throw UsageError("--stage: there is no stage '" + name + "'; the stages are" + names);
    }

    StartFacts facts() const {
        StartFacts all;
        for (const auto& ready : stages_) {
            for (const auto& [name, text] : ready.invocation->result_options())
                all.emplace_back(ready.stage.name + "." + name, text);
        }
        return all;
    }

    void stop_if_asked(std::size_t next) {
        if (comm_.max(std::uint64_t{context_.stop_requested()}) == 0) return;
        throw Error(ExitCode::stopped_resumable, "stopped as asked before stage '" + stages_[next].stage.name + "'");
    }

    /// Returns whether the stages after this one must run again.
    bool run_or_skip(std::size_t i, bool rerun) {
        ReadyStage& ready = stages_[i];
        std::string why;
        agree_on_rank_zero([&] { why = why_needed(ready, rerun); });
        comm_.broadcast(why);
        if (why.empty()) {
            say(i, "up to date");
            note(ready, "up_to_date");
            return false;
        }
        if (why != k_first_time) log::info("stage '" + ready.stage.name + "' runs: " + why);
        const JobClock clock(comm_);
        try {
            run_stage(ready);
        } catch (const Error& error) {
            throw Error(error.code(), "stage '" + ready.stage.name + "': " + error.what());
        }
        say(i, "done in " + format_seconds(clock.seconds()));
        note(ready, "ran");
        return true;
    }

    std::string why_needed(const ReadyStage& ready, bool rerun) const {
        const auto record = read_record(ready.record_path);
        if (!record) return k_first_time;
        return rerun ? "an earlier stage ran again" : why_outdated(*record, ready.options_hash, paths_);
    }

    void run_stage(ReadyStage& ready) {
        agree_on_rank_zero([&] {
            fs::remove(ready.record_path);
            make_folders(ready);
        });
        if (ready.stage.row->mpi == MpiUse::never && comm_.size() > 1) {
            agree_on_rank_zero([&] {
                const auto self = comm::make_self_communicator();
                write_record(execute(ready, *self), ready.record_path);
            });
        } else {
            const StageRecord record = execute(ready, comm_);
            agree_on_rank_zero([&] { write_record(record, ready.record_path); });
        }
    }

    /// Folders below the run directory that the stage's options name.
    void make_folders(const ReadyStage& ready) const {
        for (const auto& setting : expanded_settings(ready.stage, paths_)) {
            for (const auto& path : split_list(setting.value)) {
                if (paths_.is_in_run_folder(path)) fs::create_directories(fs::path(path).parent_path());
            }
        }
    }

    StageRecord execute(ReadyStage& ready, comm::Communicator& comm) {
        const JobClock clock(comm);
        Summary summary;
        JobContext context{comm,
                           summary,
                           ready.invocation->runner().seed,
                           context_.threads,
                           ready.overwrite,
                           context_.memory_limit_bytes};
        context.stop_requested = context_.stop_requested;
        context.checkpoint = ready.invocation->checkpoint_request();
        adopt_runner(context.checkpoint, context_.checkpoint);
        context.checkpoint.drop_other = paths_.is_in_run_folder(context.checkpoint.folder);
        ready.invocation->job().run(context);
        if (summary.code() != ExitCode::ok) throw Error(summary.code(), summary.why());
        const JobAccount account{ready.stage.row->name, ready.invocation->table(), clock, context_.threads};
        StageRecord record{ready.stage.name,
                           ready.options_hash,
                           k_results_version,
                           {},
                           {},
                           summary.shown(),
                           build_summary(comm, account, summary)};
        record.inputs = symbolic_files(record.summary.at("read"));
        record.outputs = symbolic_files(record.summary.at("written"));
        return record;
    }

    std::vector<FileRecord> symbolic_files(const nlohmann::ordered_json& files) const {
        std::vector<FileRecord> records;
        for (const auto& file : files) {
            records.push_back({paths_.symbolic(file.at("path")), file.at("bytes"), file.at("xxh3_128")});
        }
        return records;
    }

    void say(std::size_t i, const std::string& outcome) const {
        if (!comm_.is_root() || log::level() <= log::Level::error) return;
        std::printf("[%zu/%zu] %s: %s\n", i + 1, stages_.size(), stages_[i].stage.name.c_str(), outcome.c_str());
        std::fflush(stdout);
    }

    void note(const ReadyStage& ready, const char* list) {
        if (!comm_.is_root()) return;
        context_.summary.result[list].push_back(ready.stage.name);
        if (const auto record = read_record(ready.record_path)) {
            context_.summary.result["stages"][ready.stage.name] = record->summary.at("result");
            std::erase_if(last_shown_, [&](const ShownStage& shown) { return shown.job == ready.stage.row->name; });
            last_shown_.push_back({ready.stage.name, ready.stage.row->name, record->shown});
        }
    }

    void show_last() {
        const std::size_t begin = last_shown_.size() > k_shown_stages ? last_shown_.size() - k_shown_stages : 0;
        for (std::size_t i = begin; i < last_shown_.size(); ++i) {
            for (const auto& [name, value] : last_shown_[i].lines)
                context_.summary.show(last_shown_[i].stage + ": " + name, value);
        }
        context_.summary.show("run directory", paths_.run_folder());
    }

    struct ShownStage {
        std::string stage;
        std::string job;
        std::vector<std::pair<std::string, std::string>> lines;
    };
    static constexpr const char* k_first_time = "it has not run yet";

    JobContext& context_;
    comm::Communicator& comm_;
    const RunOptions& options_;
    std::span<const JobRow> jobs_;
    RunPaths paths_;
    std::optional<RunLock> lock_;
    std::vector<ReadyStage> stages_;
    std::vector<ShownStage> last_shown_;
};

}  // namespace

void list_options(RunOptions& options, OptionTable& table) {
    table.add("pipeline", options.pipeline, "the pipeline: a TOML file with a [[stage]] for each job")
        .value_name("FILE.toml")
        .no_result();
    table.add("dir", options.dir, "run directory; without it the pipeline's name with .run, in the current folder")
        .value_name("DIR")
        .no_result();
    table.add("stage", options.stage, "run only these stages").value_name("NAME,...");
    table.add("smoke", options.smoke, "take the small sizes of the pipeline's [smoke] section");
}

void run_pipeline(JobContext& context, const RunOptions& options, std::span<const JobRow> jobs) {
    PipelineRun(context, options, jobs).run();
}

}  // namespace regrove::pipeline
