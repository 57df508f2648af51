// Job stability: how many held-out answers and which root questions change when the training rows change a little.
#include "regrove/dist/stability.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/draw/bar_chart.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/learner.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/stability_tables.hpp"
#include "regrove/pipeline/table_output.hpp"
#include "regrove/pipeline/trial_tables.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

using dist::Resample;

/// Root questions in the summary of people, and bars in the picture.
constexpr std::size_t k_shown_roots = 5;
constexpr std::size_t k_drawn_roots = 25;

struct Options {
    std::string data;
    std::string valid;
    pipeline::TrialSource source;
    train::FoldOptions folds;
    Resample resample = Resample::leave_one_out;
    std::uint64_t trials = 0;
    std::string output;
    std::string table;
    std::string roots;
    std::string picture;
    pipeline::LearnerOptions learner;
};

/// Files are opened first, so that no work is done in vain.
struct Outputs {
    std::optional<pipeline::TableOutput> rows;
    std::optional<pipeline::TableOutput> refits;
    std::optional<pipeline::TableOutput> roots;
    std::unique_ptr<pipeline::OutputFile> picture;  ///< on the root
};

std::string percent(double share) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g %%", 100 * share);
    return text.data();
}

/// A question as people read it: six digits of its threshold. Questions that differ later look alike, so files have all.
std::string short_question(const std::string& question) {
    constexpr std::string_view k_sign = " > ";
    const auto sign = question.rfind(k_sign);
    if (sign == std::string::npos) return question;
    const auto threshold = parse_double(std::string_view(question).substr(sign + k_sign.size()));
    if (threshold.status != NumberStatus::ok) return question;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", threshold.value);
    return question.substr(0, sign + k_sign.size()) + text.data();
}

class StabilityJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("data", options_.data, "the rows to learn from: HDF5, CSV, TSV or LibSVM").value_name("FILE");
        table.add("valid", options_.valid, "held-out rows; default: the table itself, fold by fold")
            .value_name("FILE");
        pipeline::list_options(options_.source, table);
        train::list_options(options_.folds, table);
        table.add("resample", options_.resample,
                  Choices<Resample>{{"leave-one-out", Resample::leave_one_out}, {"bootstrap", Resample::bootstrap}},
                  "rows of a refit: all but one, or as many drawn with replacement");
        table.add("trials", options_.trials, 0, 1000000000,
                  "refits (of each fold); 0: every row is left out once, or 100 bootstraps");
        const auto add_file = [&](const char* name, std::string& value, const char* help) {
            table.add(name, value, help).value_name("FILE").no_result();
        };
        add_file("output", options_.output, "flips of each held-out row: .h5, .tsv, else CSV; - is standard output");
        add_file("table", options_.table, "flips and root question of each refit: .h5, .tsv, else CSV");
        add_file("roots", options_.roots, "how often each root question is chosen: .h5, .tsv, else CSV");
        add_file("picture", options_.picture, "the root questions' shares as bars: .svg or .png");
        pipeline::list_options(options_.learner, table);
    }

    void run(pipeline::JobContext& context) override {
        check();
        Outputs outputs = open_outputs(context);
        pipeline::check_options(options_.learner);
        const auto data = pipeline::load_trial_tables(context, options_.source, options_.learner.cart.criterion);
        const dist::TrialPlan plan = make_plan(context, data);
        const dist::StabilityRun run{data.tables,     plan,        options_.resample,
                                     options_.trials, data.spread, context.seed};
        const dist::Stability measured = measure(context, run);
        write(context, outputs, run, measured);
        report(context, run, measured);
    }

  private:
    void check() {
        if (options_.data.empty()) throw UsageError("--data is missing");
        if (options_.table == "-" || options_.roots == "-" || options_.picture == "-")
            throw UsageError("only --output may be - (standard output)");
        if (!options_.picture.empty()) draw::check_chart_path(options_.picture);
        options_.source.files = {options_.data};
        if (!options_.valid.empty()) options_.source.files.push_back(options_.valid);
    }

    Outputs open_outputs(pipeline::JobContext& context) const {
        Outputs outputs;
        comm::Communicator& comm = context.comm;
        if (!options_.output.empty()) outputs.rows.emplace(comm, options_.output, context.overwrite);
        if (!options_.table.empty()) outputs.refits.emplace(comm, options_.table, context.overwrite);
        if (!options_.roots.empty()) outputs.roots.emplace(comm, options_.roots, context.overwrite);
        pipeline::agree_plainly(comm, [&] {
            if (comm.is_root() && !options_.picture.empty())
                outputs.picture = std::make_unique<pipeline::OutputFile>(options_.picture, context.overwrite);
        });
        return outputs;
    }

    dist::TrialPlan make_plan(pipeline::JobContext& context, const pipeline::TrialTables& data) const {
        std::optional<dist::TrialPlan> plan;
        pipeline::agree_plainly(context.comm, [&] {
            plan = options_.valid.empty()
                       ? dist::TrialPlan::of_folds(data.tables[0], options_.folds, options_.learner.cart.criterion,
                                                   context.seed, 1)
                       : dist::TrialPlan::of_pairs(data.tables);
        });
        return *plan;
    }

    dist::Stability measure(pipeline::JobContext& context, const dist::StabilityRun& run) const {
        const auto phase = context.summary.phase("refit");
        return dist::measure_stability(context.comm, run,
                                       [&](comm::Communicator& comm, data::TableShard shard, std::uint64_t seed) {
                                           return pipeline::fit(comm, std::move(shard), options_.learner, seed);
                                       });
    }

    draw::BarChart chart(const dist::Stability& measured) const {
        draw::BarChart chart;
        chart.title = "Root questions of refits";
        chart.subtitle = std::to_string(measured.refits.size()) +
                         (options_.resample == Resample::bootstrap ? " bootstraps" : " refits without one row each");
        chart.value_title = "share of trees";
        for (const dist::RootCount& root : measured.roots) {
            if (chart.bars.size() == k_drawn_roots) {
                chart.notes.push_back(std::to_string(measured.roots.size() - k_drawn_roots) +
                                      " rarer questions are not shown.");
                break;
            }
            draw::Bar bar;
            bar.label = short_question(root.question) + (root.of_all_rows ? " *" : "");
            bar.value = static_cast<double>(root.trees) / static_cast<double>(measured.trees);
            bar.details = root.question + ": " + std::to_string(root.trees) + " of " + std::to_string(measured.trees);
            chart.bars.push_back(std::move(bar));
        }
        chart.notes.emplace_back("* also the root of a model of all training rows");
        return chart;
    }

    void write(pipeline::JobContext& context, Outputs& outputs, const dist::StabilityRun& run,
               const dist::Stability& measured) const {
        const auto phase = context.summary.phase("write");
        comm::Communicator& comm = context.comm;
        if (outputs.rows) outputs.rows->write_whole(comm, pipeline::row_flip_table(run, measured));
        if (outputs.refits) outputs.refits->write_whole(comm, pipeline::refit_table(run, measured));
        if (outputs.roots) outputs.roots->write_whole(comm, pipeline::root_table(measured));
        pipeline::agree_plainly(comm, [&] {
            if (!outputs.picture) return;
            outputs.picture->write(draw::bar_chart_picture(chart(measured), options_.picture));
            outputs.picture->commit();
        });
        for (const std::string& file : {options_.output, options_.table, options_.roots, options_.picture})
            if (!file.empty() && file != "-") context.summary.wrote(file);
    }

    static void report(pipeline::JobContext& context, const dist::StabilityRun& run,
                       const dist::Stability& measured) {
        const pipeline::StabilityFigures figures = pipeline::stability_figures(measured);
        pipeline::Summary& summary = context.summary;
        summary.result["refits"] = measured.refits.size();
        summary.result["held_out_rows"] = figures.held_out_rows;
        summary.result["flips_mean"] = figures.flips_mean;
        summary.result["flips_most"] = figures.flips_most;
        summary.result["flip_share"] = figures.flip_share;
        summary.result["rows_ever_flipped"] = figures.rows_ever_flipped;
        summary.result["refits_with_other_root"] = figures.refits_with_other_root;
        auto roots = nlohmann::ordered_json::array();
        for (const dist::RootCount& root : measured.roots) {
            const double share = static_cast<double>(root.trees) / static_cast<double>(measured.trees);
            roots.push_back({{"question", root.question},
                             {"trees", root.trees},
                             {"share", share},
                             {"of_all_rows", root.of_all_rows}});
            if (roots.size() <= k_shown_roots) summary.show("root " + short_question(root.question), percent(share));
        }
        summary.result["roots"] = std::move(roots);
        summary.details["dealt"] = run.spread == dist::TrialSpread::trials ? "trials" : "rows";
        summary.show("different root questions", std::to_string(measured.roots.size()));
        summary.show("refits", std::to_string(measured.refits.size()));
        summary.show("held-out rows", std::to_string(figures.held_out_rows));
        summary.show("answers that flip", percent(figures.flip_share) + " in a refit on average, at most " +
                                              std::to_string(figures.flips_most) + " rows");
        summary.show("rows flipped by some refit", std::to_string(figures.rows_ever_flipped));
    }

    Options options_;
};

}  // namespace

pipeline::JobRow stability_job() {
    return {
        .name = "stability",
        .purpose = "how much held-out answers and root questions change with the training rows",
        .group = "models",
        .example = "regrove stability --data train.h5 --valid test.h5 --resample leave-one-out --output flips.csv",
        .mpi = pipeline::MpiUse::when_launched,
        .make = [] { return std::make_unique<StabilityJob>(); }};
}

}  // namespace regrove::jobs
