// Job evaluate: how good a model's answers are for a table with labels, the same on any number of ranks.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/row_groups.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/narrow_model.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/metric/confusion_matrix.hpp"
#include "regrove/metric/registry.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

/// A confusion matrix of more classes than this is not put into the summary: it grows with the square.
constexpr std::size_t k_most_classes_in_matrix = 200;

std::string six_digits(double value) {
    if (std::isnan(value)) return "undefined";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

class EvaluateJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", model_, "the model file, in any known format").value_name("FILE");
        table.add("data", data_, "the table with labels: HDF5, CSV, TSV or LibSVM").value_name("FILE");
        table.add("metrics", metrics_,
                  "metrics to compute, of: " + dist::metric_names() + "; default: by the model's task");
        table.add("target", target_, "label column by name or index; default: the table's label, or the model's")
            .value_name("COL");
    }

    void run(pipeline::JobContext& context) override {
        for (const auto& [name, value] : {std::pair("model", model_), std::pair("data", data_)})
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        const auto ensemble = pipeline::load_model(context.comm, model_);
        context.summary.read(model_);
        const auto metrics = dist::chosen_metrics(metrics_, ensemble.task);
        auto table = load(context, ensemble);
        const bool grouped = std::ranges::any_of(metrics, &metric::Metric::needs_groups);
        if (grouped) table = keep_groups_whole(context.comm, std::move(table));
        const data::TableShard& shard = table.rows;
        dist::Answers answers =
            table.cells ? answer_sparse(context, ensemble, table) : answer_all(context, ensemble, shard);
        if (grouped) answers.group_begins = dist::find_groups(shard);  // every rank's groups were found before
        const auto phase = context.summary.phase("evaluate");
        context.summary.show("rows", std::to_string(shard.global_rows));
        context.summary.details["rows"] = shard.global_rows;
        for (const metric::Metric& metric : metrics) {
            const double number = dist::metric_number(context.comm, metric, answers.view());
            context.summary.result[metric.name] = number;  // NaN becomes null
            context.summary.show(metric.name, six_digits(number));
        }
        if (ensemble.task == model::Task::classification) report_confusion(context, ensemble, answers);
    }

  private:
    static pipeline::LoadedTable keep_groups_whole(comm::Communicator& comm, pipeline::LoadedTable table) {
        if (!table.cells) return {dist::keep_groups_whole(comm, std::move(table.rows)), std::nullopt};
        auto whole = dist::keep_groups_whole(comm, data::SparseTable{std::move(table.rows), std::move(*table.cells)});
        return {std::move(whole.rows), std::move(whole.cells)};
    }

    pipeline::LoadedTable load(pipeline::JobContext& context, const model::Ensemble& ensemble) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = data_;
        request.target = target_;
        request.expected = infer::expected_schema(ensemble);
        // Initial scores are read row by row from a column of their own.
        const auto form =
            infer::initial_score_column(ensemble).empty() ? dist::RowForm::sparse_if_better : dist::RowForm::dense;
        auto table = pipeline::load_table(context.comm, request, form, context.memory_limit_bytes);
        context.summary.read(data_);
        return table;
    }

    static dist::Answers answer_all(pipeline::JobContext& context, const model::Ensemble& ensemble,
                                    const data::TableShard& shard) {
        const auto phase = context.summary.phase("predict");
        dist::Answers answers;
        pipeline::agree_plainly(context.comm, [&] {
            const infer::Predictor predictor(ensemble, shard.schema);
            for (const std::string& warning : predictor.warnings()) context.summary.warn(warning);
            answers = dist::answer_rows(ensemble, predictor, shard);
            metric::validate(answers.view());
        });
        return answers;
    }

    /// With the features that the model asks about, block by block.
    static dist::Answers answer_sparse(pipeline::JobContext& context, const model::Ensemble& ensemble,
                                       const pipeline::LoadedTable& table) {
        const auto phase = context.summary.phase("predict");
        dist::Answers answers;
        pipeline::agree_plainly(context.comm, [&] {
            const infer::NarrowModel narrow = infer::narrow_model(ensemble);
            const auto columns = infer::sparse_columns_of(narrow.model, *table.cells);
            dist::for_each_dense_block(table.rows, *table.cells, columns, [&](const data::TableShard& block) {
                const infer::Predictor predictor(narrow.model, block.schema);
                dist::append(answers, dist::answer_rows(narrow.model, predictor, block));
            });
            metric::validate(answers.view());
        });
        return answers;
    }

    static void report_confusion(pipeline::JobContext& context, const model::Ensemble& ensemble,
                                 const dist::Answers& answers) {
        const std::size_t classes = ensemble.classes.size();
        if (classes > k_most_classes_in_matrix) return;
        const auto own = comm::agree_on(context.comm, [&] { return metric::accumulate_confusion(answers.view()); });
        const metric::Summary merged = dist::merge_on_root(context.comm, own);
        if (!context.comm.is_root()) return;
        const auto masses = metric::finish_confusion(merged, ensemble.outputs());
        auto matrix = nlohmann::ordered_json::array();
        for (std::size_t k = 0; k < classes; ++k)
            matrix.push_back(std::vector<double>(masses.begin() + static_cast<std::ptrdiff_t>(k * classes),
                                                 masses.begin() + static_cast<std::ptrdiff_t>((k + 1) * classes)));
        context.summary.details["classes"] = ensemble.classes;
        context.summary.details["confusion"] = std::move(matrix);  // rows: true class; columns: predicted class
    }

    std::string model_;
    std::string data_;
    std::string target_;
    std::vector<std::string> metrics_;
};

}  // namespace

pipeline::JobRow evaluate_job() {
    return {.name = "evaluate",
            .purpose = "metrics of a model on a table with labels",
            .group = "models",
            .example = "regrove evaluate --model tree.json --data table.h5 --metrics accuracy,log_loss",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<EvaluateJob>(); }};
}

}  // namespace regrove::jobs
