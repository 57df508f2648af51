// Job search: try options of training on a grid or at random, judge each by held-out rows, keep all results.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/core/log.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/core/version.hpp"
#include "regrove/dist/crossvalidation.hpp"
#include "regrove/dist/table_hash.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/pipeline/boosting_fit.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/learner.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/search_table.hpp"
#include "regrove/pipeline/table_output.hpp"
#include "regrove/pipeline/trial_tables.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

struct Options {
    std::string data;
    std::string valid;
    pipeline::TrialSource source;
    train::FoldOptions folds;
    std::uint64_t repeats = 1;
    std::vector<std::string> metrics;
    std::vector<std::string> vary;
    std::uint64_t draws = 0;
    std::string table;
    std::string output;
    pipeline::LearnerOptions learner;
};

/// What every trial of a search has in common.
struct Search {
    std::vector<pipeline::SearchDimension> space;
    std::vector<pipeline::SearchSetting> settings;
    std::vector<metric::Metric> metrics;
    pipeline::TrialTables data;  ///< one table for folds; else the rows to learn from and those to judge by
    std::optional<dist::TrialPlan> plan;
    double valid_share = 0;
    bool is_pair = false;
};

std::string figures(double value) {
    if (std::isnan(value)) return "undefined";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::vector<std::uint64_t> all_places(const dist::TrialTable& table) {
    std::vector<std::uint64_t> places(table.rows());
    std::iota(places.begin(), places.end(), std::uint64_t{0});
    return places;
}

/// All rows of a table as shares of the ranks.
data::TableShard spread_rows(comm::Communicator& comm, const Search& search, std::size_t table) {
    const dist::TrialTable& from = search.data.tables[table];
    if (search.data.spread == dist::TrialSpread::rows) return from.take(comm, all_places(from));
    const data::TableShard whole = from.take(*comm::make_self_communicator(), all_places(from));
    return data::slice(whole, from.own_begin(), from.own_end());
}

class SearchJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("data", options_.data, "the table to learn from: HDF5, CSV, TSV or LibSVM").value_name("FILE");
        table
            .add(
                "vary", options_.vary,
                "what to try: OPTION=VALUE,VALUE,..., or with --draws also OPTION=LOW..HIGH or OPTION=LOW..HIGH:log; "
                "in a file a list of such texts")
            .value_name("OPTION=VALUES");
        table.add("draws", options_.draws, 0, 1000000, "points drawn at random; 0: all combinations");
        table
            .add("valid", options_.valid,
                 "a table with labels to judge by; default: folds of --data, or --valid-share of its rows")
            .value_name("FILE");
        pipeline::list_options(options_.source, table);
        train::list_options(options_.folds, table);
        table.add("repeats", options_.repeats, 1, 1000000, "divisions into folds, each another one");
        table.add(
            "metrics", options_.metrics,
            "metrics to compute, the first decides, of: " + dist::metric_names() + "; default: by the label's kind");
        table
            .add("table", options_.table,
                 "all trials, a row each: .h5, .tsv, else CSV; trials that it holds already are not run again")
            .value_name("FILE")
            .no_result();
        table.add("output", options_.output, "the best model to write (regrove-json)").value_name("FILE").no_result();
        pipeline::list_options(options_.learner, table);
    }

    void run(pipeline::JobContext& context) override {
        Search search = plan_settings(context);
        const auto model_file = comm::agree_on(context.comm, [&] {
            return context.comm.is_root() && !options_.output.empty()
                       ? std::make_unique<pipeline::OutputFile>(options_.output, context.overwrite)
                       : nullptr;
        });
        load(context, search);
        const std::vector<pipeline::SearchTrial> trials = run_trials(context, search);
        const std::size_t best = pipeline::best_trial(trials, search.metrics[0]);
        context.summary.wrote(options_.table);
        report(context, search, trials, best);
        if (options_.output.empty()) return;
        const model::Ensemble ensemble = fit_best(context, search, search.settings[best].learner);
        comm::agree_on(context.comm, [&] {
            if (!model_file) return;
            model_file->write(formats::write_model(ensemble));
            model_file->commit();
        });
        context.summary.wrote(options_.output);
    }

  private:
    Search plan_settings(pipeline::JobContext& context) {
        for (const auto& [name, value] : {std::pair("data", options_.data), std::pair("table", options_.table)})
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        if (options_.vary.empty()) throw UsageError("--vary is missing: name the options to try, with their values");
        if (options_.table == "-" || options_.output == "-")
            throw UsageError("a search writes to files, not to standard output");
        if (options_.table == options_.output) throw UsageError("--table and --output name the same file");
        Search search;
        // Every method's rows can be put aside here, so the share is no option of the learner.
        search.valid_share = std::exchange(options_.learner.valid_share, 0.0);
        if (search.valid_share > 0 && !options_.valid.empty())
            throw ConfigError("--valid and --valid-share both give rows to judge by: give one of them");
        search.is_pair = search.valid_share > 0 || !options_.valid.empty();
        if (search.is_pair && options_.repeats > 1) throw ConfigError("--repeats is for folds");
        search.space = pipeline::parse_space(options_.vary);
        search.settings = options_.draws == 0 ? pipeline::grid_settings(search.space, options_.learner)
                                              : pipeline::drawn_settings(search.space, options_.learner,
                                                                         options_.draws, context.seed);
        const bool method_varies =
            std::ranges::any_of(search.space, [](const auto& dimension) { return dimension.option == "method"; });
        for (const auto& setting : search.settings) check(setting, search, method_varies);
        return search;
    }

    /// Where the method itself is varied, options of one method stand beside the other.
    static void check(const pipeline::SearchSetting& setting, const Search& search, bool method_varies) {
        if (setting.learner.valid_share > 0)
            throw ConfigError("--vary valid_share: all trials are to be judged by the same rows");
        if (!method_varies) pipeline::check_options(setting.learner);
        if (!search.is_pair && setting.learner.method == pipeline::Method::boosting &&
            setting.learner.boosting.early_stopping > 0)
            throw ConfigError("--early-stopping needs --valid or --valid-share; with folds, vary trees");
    }

    void load(pipeline::JobContext& context, Search& search) {
        options_.source.files = {options_.data};
        if (!options_.valid.empty()) options_.source.files.push_back(options_.valid);
        // One trial a setting would leave all ranks but one idle.
        if (search.is_pair && options_.source.deal == dist::TrialSpread::automatic)
            options_.source.deal = dist::TrialSpread::rows;
        search.data = pipeline::load_trial_tables(context, options_.source, options_.learner.cart.criterion);
        if (search.valid_share > 0) put_aside(context, search);
        pipeline::agree_plainly(context.comm, [&] {
            search.plan = search.is_pair ? dist::TrialPlan::of_pairs(search.data.tables)
                                         : dist::TrialPlan::of_folds(search.data.tables[0], options_.folds,
                                                                     options_.learner.cart.criterion, context.seed,
                                                                     options_.repeats);
        });
        if (search.plan->made())
            for (const std::string& warning : search.plan->made()->warnings) context.summary.warn(warning);
        const data::Schema& schema = search.data.tables[0].schema();
        const bool numbers = train::label_is_a_number(schema.columns[*schema.find(data::ColumnRole::label)],
                                                      options_.learner.cart.criterion);
        search.metrics =
            dist::chosen_metrics(options_.metrics, numbers ? model::Task::regression : model::Task::classification);
    }

    static void put_aside(pipeline::JobContext& context, Search& search) {
        pipeline::SplitRows split = pipeline::put_rows_aside(context.comm, spread_rows(context.comm, search, 0),
                                                             search.valid_share, context.seed);
        search.data.tables.clear();
        for (data::TableShard* rows : {&split.training, &split.validation})
            search.data.tables.emplace_back(context.comm, std::move(*rows), search.data.spread);
    }

    /// Of the data, the rows that judge, the seed and the metrics.
    Hash128 common_hash(pipeline::JobContext& context, const Search& search) const {
        Hasher hasher;
        hasher.update_field("search " + std::to_string(k_results_version));
        for (std::size_t table = 0; table < search.data.tables.size(); ++table)
            hasher.update_field(dist::table_hash(context.comm, spread_rows(context.comm, search, table)));
        if (!search.is_pair) {
            hasher.update_field(train::to_text(search.plan->made()->method));
            hasher.update_field(std::to_string(search.plan->folds()));
            hasher.update_field(std::to_string(search.plan->repeats()));
        }
        hasher.update_field(std::to_string(context.seed));
        for (const metric::Metric& metric : search.metrics) hasher.update_field(metric.name);
        return hasher.digest();
    }

    /// In front stands a letter, so that no reader takes the text for a number.
    static std::string setting_hash(const Hash128& common, const pipeline::LearnerOptions& options) {
        Hasher hasher;
        hasher.update_field(to_hex(common));
        hasher.update_field(pipeline::to_text(options.method));
        pipeline::LearnerOptions named = options;
        OptionTable table;
        pipeline::list_method_options(named, table);
        for (const OptionEntry& entry : table.entries()) {
            if (!entry.affects_result) continue;
            hasher.update_field(entry.name);
            hasher.update_field(entry.text());
        }
        return "h" + to_hex(hasher.digest());
    }

    std::vector<pipeline::SearchTrial> run_trials(pipeline::JobContext& context, const Search& search) const {
        const Hash128 common = common_hash(context, search);
        std::vector<std::string> hashes;
        for (const auto& setting : search.settings) hashes.push_back(setting_hash(common, setting.learner));
        auto known = pipeline::read_search_table(context.comm, options_.table, search.metrics);
        refuse_other_trials(context, known, hashes);
        const auto phase = context.summary.phase("search");
        context.summary.details["trials_known"] = known.size();
        Progress progress("search", search.settings.size(), "trials");
        std::vector<pipeline::SearchTrial> trials;
        for (std::size_t i = 0; i < hashes.size(); ++i) {
            if (const auto found = known.find(hashes[i]); found != known.end()) {
                trials.push_back(found->second);
            } else {
                trials.push_back(try_setting(context, search, search.settings[i].learner, hashes[i]));
                known.emplace(hashes[i], trials.back());
                write_table(context, search, trials);
                tell(search, trials);
            }
            progress.advance(1);
        }
        write_table(context, search, trials);
        return trials;
    }

    void refuse_other_trials(const pipeline::JobContext& context,
                             const std::map<std::string, pipeline::SearchTrial>& known,
                             const std::vector<std::string>& hashes) const {
        const auto others = std::ranges::count_if(
            known, [&](const auto& trial) { return std::ranges::find(hashes, trial.first) == hashes.end(); });
        if (others == 0 || context.overwrite) return;
        throw IoError(
            ExitCode::cannot_create,
            options_.table + " holds " + std::to_string(others) +
                " trials of other options, rows or seeds; give --table another name, or --overwrite to drop "
                "them");
    }

    /// A row more each time, so that a run that is killed has lost one trial at most.
    void write_table(pipeline::JobContext& context, const Search& search,
                     const std::vector<pipeline::SearchTrial>& trials) const {
        pipeline::TableOutput(context.comm, options_.table, true)
            .write_whole(context.comm, pipeline::search_table(search.space, search.settings, trials, search.metrics));
    }

    static std::string words_of(const Search& search, std::size_t trial) {
        std::string words;
        for (std::size_t i = 0; i < search.space.size(); ++i)
            words += (i == 0 ? "" : " ") + search.space[i].option + "=" + search.settings[trial].values[i];
        return words;
    }

    static void tell(const Search& search, const std::vector<pipeline::SearchTrial>& trials) {
        const std::size_t best = pipeline::best_trial(trials, search.metrics[0]);
        log::info("trial " + std::to_string(trials.size()) + " of " + std::to_string(search.settings.size()) + ": " +
                  words_of(search, trials.size() - 1) + ": " + search.metrics[0].name + " " +
                  figures(trials.back().test[0]) + ", best so far " + figures(trials[best].test[0]) + " (trial " +
                  std::to_string(best + 1) + ")");
    }

    pipeline::SearchTrial try_setting(pipeline::JobContext& context, const Search& search,
                                      const pipeline::LearnerOptions& learner, std::string hash) const {
        const dist::CrossValidationRun run{search.data.tables, *search.plan, search.metrics, search.data.spread,
                                           context.seed};
        const auto result = dist::cross_validate(
            context.comm, run, [&](comm::Communicator& comm, data::TableShard shard, std::uint64_t seed) {
                return search.is_pair ? fit_pair(comm, search, std::move(shard), learner, context.seed)
                                      : pipeline::fit(comm, std::move(shard), learner, seed);
            });
        return pipeline::to_trial(result, search.metrics, std::move(hash));
    }

    /// As `train --valid` would: boosting may watch the rows that judge.
    static model::Ensemble fit_pair(comm::Communicator& comm, const Search& search, data::TableShard shard,
                                    const pipeline::LearnerOptions& learner, std::uint64_t seed) {
        if (learner.method != pipeline::Method::boosting || learner.boosting.early_stopping == 0)
            return pipeline::fit(comm, std::move(shard), learner, seed);
        dist::BoostingTables tables;
        tables.training = std::move(shard);
        const dist::TrialTable& judging = search.data.tables[1];
        tables.validation = judging.take(comm, all_places(judging));
        model::Ensemble ensemble =
            pipeline::fit_boosting(comm, std::move(tables), learner, seed, dist::CurveWanted::none).ensemble;
        pipeline::describe(ensemble, learner, seed);
        return ensemble;
    }

    /// The model that was judged; after folds one of all rows.
    static model::Ensemble fit_best(pipeline::JobContext& context, Search& search,
                                    const pipeline::LearnerOptions& learner) {
        const auto phase = context.summary.phase("fit");
        comm::Communicator& comm = context.comm;
        data::TableShard rows = spread_rows(comm, search, 0);
        const std::string hash = dist::table_hash(comm, rows);
        if (search.is_pair && search.data.spread == dist::TrialSpread::trials && comm.size() > 1) {
            // The rows that judge are whole on each rank: share them out, too.
            data::TableShard judging = spread_rows(comm, search, 1);
            search.data.spread = dist::TrialSpread::rows;
            search.data.tables[1] = dist::TrialTable(comm, std::move(judging), search.data.spread);
        }
        model::Ensemble ensemble = search.is_pair ? fit_pair(comm, search, std::move(rows), learner, context.seed)
                                                  : pipeline::fit(comm, std::move(rows), learner, context.seed);
        ensemble.provenance["data_content_hash"] = hash;
        return ensemble;
    }

    static void report(pipeline::JobContext& context, const Search& search,
                       const std::vector<pipeline::SearchTrial>& trials, std::size_t best) {
        pipeline::Summary& summary = context.summary;
        summary.result["trials"] = trials.size();
        summary.result["best_trial"] = best + 1;
        auto& options = summary.result["options"];
        for (std::size_t i = 0; i < search.space.size(); ++i)
            options[search.space[i].option] = search.settings[best].values[i];
        summary.show("trials", std::to_string(trials.size()));
        summary.show("best", "trial " + std::to_string(best + 1) + ": " + words_of(search, best));
        for (std::size_t m = 0; m < search.metrics.size(); ++m) {
            const pipeline::SearchTrial& trial = trials[best];
            summary.result[search.metrics[m].name] = {{"test", trial.test[m]},
                                                      {"test_standard_error", trial.test_standard_error[m]},
                                                      {"train", trial.train[m]}};
            summary.show(search.metrics[m].name, figures(trial.test[m]) + ", in training " + figures(trial.train[m]));
        }
    }

    Options options_;
};

}  // namespace

pipeline::JobRow search_job() {
    return {.name = "search",
            .purpose = "try options of training on a grid or at random and keep the best",
            .group = "models",
            .example = "regrove search --data t.h5 --method boosting --vary max_depth=3,5 --table trials.csv",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<SearchJob>(); }};
}

}  // namespace regrove::jobs
