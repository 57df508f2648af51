// One row, line or point a level.
#include "path_report.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/number_text.hpp"
#include "regrove/draw/figure_text.hpp"

namespace regrove::jobs {
namespace {

constexpr std::size_t k_most_lines = 12;

std::string level_words(const prune::PathLevel& level) {
    return draw::count_text(level.leaves, "leaf", "leaves") + ", impurity " + draw::value_text(level.impurity);
}

draw::ChartLine impurity_line(const PathReport& report) {
    draw::ChartLine line;
    line.name = "impurity of the leaves";
    line.steps = true;
    line.dots = false;
    for (const prune::PathLevel& level : report.levels) line.points.push_back({level.alpha, level.impurity, 0});
    return line;
}

draw::ChartLine error_line(const PathReport& report) {
    draw::ChartLine line;
    line.name = "cross-validated " + report.error_name() + " ± one standard error";
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
        const double candidate = report.candidates[i];
        const double x = std::isfinite(candidate) ? candidate : report.levels[i].alpha;
        line.points.push_back({x, report.errors[i].mean, report.errors[i].standard_error});
    }
    return line;
}

/// Where the chosen alpha meets the chart's line.
std::optional<draw::ChartMark> mark_of(const PathReport& report, const draw::ChartLine& line) {
    if (!report.alpha) return std::nullopt;
    std::size_t at = 0;
    for (std::size_t i = 0; i < line.points.size(); ++i)
        if (line.points[i].x <= *report.alpha) at = i;
    if (report.chosen) at = *report.chosen;
    if (*report.alpha == 0) at = 0;
    const double x = report.chosen ? line.points[at].x : *report.alpha;
    return draw::ChartMark{
        x, line.points[at].y,
        "alpha " + draw::value_text(*report.alpha) + ", " + draw::count_text(*report.leaves, "leaf", "leaves")};
}

}  // namespace

std::string path_csv(const PathReport& report) {
    const bool judged = !report.errors.empty();
    std::string text = "alpha,leaves,impurity,cuts";
    if (judged) text += ",candidate_alpha,cv_mean,cv_standard_error,chosen";
    text += '\n';
    for (std::size_t i = 0; i < report.levels.size(); ++i) {
        const prune::PathLevel& level = report.levels[i];
        text += to_text(level.alpha) + ',' + std::to_string(level.leaves) + ',' + to_text(level.impurity) + ',' +
                std::to_string(level.cuts);
        if (judged)
            text += ',' + to_text(report.candidates[i]) + ',' + to_text(report.errors[i].mean) + ',' +
                    to_text(report.errors[i].standard_error) + ',' + (i == report.chosen ? '1' : '0');
        text += '\n';
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> path_lines(const PathReport& report) {
    std::vector<std::pair<std::string, std::string>> lines;
    const std::size_t levels = report.levels.size();
    const std::size_t shown = std::min(levels, k_most_lines);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t at = shown < 2 ? 0 : i * (levels - 1) / (shown - 1);
        const prune::PathLevel& level = report.levels[at];
        lines.emplace_back("alpha " + draw::value_text(level.alpha), level_words(level));
    }
    return lines;
}

draw::LineChart path_chart(const PathReport& report) {
    draw::LineChart chart;
    chart.title = "Cost-complexity path";
    chart.subtitle = draw::count_text(report.levels.front().leaves, "leaf", "leaves") + " unpruned, " +
                     draw::count_text(report.levels.size(), "level", "levels");
    if (report.trees > 1) chart.subtitle = draw::count_text(report.trees) + " trees, " + chart.subtitle;
    chart.x_title = "alpha";
    chart.x_scale = draw::AxisScale::logarithmic;
    chart.y_from_zero = true;
    const bool judged = !report.errors.empty();
    chart.y_title = judged ? report.error_name() : "impurity of the leaves";
    chart.lines.push_back(judged ? error_line(report) : impurity_line(report));
    chart.mark = mark_of(report, chart.lines.front());
    chart.notes.push_back("alpha is on a logarithmic scale; the unpruned model stands at 0, left of the gap.");
    return chart;
}

}  // namespace regrove::jobs
