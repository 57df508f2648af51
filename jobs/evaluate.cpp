// Job evaluate: how good a model's answers are for a table with labels, the same on any number of ranks.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/infer/labels.hpp"
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

const std::vector<std::string>& default_metrics(model::Task task) {
    static const std::vector<std::string> for_classes{"accuracy", "balanced_accuracy", "macro_f1", "log_loss",
                                                      "roc_auc"};
    static const std::vector<std::string> for_numbers{"rmse", "mae", "r2"};
    return task == model::Task::classification ? for_classes : for_numbers;
}

std::vector<metric::Metric> chosen_metrics(const std::vector<std::string>& names, model::Task task) {
    const auto metric_task =
        task == model::Task::classification ? metric::Task::classification : metric::Task::regression;
    std::vector<metric::Metric> metrics;
    for (const std::string& name : names.empty() ? default_metrics(task) : names)
        metrics.push_back(metric::find_metric(name, metric_task));
    return metrics;
}

std::string metric_names() {
    std::string names;
    for (const metric::Metric& metric : metric::all_metrics()) names += (names.empty() ? "" : ", ") + metric.name;
    return names;
}

/// Owns the columns that metric::Predictions views.
struct Answers {
    std::vector<std::int32_t> true_class;
    std::vector<std::int32_t> predicted_class;
    std::vector<double> probability;
    std::vector<double> true_value;
    std::vector<double> predicted_value;
    std::vector<double> weight;
    std::size_t rows = 0;
    std::uint32_t classes = 0;

    metric::Predictions view() const {
        metric::Predictions view;
        view.rows = rows;
        view.classes = classes;
        view.true_class = true_class;
        view.predicted_class = predicted_class;
        view.probability = probability;
        view.true_value = true_value;
        view.predicted_value = predicted_value;
        view.weight = weight;
        return view;
    }
};

std::vector<double> weights_of(const data::TableShard& shard) {
    const auto column = shard.schema.find(data::ColumnRole::weight);
    std::vector<double> weights(column ? shard.rows : 0);
    for (std::size_t row = 0; row < weights.size(); ++row)
        weights[row] = data::as_double(shard.schema.columns[*column].type, shard.values[*column], row);
    return weights;
}

Answers answer(const model::Ensemble& ensemble, const infer::Predictor& predictor, const data::TableShard& shard) {
    const std::size_t label = infer::label_column(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    Answers answers;
    answers.rows = shard.rows;
    answers.weight = weights_of(shard);
    if (ensemble.task == model::Task::regression) {
        answers.true_value = infer::true_values(shard, label);
        answers.predicted_value = predictor.raw(leaves);
        return answers;
    }
    answers.classes = ensemble.outputs();
    answers.true_class = infer::true_classes(ensemble, shard, label);
    answers.predicted_class = predictor.classes(leaves);
    answers.probability = predictor.probabilities(leaves);
    return answers;
}

/// The merge of all ranks' summaries, on the root; an empty one elsewhere.
metric::Summary merge_on_root(comm::Communicator& comm, const metric::Summary& own) {
    metric::Summary merged;
    for (const std::string& bytes : comm.gather(metric::pack(own)))
        merged = metric::merge(merged, metric::unpack_summary(bytes));
    return merged;
}

/// One metric's number over all ranks, the same on every rank.
double number_of(comm::Communicator& comm, const metric::Metric& metric, const metric::Predictions& view) {
    const auto own = comm::agree_on(comm, [&] { return metric.accumulate(view); });
    const metric::Summary merged = merge_on_root(comm, own);
    std::vector<double> number(1);
    if (comm.is_root()) number[0] = metric.finish(merged, view.classes);
    comm.broadcast(number);
    return number[0];
}

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
                  "metrics to compute, of: " + metric_names() + "; default: by the model's task");
        table.add("target", target_, "label column by name or index; default: the table's label, or the model's")
            .value_name("COL");
    }

    void run(pipeline::JobContext& context) override {
        for (const auto& [name, value] : {std::pair("model", model_), std::pair("data", data_)})
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        const auto ensemble = pipeline::load_model(context.comm, model_);
        context.summary.read(model_);
        const auto metrics = chosen_metrics(metrics_, ensemble.task);
        const auto shard = load(context, ensemble);
        const Answers answers = answer_all(context, ensemble, shard);
        const auto phase = context.summary.phase("evaluate");
        context.summary.show("rows", std::to_string(shard.global_rows));
        context.summary.details["rows"] = shard.global_rows;
        for (const metric::Metric& metric : metrics) {
            const double number = number_of(context.comm, metric, answers.view());
            context.summary.result[metric.name] = number;  // NaN becomes null
            context.summary.show(metric.name, six_digits(number));
        }
        if (ensemble.task == model::Task::classification) report_confusion(context, ensemble, answers);
    }

  private:
    data::TableShard load(pipeline::JobContext& context, const model::Ensemble& ensemble) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = data_;
        request.target = target_;
        request.expected = infer::expected_schema(ensemble);
        auto shard = pipeline::load_table(context.comm, request);
        context.summary.read(data_);
        return shard;
    }

    static Answers answer_all(pipeline::JobContext& context, const model::Ensemble& ensemble,
                              const data::TableShard& shard) {
        const auto phase = context.summary.phase("predict");
        Answers answers;
        pipeline::agree_plainly(context.comm, [&] {
            const infer::Predictor predictor(ensemble, shard.schema);
            for (const std::string& warning : predictor.warnings()) context.summary.warn(warning);
            answers = answer(ensemble, predictor, shard);
            metric::validate(answers.view());
        });
        return answers;
    }

    static void report_confusion(pipeline::JobContext& context, const model::Ensemble& ensemble,
                                 const Answers& answers) {
        const std::size_t classes = ensemble.classes.size();
        if (classes > k_most_classes_in_matrix) return;
        const auto own = comm::agree_on(context.comm, [&] { return metric::accumulate_confusion(answers.view()); });
        const metric::Summary merged = merge_on_root(context.comm, own);
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
