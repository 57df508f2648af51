// Sorting, wording, and columns.
#include "regrove/pipeline/importance_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regrove/core/number_text.hpp"
#include "regrove/draw/figure_text.hpp"

namespace regrove::pipeline {

namespace {

std::string counted(std::uint64_t count, const std::string& word) {
    return draw::count_text(count, word, word + "s");
}

void sort_by_importance(std::vector<ExplainedFeature>& features) {
    std::ranges::stable_sort(features, [](const auto& a, const auto& b) { return a.importance > b.importance; });
}

/// A table with a row for each feature, filled column by column.
class FeatureTable {
  public:
    explicit FeatureTable(const std::vector<ExplainedFeature>& features) : features_(features) {
        shard_.rows = shard_.global_rows = features.size();
    }
    /// A column of what `cell` says of each feature.
    template <class Cell>
    void add(std::string name, data::ColumnType type, Cell cell) {
        std::vector<decltype(cell(features_.front()))> values;
        for (const ExplainedFeature& feature : features_) values.push_back(cell(feature));
        const auto role = type == data::ColumnType::text ? data::ColumnRole::id : data::ColumnRole::feature;
        shard_.schema.columns.push_back({std::move(name), type, role, {}});
        shard_.values.emplace_back(std::move(values));
    }
    template <class Number>
    void add_numbers(std::string name, Number number) {
        add(std::move(name), data::ColumnType::float64, number);
    }
    data::TableShard take() && { return std::move(shard_); }

  private:
    const std::vector<ExplainedFeature>& features_;
    data::TableShard shard_;
};

draw::Bar bar_of(const ExplainedFeature& feature, const std::string& name) {
    draw::Bar bar;
    bar.label = name;
    bar.value = feature.importance;
    bar.details = name + "\nimportance " + to_text(feature.importance);
    if (feature.is_permuted()) {
        if (!std::isnan(feature.permutation.standard_error)) bar.error = feature.permutation.standard_error;
        for (const double loss : feature.permutation.losses) bar.details += "\nloss " + to_text(loss);
    } else {
        bar.details += "\ntotal gain " + to_text(feature.gain.total_gain);
    }
    bar.details += "\n" + counted(feature.gain.splits, "split") + ", cover " + to_text(feature.gain.cover);
    return bar;
}

void word_gain(draw::BarChart& chart, const std::string& label) {
    chart.title = "Importance by gain for " + label;
    chart.subtitle += " · shares of the impurity that questions took away in training";
    chart.value_title = "share of the impurity decrease";
}

void word_permutation(draw::BarChart& chart, const std::string& label, const ImportanceReport& report) {
    chart.title = "Permutation importance for " + label;
    chart.subtitle += " · " + counted(report.rows, "row") + " · " + report.metric + " " +
                      draw::value_text(report.baseline) + " · " + counted(report.repeats, "repeat");
    chart.value_title = "how much worse " + report.metric + " gets when a feature is permuted";
    if (report.repeats > 1)
        chart.notes.emplace_back("Bars are means over the repeats; lines reach one standard error to either side.");
}

}  // namespace

ImportanceReport report_gain(const model::Ensemble& ensemble) {
    ImportanceReport report;
    for (const infer::GainImportance& gain : infer::gain_importance(ensemble))
        report.features.push_back({report.features.size(), gain.importance, gain, {}});
    sort_by_importance(report.features);
    return report;
}

ImportanceReport report_permutation(const model::Ensemble& ensemble, const dist::PermutationResult& result,
                                    const std::string& metric, std::uint64_t rows) {
    ImportanceReport report;
    report.metric = metric;
    report.baseline = result.baseline;
    report.rows = rows;
    const auto gains = infer::gain_importance(ensemble);
    for (std::size_t f = 0; f < gains.size(); ++f) {
        report.features.push_back({f, result.features[f].mean, gains[f], result.features[f]});
        report.repeats = static_cast<std::uint32_t>(result.features[f].losses.size());
    }
    sort_by_importance(report.features);
    return report;
}

data::TableShard importance_table(const ImportanceReport& report, const model::Ensemble& ensemble) {
    FeatureTable table(report.features);
    table.add("feature", data::ColumnType::text,
              [&](const auto& row) { return ensemble.features[row.feature].name; });
    table.add_numbers("importance", [](const auto& row) { return row.importance; });
    if (report.metric.empty()) {
        table.add_numbers("total_gain", [](const auto& row) { return row.gain.total_gain; });
    } else {
        table.add_numbers("standard_error", [](const auto& row) { return row.permutation.standard_error; });
        table.add_numbers("standard_deviation", [](const auto& row) { return row.permutation.standard_deviation; });
    }
    table.add("splits", data::ColumnType::int64,
              [](const auto& row) { return static_cast<std::int64_t>(row.gain.splits); });
    table.add_numbers("cover", [](const auto& row) { return row.gain.cover; });
    return std::move(table).take();
}

draw::BarChart importance_chart(const ImportanceReport& report, const model::Ensemble& ensemble, std::size_t top) {
    draw::BarChart chart;
    chart.subtitle = ensemble.trees.size() == 1 ? "one tree" : counted(ensemble.trees.size(), "tree");
    if (report.metric.empty())
        word_gain(chart, ensemble.label_name);
    else
        word_permutation(chart, ensemble.label_name, report);
    std::size_t unused = 0;
    for (const ExplainedFeature& feature : report.features) {
        if (!feature.is_used())
            ++unused;
        else if (chart.bars.size() < top)
            chart.bars.push_back(bar_of(feature, ensemble.features[feature.feature].name));
    }
    const std::size_t left_out = report.features.size() - unused - chart.bars.size();
    if (left_out > 0) chart.notes.push_back("Not shown: " + counted(left_out, "less important feature") + ".");
    if (unused > 0)
        chart.notes.push_back("No question asks for " + counted(unused, "feature") + ": importance exactly 0.");
    return chart;
}

std::string importance_figures(const ExplainedFeature& feature) {
    std::string text = draw::value_text(feature.importance);
    if (feature.is_permuted() && !std::isnan(feature.permutation.standard_error))
        text += " ± " + draw::error_text(feature.permutation.standard_error);
    return text + " (" + counted(feature.gain.splits, "split") + ")";
}

}  // namespace regrove::pipeline
