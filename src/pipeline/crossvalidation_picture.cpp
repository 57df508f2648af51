// Two lines over folds or values.
#include "regrove/pipeline/crossvalidation_picture.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "regrove/core/number_text.hpp"

namespace regrove::pipeline {

namespace {

void add_point(draw::ChartLine& line, double x, double y, double error) {
    if (std::isfinite(y)) line.points.push_back({x, y, std::isfinite(error) ? error : 0});
}

/// The values as numbers; nullopt when one is none.
std::optional<std::vector<double>> numbers(const std::vector<std::string>& values) {
    std::vector<double> parsed;
    for (const std::string& value : values) {
        const auto number = parse_double(value);
        if (number.status != NumberStatus::ok || !std::isfinite(number.value)) return std::nullopt;
        parsed.push_back(number.value);
    }
    return parsed;
}

std::string listed(const std::vector<std::string>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(i + 1) + ": " + values[i];
    return text;
}

std::string trials_text(const dist::TrialPlan& plan) {
    if (plan.trials() == 1) return "one table to learn from, one to judge by";
    return std::to_string(plan.folds()) + " folds" +
           (plan.repeats() > 1 ? ", " + std::to_string(plan.repeats()) + " repeats" : "") +
           (plan.made() ? " (" + std::string(train::to_text(plan.made()->method)) + ")" : " (from files)");
}

void add_by_value(draw::LineChart& chart, const SweepResults& results) {
    chart.title += " by " + results.sweep.option;
    chart.x_title = results.sweep.option;
    std::vector<double> places(results.sweep.values.size());
    if (const auto parsed = numbers(results.sweep.values)) {
        places = *parsed;
    } else {
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<double>(i + 1);
        chart.notes.push_back(results.sweep.option + " " + listed(results.sweep.values));
    }
    for (std::size_t value = 0; value < results.results.size(); ++value) {
        const auto over = metrics_over_trials(results.results[value], results.metrics);
        add_point(chart.lines[0], places[value], over[0].test.mean, over[0].test.standard_error);
        add_point(chart.lines[1], places[value], over[0].train.mean, over[0].train.standard_error);
    }
    for (auto& line : chart.lines) std::ranges::stable_sort(line.points, {}, &draw::ChartPoint::x);
    if (results.plan.trials() > 1) chart.notes.emplace_back("Bars: one standard error of the mean, up and down.");
}

void add_by_fold(draw::LineChart& chart, const SweepResults& results) {
    chart.x_title = results.plan.repeats() > 1 ? "fold, repeat after repeat" : "fold";
    const auto over = metrics_over_trials(results.results.front(), results.metrics);
    for (std::size_t trial = 0; trial < over[0].test_by_trial.size(); ++trial) {
        add_point(chart.lines[0], static_cast<double>(trial + 1), over[0].test_by_trial[trial], 0);
        add_point(chart.lines[1], static_cast<double>(trial + 1), over[0].train_by_trial[trial], 0);
    }
    if (results.plan.made() && !results.plan.made()->names.empty())
        chart.notes.push_back("Folds " + listed(results.plan.made()->names));
    chart.notes.push_back("Mean of held-out rows " + regrove::to_text(over[0].test.mean) +
                          (std::isfinite(over[0].test.standard_error)
                               ? ", standard error " + regrove::to_text(over[0].test.standard_error)
                               : ""));
}

}  // namespace

draw::LineChart crossvalidation_chart(const SweepResults& results) {
    draw::LineChart chart;
    chart.title = "Cross-validated " + results.metrics.front().name;
    if (results.plan.trials() == 1) chart.title = "Held-out " + results.metrics.front().name;
    chart.subtitle = trials_text(results.plan);
    chart.y_title = results.metrics.front().name;
    chart.lines.resize(2);
    chart.lines[0].name = "held-out rows";
    chart.lines[1].name = "training rows";
    if (results.sweep.option.empty())
        add_by_fold(chart, results);
    else
        add_by_value(chart, results);
    return chart;
}

}  // namespace regrove::pipeline
