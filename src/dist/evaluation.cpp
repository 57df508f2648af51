// Rows to answers to mergeable summaries to numbers.
#include "regrove/dist/evaluation.hpp"

#include <algorithm>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/infer/labels.hpp"

namespace regrove::dist {

namespace {

/// Leaves that are held at once: rows times trees.
constexpr std::size_t k_leaf_bytes = std::size_t{64} << 20U;

const std::vector<std::string>& default_metrics(model::Task task) {
    static const std::vector<std::string> for_classes{"accuracy", "balanced_accuracy", "macro_f1", "log_loss",
                                                      "roc_auc"};
    static const std::vector<std::string> for_numbers{"rmse", "mae", "r2"};
    return task == model::Task::classification ? for_classes : for_numbers;
}

}  // namespace

metric::Predictions Answers::view() const {
    metric::Predictions view;
    view.rows = rows;
    view.classes = classes;
    view.true_class = true_class;
    view.predicted_class = predicted_class;
    view.probability = probability;
    view.true_value = true_value;
    view.predicted_value = predicted_value;
    view.weight = weight;
    view.group_begins = group_begins;
    return view;
}

void append(Answers& answers, const Answers& more) {
    const auto add = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
    add(answers.true_class, more.true_class);
    add(answers.predicted_class, more.predicted_class);
    add(answers.probability, more.probability);
    add(answers.true_value, more.true_value);
    add(answers.predicted_value, more.predicted_value);
    add(answers.weight, more.weight);
    add(answers.initial, more.initial);
    answers.rows += more.rows;
    answers.classes = more.classes;
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

std::vector<double> weights_of(const data::TableShard& shard) {
    const auto column = shard.schema.find(data::ColumnRole::weight);
    std::vector<double> weights(column ? shard.rows : 0);
    for (std::size_t row = 0; row < weights.size(); ++row)
        weights[row] = data::as_double(shard.schema.columns[*column].type, shard.values[*column], row);
    return weights;
}

namespace {

void predict_sums(Answers& answers, const model::Ensemble& ensemble, const infer::Predictor& predictor,
                  const data::TableShard& shard) {
    std::vector<double> raw = predictor.raw_scores(shard);
    if (ensemble.task == model::Task::regression) {
        answers.predicted_value = predictor.values_of(std::move(raw));
        return;
    }
    answers.predicted_class = predictor.classes_of(raw);
    answers.probability = predictor.probabilities_of(raw);
}

}  // namespace

Answers answer_rows(const model::Ensemble& ensemble, const infer::Predictor& predictor,
                    const data::TableShard& shard) {
    const std::size_t label = infer::label_column(ensemble, shard.schema);
    Answers answers;
    answers.rows = shard.rows;
    answers.weight = weights_of(shard);
    answers.initial = infer::initial_scores_of(ensemble, shard);
    if (ensemble.task == model::Task::regression) {
        answers.true_value = infer::true_values(shard, label);
    } else {
        answers.classes = ensemble.outputs();
        answers.true_class = infer::true_classes(ensemble, shard, label);
    }
    if (predictor.sums()) {
        predict_sums(answers, ensemble, predictor, shard);
        return answers;
    }
    const std::size_t step = std::max<std::size_t>(k_leaf_bytes / (ensemble.trees.size() * sizeof(NodeId)), 1);
    const auto add = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
    for (std::size_t begin = 0; begin < shard.rows; begin += step) {
        const data::TableShard block =
            shard.rows <= step ? data::TableShard{} : data::slice(shard, begin, std::min(begin + step, shard.rows));
        Answers some;
        if (!answers.initial.empty())
            some.initial.assign(answers.initial.begin() + static_cast<std::ptrdiff_t>(begin),
                                answers.initial.begin() +
                                    static_cast<std::ptrdiff_t>(std::min<std::size_t>(begin + step, shard.rows)));
        predict_again(some, ensemble, predictor, predictor.leaves(shard.rows <= step ? shard : block), true);
        add(answers.predicted_value, some.predicted_value);
        add(answers.predicted_class, some.predicted_class);
        add(answers.probability, some.probability);
    }
    return answers;
}

void predict_again(Answers& answers, const model::Ensemble& ensemble, const infer::Predictor& predictor,
                   const std::vector<NodeId>& leaves, bool with_probabilities) {
    if (ensemble.task == model::Task::regression) {
        answers.predicted_value = predictor.values(leaves, answers.initial);
        return;
    }
    answers.predicted_class = predictor.classes(leaves, answers.initial);
    if (with_probabilities) answers.probability = predictor.probabilities(leaves, answers.initial);
}

metric::Summary merge_on_root(comm::Communicator& comm, const metric::Summary& own) {
    metric::Summary merged;
    for (const std::string& bytes : comm.gather(metric::pack(own)))
        merged = metric::merge(merged, metric::unpack_summary(bytes));
    return merged;
}

double metric_number(comm::Communicator& comm, const metric::Metric& metric, const metric::Predictions& view) {
    const auto own = comm::agree_on(comm, [&] {
        if (metric.needs_groups && view.rows != 0 && view.group_begins.empty())
            throw ConfigError("metric " + metric.name +
                              " ranks the rows of each group, and these rows have no whole groups here: evaluate the "
                              "model on a table with a group column");
        return metric.accumulate(view);
    });
    const metric::Summary merged = merge_on_root(comm, own);
    std::vector<double> number(1);
    if (comm.is_root()) number[0] = metric.finish(merged, view.classes);
    comm.broadcast(number);
    return number[0];
}

}  // namespace regrove::dist
