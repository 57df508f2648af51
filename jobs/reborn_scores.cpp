#include "reborn_scores.hpp"

#include <array>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "regrove/comm/agreement.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/metric/registry.hpp"

namespace regrove::jobs {

namespace {

/// The label's column, or none: a table without labels still has rows to count.
std::optional<std::size_t> label_of(const model::Ensemble& model, const data::Schema& schema) {
    const auto marked = schema.find(data::ColumnRole::label);
    return marked ? marked : schema.find(model.label_name);
}

std::uint64_t differences(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
    std::uint64_t count = 0;
    for (std::size_t row = 0; row < a.size(); ++row) count += a[row] != b[row] ? 1 : 0;
    return count;
}

double metric_of(comm::Communicator& comm, const char* name, const dist::Answers& answers) {
    return dist::metric_number(comm, metric::find_metric(name, metric::Task::classification), answers.view());
}

std::string three_digits(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3f", value);
    return text.data();
}

}  // namespace

std::vector<ModelScore> score_models(comm::Communicator& comm, const std::vector<NamedModel>& models,
                                     const data::TableShard& shard) {
    std::vector<ModelScore> scores;
    std::vector<std::int32_t> first;
    for (const NamedModel& named : models) {
        const model::Ensemble& model = *named.model;
        const auto label = label_of(model, shard.schema);
        const dist::Answers answers = comm::agree_on(comm, [&] {
            const infer::Predictor predictor(model, shard.schema);
            if (label) return dist::answer_rows(model, predictor, shard);
            dist::Answers some;
            dist::predict_again(some, model, predictor, predictor.leaves(shard), false);
            return some;
        });
        if (scores.empty()) first = answers.predicted_class;
        ModelScore score{named.name, comm.sum(differences(first, answers.predicted_class)), {}, {}};
        if (label) {
            score.accuracy = metric_of(comm, "accuracy", answers);
            score.macro_f1 = metric_of(comm, "macro_f1", answers);
        }
        scores.push_back(score);
    }
    return scores;
}

nlohmann::ordered_json scores_json(const std::vector<ModelScore>& scores, std::uint64_t rows) {
    nlohmann::ordered_json json;
    json["rows"] = rows;
    for (const ModelScore& score : scores) {
        auto& own = json[score.name];
        if (score.accuracy) own["accuracy"] = *score.accuracy;
        if (score.macro_f1) own["macro_f1"] = *score.macro_f1;
        own["answers_changed"] = score.answers_changed;
    }
    return json;
}

void show_scores(pipeline::Summary& summary, const std::vector<ModelScore>& scores, const std::string& table) {
    for (const ModelScore& score : scores) {
        std::string text;
        if (score.accuracy) {
            text = "accuracy " + three_digits(*score.accuracy) + ", macro F1 " + three_digits(*score.macro_f1) + ", ";
        }
        text += "other class than the ensemble for " + std::to_string(score.answers_changed) + " rows";
        if (&score == &scores.front())
            text.resize(text.rfind(", other class") != std::string::npos ? text.rfind(", other class") : 0);
        if (!text.empty()) summary.show(score.name + " on " + table, text);
    }
}

}  // namespace regrove::jobs
