// Rows drawn by every tree have no answer and do not count.
#include "regrove/dist/out_of_bag.hpp"

#include <algorithm>
#include <limits>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/infer/labels.hpp"

namespace regrove::dist {

namespace {

std::int32_t class_of(std::span<const double> answer) {
    return static_cast<std::int32_t>(std::max_element(answer.begin(), answer.end()) - answer.begin());
}

/// The answers and labels of the rows that count.
Answers answers_that_count(const GrownForest& grown, const data::TableShard& rows) {
    const model::Ensemble& ensemble = grown.ensemble;
    const std::size_t outputs = ensemble.outputs();
    const std::size_t label = infer::label_column(ensemble, rows.schema);
    const std::vector<double> weights = weights_of(rows);
    const bool numbers = ensemble.task == model::Task::regression;
    const auto classes = numbers ? std::vector<std::int32_t>{} : infer::true_classes(ensemble, rows, label);
    const auto values = numbers ? infer::true_values(rows, label) : std::vector<double>{};
    Answers answers;
    answers.classes = numbers ? 0 : ensemble.outputs();
    for (std::size_t row = 0; row < rows.rows; ++row) {
        if (grown.out_of_bag->trees[row] == 0) continue;
        const std::span<const double> answer(grown.out_of_bag->answer.data() + row * outputs, outputs);
        ++answers.rows;
        if (!weights.empty()) answers.weight.push_back(weights[row]);
        if (numbers) {
            answers.true_value.push_back(values[row]);
            answers.predicted_value.push_back(answer[0]);
        } else {
            answers.true_class.push_back(classes[row]);
            answers.predicted_class.push_back(class_of(answer));
            answers.probability.insert(answers.probability.end(), answer.begin(), answer.end());
        }
    }
    return answers;
}

}  // namespace

OutOfBagScore score_out_of_bag(comm::Communicator& comm, const GrownForest& grown, const data::TableShard& rows) {
    REGROVE_CHECK(grown.out_of_bag.has_value());
    const Answers answers = comm::agree_on(comm, [&] { return answers_that_count(grown, rows); });
    OutOfBagScore score;
    score.rows = comm.sum(static_cast<std::uint64_t>(answers.rows));
    if (score.rows == 0) return score;
    for (const metric::Metric& metric : chosen_metrics({}, grown.ensemble.task)) {
        score.metrics.emplace_back(metric.name, metric_number(comm, metric, answers.view()));
    }
    return score;
}

void require_free_names(const data::Schema& schema) {
    for (const data::ColumnSchema& column : schema.columns) {
        if (column.role != data::ColumnRole::id) continue;
        const bool taken = column.name == "trees" || column.name == "class" || column.name == "value" ||
                           column.name.starts_with("probability_");
        if (!taken) continue;
        throw InputError("the id column '" + column.name +
                         "' has the name of a column of the out-of-bag answers; rename it, or leave it out");
    }
}

data::TableShard out_of_bag_table(const GrownForest& grown, const data::TableShard& rows) {
    REGROVE_CHECK(grown.out_of_bag.has_value());
    const model::Ensemble& ensemble = grown.ensemble;
    const std::size_t outputs = ensemble.outputs();
    const OutOfBag& oob = *grown.out_of_bag;
    data::TableShard table;
    table.rows = rows.rows;
    table.first_row = rows.first_row;
    table.global_rows = rows.global_rows;
    for (std::size_t c = 0; c < rows.schema.columns.size(); ++c) {
        if (rows.schema.columns[c].role != data::ColumnRole::id) continue;
        table.schema.columns.push_back(rows.schema.columns[c]);
        table.values.push_back(rows.values[c]);
    }
    const auto add = [&](data::ColumnSchema column, data::ColumnValues values) {
        table.schema.columns.push_back(std::move(column));
        table.values.push_back(std::move(values));
    };
    add({"trees", data::ColumnType::int32, data::ColumnRole::feature, {}},
        std::vector<std::int32_t>(oob.trees.begin(), oob.trees.end()));
    const auto output_column = [&](std::size_t k) {
        std::vector<double> column(rows.rows, std::numeric_limits<double>::quiet_NaN());
        for (std::size_t row = 0; row < rows.rows; ++row) {
            if (oob.trees[row] != 0) column[row] = oob.answer[row * outputs + k];
        }
        return column;
    };
    if (ensemble.task == model::Task::regression) {
        add({"value", data::ColumnType::float64, data::ColumnRole::feature, {}}, output_column(0));
        return table;
    }
    std::vector<std::int32_t> classes(rows.rows, data::k_missing_category);
    for (std::size_t row = 0; row < rows.rows; ++row) {
        if (oob.trees[row] != 0) classes[row] = class_of({oob.answer.data() + row * outputs, outputs});
    }
    add({"class", data::ColumnType::category, data::ColumnRole::feature, ensemble.classes}, std::move(classes));
    for (std::size_t k = 0; k < outputs; ++k) {
        add({"probability_" + ensemble.classes[k], data::ColumnType::float64, data::ColumnRole::feature, {}},
            output_column(k));
    }
    return table;
}

}  // namespace regrove::dist
