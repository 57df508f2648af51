// The job `explain`: which features a model's answers hang on, as a table and as bars.
#include <memory>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/permutation_importance.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/importance_report.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/table_output.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

enum class Kind : std::uint8_t { gain, permutation };

constexpr std::size_t k_printed_features = 10;

struct Options {
    std::string model;
    std::string data;
    std::string target;
    Kind kind = Kind::gain;
    std::string metric;
    std::uint32_t repeats = 5;
    std::string output;
    std::string picture;
    std::uint32_t top = 30;
    double scale = 2;
};

class ExplainJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", options_.model, "the model file, in any known format").value_name("FILE");
        table.add("kind", options_.kind, Choices<Kind>{{"gain", Kind::gain}, {"permutation", Kind::permutation}},
                  "gain: how much of the training impurity a feature's questions took away, from the model alone; "
                  "permutation: how much worse a metric gets on --data when the feature's values are permuted");
        table.add("data", options_.data, "permutation: the table with labels: HDF5, CSV, TSV or LibSVM")
            .value_name("FILE");
        table
            .add("target", options_.target,
                 "permutation: label column by name or index; default: the table's label, or the model's")
            .value_name("COL");
        table
            .add("metric", options_.metric,
                 "permutation: one of " + dist::metric_names() + "; default: accuracy, or rmse for numbers")
            .value_name("NAME");
        table.add("repeats", options_.repeats, 1, dist::k_most_repeats,
                  "permutation: how often each feature is permuted");
        table
            .add("output", options_.output,
                 "the table: .h5, .tsv, else CSV; - is CSV on standard output; empty: none")
            .value_name("FILE")
            .no_result();
        table.add("picture", options_.picture, "a picture of bars: .svg or .png; empty: none")
            .value_name("FILE")
            .no_result();
        table.add("top", options_.top, 1, 10'000, "bars in the picture, the most important features first");
        table.add("scale", options_.scale, 0.1, 16, "pixels of a PNG for one of the SVG; 1 is 96 dpi");
    }

    void run(pipeline::JobContext& context) override {
        check_options();
        std::optional<pipeline::TableOutput> table;
        if (!options_.output.empty()) table.emplace(context.comm, options_.output, context.overwrite);
        const auto picture = open_picture(context);
        const auto ensemble = pipeline::load_model(context.comm, options_.model);
        context.summary.read(options_.model);
        const auto importances =
            options_.kind == Kind::gain ? pipeline::report_gain(ensemble) : permute(context, ensemble);
        if (table) table->write_whole(context.comm, pipeline::importance_table(importances, ensemble));
        draw_bars(context, picture.get(), importances, ensemble);
        for (const std::string& path : {options_.output, options_.picture})
            if (!path.empty() && path != "-") context.summary.wrote(path);
        report(context.summary, importances, ensemble);
    }

  private:
    void check_options() const {
        if (options_.model.empty()) throw UsageError("--model is missing: name the model file to explain");
        if (options_.kind == Kind::permutation && options_.data.empty())
            throw UsageError("--data is missing: --kind permutation needs a table with labels");
        if (options_.kind == Kind::gain && !options_.data.empty())
            throw ConfigError(
                "--data has no use for --kind gain, which reads the model alone; leave it out, or give "
                "--kind permutation");
        if (options_.output == "-" && options_.picture == "-")
            throw ConfigError(
                "--output and --picture cannot both go to standard output; name a file for one of them");
        if (!options_.picture.empty()) draw::check_chart_path(options_.picture);
    }

    /// On the root, when there is a name; refuses an existing file before any work is done.
    std::unique_ptr<pipeline::OutputFile> open_picture(pipeline::JobContext& context) const {
        std::unique_ptr<pipeline::OutputFile> file;
        comm::agree_on(context.comm, [&] {
            if (!options_.picture.empty() && context.comm.is_root())
                file = std::make_unique<pipeline::OutputFile>(options_.picture, context.overwrite);
        });
        return file;
    }

    pipeline::ImportanceReport permute(pipeline::JobContext& context, const model::Ensemble& ensemble) const {
        std::vector<std::string> names;
        if (!options_.metric.empty()) names.push_back(options_.metric);
        const metric::Metric metric = dist::chosen_metrics(names, ensemble.task).front();
        const data::TableShard shard = load(context, ensemble);
        const auto phase = context.summary.phase("permute");
        const auto result =
            dist::permutation_importance(context.comm, ensemble, shard, metric, options_.repeats, context.seed);
        return pipeline::report_permutation(ensemble, result, metric.name, shard.global_rows);
    }

    data::TableShard load(pipeline::JobContext& context, const model::Ensemble& ensemble) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = options_.data;
        request.target = options_.target;
        request.expected = infer::expected_schema(ensemble);
        auto shard = pipeline::load_table(context.comm, request);
        context.summary.read(options_.data);
        pipeline::agree_plainly(context.comm, [&] {
            const infer::Binding binding(ensemble, shard.schema);
            for (const std::string& warning : binding.warnings()) context.summary.warn(warning);
        });
        return shard;
    }

    void draw_bars(pipeline::JobContext& context, pipeline::OutputFile* file,
                   const pipeline::ImportanceReport& importances, const model::Ensemble& ensemble) const {
        comm::agree_on(context.comm, [&] {
            if (file == nullptr) return;
            const auto chart = pipeline::importance_chart(importances, ensemble, options_.top);
            file->write(draw::bar_chart_picture(chart, options_.picture, options_.scale));
            file->commit();
        });
    }

    static void report(pipeline::Summary& summary, const pipeline::ImportanceReport& importances,
                       const model::Ensemble& ensemble) {
        const bool permuted = !importances.metric.empty();
        summary.result["kind"] = permuted ? "permutation" : "gain";
        if (permuted) {
            summary.result["metric"] = importances.metric;
            summary.result["baseline"] = importances.baseline;
            summary.result["rows"] = importances.rows;
            summary.show("rows", draw::count_text(importances.rows));
            summary.show(importances.metric, draw::value_text(importances.baseline));
        }
        auto features = nlohmann::ordered_json::object();  // most important first
        for (std::size_t i = 0; i < importances.features.size(); ++i) {
            const auto& feature = importances.features[i];
            const std::string& name = ensemble.features[feature.feature].name;
            features[name] = feature.importance;
            if (i < k_printed_features && feature.is_used())
                summary.show(name, pipeline::importance_figures(feature));
        }
        summary.result["importance"] = std::move(features);
    }

    Options options_;
};

}  // namespace

pipeline::JobRow explain_job() {
    return {.name = "explain",
            .purpose = "which features a model's answers hang on: importance by gain or by permutation",
            .group = "models",
            .example = "regrove explain --model forest.json --kind permutation --data test.h5 --picture bars.svg",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<ExplainJob>(); }};
}

}  // namespace regrove::jobs
