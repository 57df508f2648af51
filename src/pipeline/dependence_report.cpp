// Words for the points of a grid, columns, steps, bars and regions.
#include "regrove/pipeline/dependence_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/draw/bar_chart.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/draw/region_map.hpp"

namespace regrove::pipeline {

namespace {

using infer::GridKind;
using infer::GridPoint;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

const model::Feature& feature_of(const dist::GridFeature& feature, const model::Ensemble& model) {
    return model.features[index(feature.feature)];
}

bool is_numeric(const dist::GridFeature& feature, const model::Ensemble& model) {
    return feature_of(feature, model).kind == model::FeatureKind::numeric;
}

/// "x <= 3", "3 < x <= 7", "x > 7", a category, or nothing.
std::string words(const GridPoint& point, const model::Feature& feature) {
    if (point.kind == GridKind::missing) return {};
    if (point.kind == GridKind::category) return feature.categories[static_cast<std::size_t>(point.cell)];
    if (std::isinf(point.low) && std::isinf(point.high)) return "any value";
    if (std::isinf(point.low)) return "x <= " + to_text(point.high);
    if (std::isinf(point.high)) return "x > " + to_text(point.low);
    return to_text(point.low) + " < x <= " + to_text(point.high);
}

/// The point of one feature at a place of the whole grid, whose last feature's points run fastest.
const GridPoint& point_at(const DependenceReport& report, std::size_t feature, std::size_t place) {
    for (std::size_t f = report.grid.size(); f-- > feature + 1;) place /= report.grid[f].points.size();
    const auto& points = report.grid[feature].points;
    return points[place % points.size()];
}

double finite_or_missing(double border) { return std::isfinite(border) ? border : k_nan; }

/// "Probability of yes" from "probability_yes".
std::string title_of(const std::string& answer) {
    const std::size_t bar = answer.find('_');
    if (bar == std::string::npos) return answer == "raw" ? "raw score" : answer;
    return (answer.substr(0, bar) == "raw" ? "raw score" : answer.substr(0, bar)) + " of " + answer.substr(bar + 1);
}

std::string subtitle(const DependenceReport& report, const model::Ensemble& model) {
    return draw::count_text(model.trees.size(), "tree", "trees") + " · mean answer over " +
           draw::count_text(report.rows, "row", "rows");
}

std::string value_title(const DependenceReport& report) {
    return report.answers.size() == 1 ? "mean " + title_of(report.answers.front()) : "mean answer";
}

/// The value at which a picture of a numeric feature begins and ends: the rows' values, or the thresholds without
/// any.
ValueRange shown_range(const dist::GridFeature& feature, const ValueRange& rows) {
    if (rows.low < rows.high && std::isfinite(rows.low) && std::isfinite(rows.high)) return rows;
    ValueRange range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const GridPoint& point : feature.points)
        for (const double border : {point.low, point.high})
            if (std::isfinite(border)) range = {std::min(range.low, border), std::max(range.high, border)};
    if (rows.low == rows.high && std::isfinite(rows.low))
        range = {std::min(range.low, rows.low), std::max(range.high, rows.low)};
    if (range.low < range.high) return range;
    // One value, or none at all; far from zero, one more would be lost in rounding.
    const double middle = std::isfinite(range.low) ? range.low : 0;
    const double aside = std::max(1.0, std::abs(middle) * 1e-6);
    return {middle - aside, middle + aside};
}

/// A numeric feature's intervals without gaps: each reaches to where the next one of the grid begins.
std::vector<ValueRange> stretched(const dist::GridFeature& feature, const ValueRange& shown) {
    std::vector<ValueRange> intervals;
    for (const GridPoint& point : feature.points) {
        if (point.kind != GridKind::interval) continue;
        const double low = intervals.empty() ? shown.low : std::clamp(point.low, shown.low, shown.high);
        if (!intervals.empty()) intervals.back().high = low;
        intervals.push_back({low, shown.high});
    }
    return intervals;
}

std::string curve(const DependenceReport& report, const model::Ensemble& model, const std::string& path,
                  double scale) {
    const dist::GridFeature& feature = report.grid.front();
    const auto intervals = stretched(feature, shown_range(feature, report.ranges.front()));
    const std::size_t width = report.answers.size();
    draw::LineChart chart;
    chart.title = "Partial dependence of " + model.label_name + " on " + feature_of(feature, model).name;
    chart.subtitle = subtitle(report, model);
    chart.x_title = feature_of(feature, model).name;
    chart.y_title = value_title(report);
    for (std::size_t k = 0; k < width; ++k) {
        draw::ChartLine line;
        line.name = width == 1 ? "" : title_of(report.answers[k]);
        line.steps = true;
        line.dots = false;
        for (std::size_t i = 0; i < intervals.size(); ++i)
            if (intervals[i].low < intervals[i].high)
                line.points.push_back({intervals[i].low, report.means[i * width + k], 0});
        if (!line.points.empty()) line.points.push_back({intervals.back().high, line.points.back().y, 0});
        chart.lines.push_back(std::move(line));
        if (feature.points.back().kind == GridKind::missing)
            chart.notes.push_back("Without a value: " + title_of(report.answers[k]) + " " +
                                  draw::value_text(report.means[(feature.points.size() - 1) * width + k]) + ".");
    }
    return draw::line_chart_picture(chart, path, scale);
}

std::string bars(const DependenceReport& report, const model::Ensemble& model, const std::string& path,
                 double scale) {
    const dist::GridFeature& feature = report.grid.front();
    const std::size_t width = report.answers.size();
    draw::BarChart chart;
    chart.title = "Partial dependence of " + model.label_name + " on " + feature_of(feature, model).name;
    chart.subtitle = subtitle(report, model);
    chart.value_title = value_title(report);
    for (std::size_t i = 0; i < report.means.size(); ++i) {
        const GridPoint& point = feature.points[i / width];
        draw::Bar bar;
        bar.label = point.kind == GridKind::missing ? "no value" : words(point, feature_of(feature, model));
        if (width > 1) bar.label += " · " + title_of(report.answers[i % width]);
        bar.value = report.means[i];
        chart.bars.push_back(std::move(bar));
    }
    return draw::bar_chart_picture(chart, path, scale);
}

draw::MapAxis axis_of(const dist::GridFeature& feature, const ValueRange& shown, const model::Ensemble& model) {
    return {feature_of(feature, model).name, shown.low, shown.high};
}

std::string map(const DependenceReport& report, const model::Ensemble& model, const std::string& path, double scale) {
    const ValueRange across = shown_range(report.grid[0], report.ranges[0]);
    const ValueRange up = shown_range(report.grid[1], report.ranges[1]);
    draw::RegionMap picture;
    picture.across = axis_of(report.grid[0], across, model);
    picture.up = axis_of(report.grid[1], up, model);
    picture.title =
        "Partial dependence of " + model.label_name + " on " + picture.across.name + " and " + picture.up.name;
    picture.subtitle = subtitle(report, model);
    picture.value_name = value_title(report);
    const auto columns = stretched(report.grid[0], across);
    const auto rows = stretched(report.grid[1], up);
    for (std::size_t x = 0; x < columns.size(); ++x)
        for (std::size_t y = 0; y < rows.size(); ++y) {
            if (columns[x].low >= columns[x].high || rows[y].low >= rows[y].high) continue;
            draw::MapRegion region{columns[x].low, columns[x].high, rows[y].low, rows[y].high, {}, {}};
            region.answer.value = report.means[x * report.grid[1].points.size() + y];
            region.details = draw::value_text(region.answer.value);
            picture.regions.push_back(std::move(region));
        }
    return draw::region_map_picture(picture, path, scale);
}

}  // namespace

std::vector<std::string> answer_names(const model::Ensemble& model, dist::Response response) {
    const bool raw = response == dist::Response::raw && model.combination == model::Combination::sum;
    if (raw ? model.scores() == 1 : model.task == model::Task::regression) return {raw ? "raw" : "value"};
    const std::size_t count = raw ? model.scores() : model.outputs();
    std::vector<std::string> names;
    for (std::size_t k = 0; k < count; ++k)
        names.push_back((raw ? "raw_" : "probability_") +
                        (model.classes.size() == count ? model.classes[k] : std::to_string(k)));
    return names;
}

void keep_one_of_two(DependenceReport& report, const model::Ensemble& model) {
    if (report.answers.size() != 2 || model.classes.size() != 2 || report.answers[1].rfind("probability_", 0) != 0)
        return;
    report.answers.erase(report.answers.begin());
    std::vector<double> kept;
    for (std::size_t i = 1; i < report.means.size(); i += 2) kept.push_back(report.means[i]);
    report.means = std::move(kept);
}

data::TableShard dependence_table(const DependenceReport& report, const model::Ensemble& model) {
    const std::size_t width = report.answers.size();
    data::TableShard table;
    table.rows = table.global_rows = report.means.size() / width;
    const auto add = [&](std::string name, auto cell) {
        std::vector<decltype(cell(std::size_t{0}))> cells;
        for (std::size_t place = 0; place < table.rows; ++place) cells.push_back(cell(place));
        constexpr bool is_text = std::is_same_v<decltype(cell(std::size_t{0})), std::string>;
        table.schema.columns.push_back({std::move(name),
                                        is_text ? data::ColumnType::text : data::ColumnType::float64,
                                        is_text ? data::ColumnRole::id : data::ColumnRole::feature,
                                        {}});
        table.values.emplace_back(std::move(cells));
    };
    for (std::size_t f = 0; f < report.grid.size(); ++f) {
        const model::Feature& feature = feature_of(report.grid[f], model);
        add(feature.name, [&](std::size_t place) { return words(point_at(report, f, place), feature); });
        if (feature.kind != model::FeatureKind::numeric) continue;
        const auto border = [&, f](double GridPoint::*end) {
            return [&report, f, end](std::size_t place) {
                const GridPoint& point = point_at(report, f, place);
                return point.kind == GridKind::interval ? finite_or_missing(point.*end) : k_nan;
            };
        };
        add(feature.name + "_above", border(&GridPoint::low));
        add(feature.name + "_up_to", border(&GridPoint::high));
    }
    for (std::size_t k = 0; k < width; ++k)
        add(report.answers[k], [&](std::size_t place) { return report.means[place * width + k]; });
    data::validate(table.schema);
    return table;
}

void check_dependence_picture(const DependenceReport& report, const model::Ensemble& model) {
    if (report.grid.size() == 1) return;
    for (const dist::GridFeature& feature : report.grid)
        if (!is_numeric(feature, model))
            throw ConfigError("--picture: a map of two features needs numbers, and '" +
                              feature_of(feature, model).name +
                              "' has categories; leave --picture out, or name one feature");
    if (report.answers.size() != 1)
        throw ConfigError("--picture: a map of two features shows one number, and the model answers " +
                          std::to_string(report.answers.size()) + "; leave --picture out, or name one feature");
}

std::string dependence_picture(const DependenceReport& report, const model::Ensemble& model, const std::string& path,
                               double scale) {
    check_dependence_picture(report, model);
    if (report.grid.size() == 2) return map(report, model, path, scale);
    return is_numeric(report.grid.front(), model) ? curve(report, model, path, scale)
                                                  : bars(report, model, path, scale);
}

}  // namespace regrove::pipeline
