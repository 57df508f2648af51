// The job `explain`: which features a model's answers hang on, as a table and as a picture.
#include <algorithm>
#include <memory>

#include "regrove/core/error.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"

#include "explain_kinds.hpp"
#include "job_table.hpp"

namespace regrove::jobs {

namespace {

class ExplainJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override { jobs::list_options(options_, table); }

    void run(pipeline::JobContext& context) override {
        check_options();
        ExplainOutputs outputs(context, options_);
        const auto model = pipeline::load_model(context.comm, options_.model);
        context.summary.read(options_.model);
        outputs.prepare(model);
        const data::TableShard rows = kind().rows == RowsNeeded::none ? data::TableShard() : load(context, model);
        kind().run({context, options_, model, rows}, outputs);
    }

  private:
    const ExplainKind& kind() const { return explain_kinds()[options_.kind]; }

    void check_options() const {
        if (options_.model.empty()) throw UsageError("--model is missing: name the model file to explain");
        if (kind().rows != RowsNeeded::none && options_.data.empty())
            throw UsageError("--data is missing: --kind " + kind().name + " needs a table" +
                             (kind().rows == RowsNeeded::labels ? " with labels" : ""));
        if (kind().rows == RowsNeeded::none && !options_.data.empty())
            throw ConfigError("--data has no use for --kind " + kind().name +
                              ", which reads the model alone; leave it out, or give a kind that needs rows: " +
                              names_of_kinds_with_rows());
        if (options_.image_shape.empty() && !options_.beside.empty())
            throw UsageError("--beside needs --image-shape: only maps are drawn beside each other");
        if (options_.picture.empty() && !options_.image_shape.empty())
            throw UsageError("--image-shape needs --picture: it says how the picture is drawn");
        if (!options_.attribution.rows.empty() && kind().name != "shapley" && kind().name != "shap")
            throw UsageError("--rows belongs to --kind shapley and --kind shap");
        if (options_.attribution.per != ExplainPer::feature && !kind().knows_conditions)
            throw UsageError("--per condition is for --kind nu and shapley, not for " + kind().name);
        const std::vector<std::string> outputs{options_.output, options_.picture, options_.attribution.rows};
        if (std::ranges::count(outputs, "-") > 1)
            throw ConfigError(
                "only one of --output, --picture and --rows can go to standard output; name a file for the others");
        if (!options_.picture.empty()) draw::check_chart_path(options_.picture);
    }

    data::TableShard load(pipeline::JobContext& context, const model::Ensemble& model) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = options_.data;
        request.target = options_.target;
        request.expected = infer::expected_schema(model);
        auto shard = pipeline::load_table(context.comm, request);
        context.summary.read(options_.data);
        pipeline::agree_plainly(context.comm, [&] {
            const infer::Binding binding(model, shard.schema);
            for (const std::string& warning : binding.warnings()) context.summary.warn(warning);
        });
        return shard;
    }

    ExplainOptions options_;
};

}  // namespace

pipeline::JobRow explain_job() {
    return {.name = "explain",
            .purpose = "which features a model's answers hang on: importances, attributions",
            .group = "models",
            .example = "regrove explain --model forest.json --kind permutation --data test.h5 --picture bars.svg",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<ExplainJob>(); }};
}

}  // namespace regrove::jobs
