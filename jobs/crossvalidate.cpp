// Job crossvalidate: how good models learned from these rows are for rows that they have not seen.
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "regrove/core/error.hpp"
#include "regrove/dist/crossvalidation.hpp"
#include "regrove/pipeline/crossvalidation_picture.hpp"
#include "regrove/pipeline/crossvalidation_tables.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/table_output.hpp"
#include "regrove/pipeline/trial_tables.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

using pipeline::MetricOverTrials;

struct Options {
    std::string data;
    std::vector<std::string> train_files;
    std::vector<std::string> test_files;
    pipeline::TrialSource source;
    train::FoldOptions folds;
    std::uint64_t repeats = 1;
    std::vector<std::string> metrics;
    std::string vary;
    std::string output;
    std::string table;
    std::string means;
    std::string picture;
    pipeline::LearnerOptions learner;
};

/// Files are opened first, so that no work is done in vain.
struct Outputs {
    std::optional<pipeline::TableOutput> held_out;
    std::optional<pipeline::TableOutput> trials;
    std::optional<pipeline::TableOutput> means;
    std::unique_ptr<pipeline::OutputFile> picture;  ///< on the root
};

std::string four_digits(double value) {
    if (std::isnan(value)) return "undefined";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value);
    return text.data();
}

std::string with_error(const dist::MeanOfTrials& mean) {
    return four_digits(mean.mean) +
           (std::isnan(mean.standard_error) ? "" : " +- " + four_digits(mean.standard_error));
}

nlohmann::ordered_json to_json(const MetricOverTrials& metric) {
    return {{"mean", metric.test.mean},
            {"standard_error", metric.test.standard_error},
            {"pooled", metric.pooled},
            {"train_mean", metric.train.mean},
            {"train_standard_error", metric.train.standard_error},
            {"folds", metric.test_by_trial},
            {"train_folds", metric.train_by_trial}};
}

class CrossValidateJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("data", options_.data, "the table to divide: HDF5, CSV, TSV or LibSVM").value_name("FILE");
        table
            .add("train_files", options_.train_files,
                 "in place of --data: folds made elsewhere, the rows to learn from of each")
            .value_name("FILES");
        table.add("test_files", options_.test_files, "the held-out rows of each of --train-files, in the same order")
            .value_name("FILES");
        pipeline::list_options(options_.source, table);
        train::list_options(options_.folds, table);
        table.add("repeats", options_.repeats, 1, 1000000, "divisions into folds, each another one");
        table.add("metrics", options_.metrics,
                  "metrics to compute, of: " + dist::metric_names() + "; default: by the label's kind");
        table.add("vary", options_.vary, "do all of it for each value of one training option: OPTION=VALUE,VALUE,...")
            .value_name("OPTION=VALUES");
        const auto add_file = [&](const char* name, std::string& value, const char* help) {
            table.add(name, value, help).value_name("FILE").no_result();
        };
        add_file("output", options_.output,
                 "predictions of held-out rows: .h5, .tsv, else CSV; - is standard output");
        add_file("table", options_.table, "figures of each trial: .h5, .tsv, else CSV");
        add_file("means", options_.means,
                 "means and standard errors, a row for each value of --vary: .h5, .tsv, else CSV");
        add_file("picture", options_.picture, "the first metric as .svg or .png: by fold, or by value of --vary");
        pipeline::list_options(options_.learner, table);
    }

    void run(pipeline::JobContext& context) override {
        const pipeline::OptionSweep sweep = pipeline::parse_sweep(options_.vary, options_.learner);
        // Where the method itself is varied, options of one method stand beside the other.
        if (!options_.vary.starts_with("method=")) {
            for (const auto& learner : sweep.learners) pipeline::check_options(learner);
        }
        check();
        Outputs outputs = open_outputs(context);
        const auto data = pipeline::load_trial_tables(context, options_.source, options_.learner.cart.criterion);
        const dist::TrialPlan plan = make_plan(context, data);
        const auto metrics = dist::chosen_metrics(options_.metrics, task_of(data));
        std::vector<dist::CrossValidation> results;
        const dist::CrossValidationRun run{data.tables, plan, metrics, data.spread, context.seed};
        for (const auto& learner : sweep.learners) {
            results.push_back(validate(context, run, learner));
            if (!outputs.held_out) results.back().held_out = {};
        }
        const pipeline::SweepResults all{sweep, plan, metrics, results};
        write(context, outputs, run, all);
        report(context, data, all);
    }

  private:
    void check() {
        const bool pairs = !options_.train_files.empty() || !options_.test_files.empty();
        if (pairs && !options_.data.empty())
            throw UsageError("give --data, or --train-files and --test-files, not both");
        if (!pairs && options_.data.empty())
            throw UsageError("--data is missing (or --train-files and --test-files)");
        if (options_.train_files.size() != options_.test_files.size())
            throw UsageError("--train-files names " + std::to_string(options_.train_files.size()) +
                             " files and --test-files " + std::to_string(options_.test_files.size()) +
                             "; each pair is one fold");
        if (!options_.output.empty() && !options_.vary.empty())
            throw UsageError("--output writes the predictions of one set of options; leave out --vary");
        if (options_.table == "-" || options_.means == "-" || options_.picture == "-")
            throw UsageError("only --output may be - (standard output)");
        if (!options_.picture.empty()) draw::check_chart_path(options_.picture);
        options_.source.files.clear();
        if (!pairs) options_.source.files.push_back(options_.data);
        for (std::size_t fold = 0; fold < options_.train_files.size(); ++fold) {
            options_.source.files.push_back(options_.train_files[fold]);
            options_.source.files.push_back(options_.test_files[fold]);
        }
        if (pairs && options_.repeats > 1)
            throw ConfigError("--repeats: pairs of files are one division only; leave it out");
    }

    Outputs open_outputs(pipeline::JobContext& context) const {
        Outputs outputs;
        comm::Communicator& comm = context.comm;
        if (!options_.output.empty()) outputs.held_out.emplace(comm, options_.output, context.overwrite);
        if (!options_.table.empty()) outputs.trials.emplace(comm, options_.table, context.overwrite);
        if (!options_.means.empty()) outputs.means.emplace(comm, options_.means, context.overwrite);
        pipeline::agree_plainly(comm, [&] {
            if (comm.is_root() && !options_.picture.empty())
                outputs.picture = std::make_unique<pipeline::OutputFile>(options_.picture, context.overwrite);
        });
        return outputs;
    }

    dist::TrialPlan make_plan(pipeline::JobContext& context, const pipeline::TrialTables& data) const {
        std::optional<dist::TrialPlan> plan;
        pipeline::agree_plainly(context.comm, [&] {
            plan = options_.train_files.empty()
                       ? dist::TrialPlan::of_folds(data.tables[0], options_.folds, options_.learner.cart.criterion,
                                                   context.seed, options_.repeats)
                       : dist::TrialPlan::of_pairs(data.tables);
        });
        if (plan->made())
            for (const std::string& warning : plan->made()->warnings) context.summary.warn(warning);
        return *plan;
    }

    model::Task task_of(const pipeline::TrialTables& data) const {
        const data::Schema& schema = data.tables[0].schema();
        return train::label_is_a_number(schema.columns[*schema.find(data::ColumnRole::label)],
                                        options_.learner.cart.criterion)
                   ? model::Task::regression
                   : model::Task::classification;
    }

    static dist::CrossValidation validate(pipeline::JobContext& context, const dist::CrossValidationRun& run,
                                          const pipeline::LearnerOptions& learner) {
        const auto phase = context.summary.phase("validate");
        return dist::cross_validate(context.comm, run,
                                    [&](comm::Communicator& comm, data::TableShard shard, std::uint64_t seed) {
                                        return pipeline::fit(comm, std::move(shard), learner, seed);
                                    });
    }

    void write(pipeline::JobContext& context, Outputs& outputs, const dist::CrossValidationRun& run,
               const pipeline::SweepResults& all) const {
        const auto phase = context.summary.phase("write");
        comm::Communicator& comm = context.comm;
        if (outputs.held_out)
            outputs.held_out->write(comm, pipeline::held_out_tables(run, all.results.front().held_out));
        if (outputs.trials) outputs.trials->write_whole(comm, pipeline::trial_table(all));
        if (outputs.means) outputs.means->write_whole(comm, pipeline::means_table(all));
        pipeline::agree_plainly(comm, [&] {
            if (!outputs.picture) return;
            outputs.picture->write(draw::line_chart_picture(pipeline::crossvalidation_chart(all), options_.picture));
            outputs.picture->commit();
        });
        for (const std::string& file : {options_.output, options_.table, options_.means, options_.picture})
            if (!file.empty() && file != "-") context.summary.wrote(file);
    }

    static void report(pipeline::JobContext& context, const pipeline::TrialTables& data,
                       const pipeline::SweepResults& all) {
        pipeline::Summary& summary = context.summary;
        summary.details["rows"] = data.tables[0].rows();
        summary.details["folds"] = all.plan.folds();
        summary.details["repeats"] = all.plan.repeats();
        summary.details["split"] = all.plan.made() ? train::to_text(all.plan.made()->method) : "files";
        summary.details["dealt"] = data.spread == dist::TrialSpread::trials ? "trials" : "rows";
        summary.show("folds", std::to_string(all.plan.folds()) + ", " +
                                  std::string(all.plan.made() ? train::to_text(all.plan.made()->method) : "files"));
        if (all.plan.repeats() > 1) summary.show("repeats", std::to_string(all.plan.repeats()));
        if (all.sweep.option.empty()) {
            report_one(summary, all);
            return;
        }
        auto values = nlohmann::ordered_json::array();
        for (std::size_t value = 0; value < all.results.size(); ++value) {
            nlohmann::ordered_json entry{{"value", all.sweep.values[value]},
                                         {"leaves", pipeline::leaves_over_trials(all.results[value]).mean}};
            const auto over = pipeline::metrics_over_trials(all.results[value], all.metrics);
            for (const MetricOverTrials& metric : over) entry[metric.name] = to_json(metric);
            values.push_back(std::move(entry));
            summary.show(
                all.sweep.option + " " + all.sweep.values[value],
                over[0].name + " " + with_error(over[0].test) + ", in training " + with_error(over[0].train));
        }
        summary.result["option"] = all.sweep.option;
        summary.result["values"] = std::move(values);
    }

    static void report_one(pipeline::Summary& summary, const pipeline::SweepResults& all) {
        const dist::CrossValidation& result = all.results.front();
        const auto leaves = pipeline::leaves_over_trials(result);
        summary.details["leaves"] = leaves.mean;
        summary.show("leaves a tree", with_error(leaves));
        for (const MetricOverTrials& metric : pipeline::metrics_over_trials(result, all.metrics)) {
            summary.result[metric.name] = to_json(metric);
            summary.show(metric.name, with_error(metric.test) + ", pooled " + four_digits(metric.pooled) +
                                          ", in training " + with_error(metric.train));
            if (metric.test.defined < result.trials.size())
                summary.warn(metric.name + " is not defined for " +
                             std::to_string(result.trials.size() - metric.test.defined) + " of " +
                             std::to_string(result.trials.size()) + " trials; its mean is over the others");
        }
    }

    Options options_;
};

}  // namespace

pipeline::JobRow crossvalidate_job() {
    return {.name = "crossvalidate",
            .purpose = "metrics of models on rows held out from training, fold by fold",
            .group = "models",
            .example = "regrove crossvalidate --data table.h5 --folds 10 --max-depth 3 --output held_out.csv",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<CrossValidateJob>(); }};
}

}  // namespace regrove::jobs
