// Tables are made column by column; every rank makes the same, but for the held-out answers.
#include "regrove/pipeline/crossvalidation_tables.hpp"

#include <utility>

namespace regrove::pipeline {

namespace {

using data::ColumnType;

void add_column(data::TableShard& table, std::string name, ColumnType type, data::ColumnValues values) {
    table.rows = table.global_rows = data::row_count(values);
    table.schema.columns.push_back({std::move(name), type, data::ColumnRole::feature, {}});
    table.values.push_back(std::move(values));
}

/// The numbers of all trials of all values, by a function of (result, trial).
template <class Number>
std::vector<double> of_all(const SweepResults& results, Number&& number) {
    std::vector<double> values;
    for (const auto& result : results.results)
        for (const auto& trial : result.trials) values.push_back(number(trial));
    return values;
}

void add_option(data::TableShard& table, const SweepResults& results, std::size_t times) {
    if (results.sweep.option.empty()) return;
    std::vector<std::string> values;
    for (const std::string& value : results.sweep.values) values.insert(values.end(), times, value);
    add_column(table, results.sweep.option, ColumnType::text, std::move(values));
}

/// Counted from one; given folds by their names.
void add_folds(data::TableShard& table, const dist::TrialPlan& plan, const std::vector<std::uint32_t>& folds) {
    const bool named = plan.made() && !plan.made()->names.empty();
    std::vector<std::int32_t> codes;
    codes.reserve(folds.size());
    for (const auto fold : folds) codes.push_back(static_cast<std::int32_t>(fold) + (named ? 0 : 1));
    add_column(table, "fold", named ? ColumnType::category : ColumnType::int32, std::move(codes));
    if (named) table.schema.columns.back().categories = plan.made()->names;
}

void add_answers(data::TableShard& table, const dist::Answers& answers, std::size_t begin, std::size_t end,
                 const std::vector<std::string>& classes) {
    const auto some = [&](const auto& all) {
        return std::decay_t<decltype(all)>(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                           all.begin() + static_cast<std::ptrdiff_t>(end));
    };
    if (answers.classes == 0) {
        add_column(table, "truth", ColumnType::float64, some(answers.true_value));
        add_column(table, "value", ColumnType::float64, some(answers.predicted_value));
        return;
    }
    add_column(table, "truth", ColumnType::category, some(answers.true_class));
    table.schema.columns.back().categories = classes;
    add_column(table, "class", ColumnType::category, some(answers.predicted_class));
    table.schema.columns.back().categories = classes;
    for (std::size_t k = 0; k < classes.size(); ++k) {
        std::vector<double> probability;
        for (std::size_t row = begin; row < end; ++row)
            probability.push_back(answers.probability[row * classes.size() + k]);
        add_column(table, "probability_" + classes[k], ColumnType::float64, std::move(probability));
    }
}

}  // namespace

std::vector<MetricOverTrials> metrics_over_trials(const dist::CrossValidation& result,
                                                  const std::vector<metric::Metric>& metrics) {
    std::vector<MetricOverTrials> over;
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        MetricOverTrials one;
        one.name = metrics[m].name;
        for (const auto& trial : result.trials) {
            one.train_by_trial.push_back(trial.train[m]);
            one.test_by_trial.push_back(trial.test[m]);
        }
        one.train = dist::mean_of(one.train_by_trial);
        one.test = dist::mean_of(one.test_by_trial);
        one.pooled = result.pooled[m];
        over.push_back(std::move(one));
    }
    return over;
}

dist::MeanOfTrials leaves_over_trials(const dist::CrossValidation& result) {
    std::vector<double> leaves;
    for (const auto& trial : result.trials) leaves.push_back(trial.leaves);
    return dist::mean_of(leaves);
}

data::TableShard trial_table(const SweepResults& results) {
    const dist::TrialPlan& plan = results.plan;
    data::TableShard table;
    add_option(table, results, plan.trials());
    std::vector<std::int32_t> repeats;
    std::vector<std::uint32_t> folds;
    for (std::size_t value = 0; value < results.results.size(); ++value)
        for (std::uint64_t trial = 0; trial < plan.trials(); ++trial) {
            repeats.push_back(static_cast<std::int32_t>(plan.repeat(trial)) + 1);
            folds.push_back(static_cast<std::uint32_t>(plan.fold(trial)));
        }
    add_column(table, "repeat", ColumnType::int32, std::move(repeats));
    add_folds(table, plan, folds);
    using Figures = dist::TrialFigures;
    const auto add = [&](std::string name, auto number) {
        add_column(table, std::move(name), ColumnType::float64, of_all(results, number));
    };
    add("train_rows", [](const Figures& f) { return static_cast<double>(f.train_rows); });
    add("test_rows", [](const Figures& f) { return static_cast<double>(f.test_rows); });
    add("leaves", [](const Figures& f) { return f.leaves; });
    add("depth", [](const Figures& f) { return f.depth; });
    for (std::size_t m = 0; m < results.metrics.size(); ++m) {
        add("train_" + results.metrics[m].name, [m](const Figures& f) { return f.train[m]; });
        add("test_" + results.metrics[m].name, [m](const Figures& f) { return f.test[m]; });
    }
    return table;
}

data::TableShard means_table(const SweepResults& results) {
    data::TableShard table;
    add_option(table, results, 1);
    const auto add = [&](std::string name, auto number) {
        std::vector<double> values;
        for (const auto& result : results.results) values.push_back(number(result));
        add_column(table, std::move(name), ColumnType::float64, std::move(values));
    };
    using Result = dist::CrossValidation;
    add("trials", [](const Result& result) { return static_cast<double>(result.trials.size()); });
    add("leaves", [](const Result& result) { return leaves_over_trials(result).mean; });
    std::vector<std::vector<MetricOverTrials>> over;
    for (const auto& result : results.results) over.push_back(metrics_over_trials(result, results.metrics));
    for (std::size_t m = 0; m < results.metrics.size(); ++m) {
        const std::string& name = results.metrics[m].name;
        const auto add_metric = [&](std::string column, auto number) {
            std::size_t value = 0;
            add(std::move(column), [&](const Result&) { return number(over[value++][m]); });
        };
        add_metric("train_" + name, [](const MetricOverTrials& o) { return o.train.mean; });
        add_metric("train_" + name + "_standard_error",
                   [](const MetricOverTrials& o) { return o.train.standard_error; });
        add_metric("test_" + name, [](const MetricOverTrials& o) { return o.test.mean; });
        add_metric("test_" + name + "_standard_error",
                   [](const MetricOverTrials& o) { return o.test.standard_error; });
        add_metric("pooled_" + name, [](const MetricOverTrials& o) { return o.pooled; });
    }
    return table;
}

std::vector<data::TableShard> held_out_tables(const dist::CrossValidationRun& run, const dist::HeldOut& held_out) {
    std::vector<data::TableShard> sheets;
    for (std::size_t sheet = 0; sheet < run.plan.sheets(); ++sheet) {
        const dist::TrialTable& table = run.tables[run.plan.table_of_sheet(sheet)];
        const std::size_t begin = held_out.sheet_begins[sheet];
        const std::size_t end = held_out.sheet_begins[sheet + 1];
        data::TableShard part;
        const auto repeat = run.plan.made() ? static_cast<std::int32_t>(sheet) + 1 : 1;
        add_column(part, "repeat", ColumnType::int32, std::vector<std::int32_t>(end - begin, repeat));
        add_folds(part, run.plan,
                  {held_out.fold.begin() + static_cast<std::ptrdiff_t>(begin),
                   held_out.fold.begin() + static_cast<std::ptrdiff_t>(end)});
        std::vector<std::int64_t> rows;
        for (auto row = table.own_begin(); row < table.own_end(); ++row)
            rows.push_back(static_cast<std::int64_t>(row));
        add_column(part, "row", ColumnType::int64, std::move(rows));
        const auto label = table.schema().find(data::ColumnRole::label);
        add_answers(part, held_out.answers, begin, end, table.schema().columns[*label].categories);
        part.first_row = table.own_begin();
        part.global_rows = table.rows();
        sheets.push_back(std::move(part));
    }
    return sheets;
}

}  // namespace regrove::pipeline
