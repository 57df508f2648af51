// Line charts: round ticks, places that follow the numbers, well-formed SVG, the same bytes each time.
#include "regrove/draw/line_chart.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/draw/axis_ticks.hpp"

#include "xml_check.hpp"

namespace regrove::draw {
namespace {

using ::testing::ElementsAre;
using testing::read_xml;
using testing::XmlElement;

std::vector<std::string> texts(const std::vector<AxisTick>& ticks) {
    std::vector<std::string> all;
    for (const AxisTick& tick : ticks) all.push_back(tick.text);
    return all;
}

TEST(axis_ticks, are_round_and_hold_the_range) {
    EXPECT_THAT(texts(linear_ticks(0, 1, 5)), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
    EXPECT_THAT(texts(linear_ticks(0.912, 0.958, 5)), ElementsAre("0.91", "0.92", "0.93", "0.94", "0.95", "0.96"));
    EXPECT_THAT(texts(linear_ticks(-7, 12, 4)), ElementsAre("-10", "-5", "0", "5", "10", "15"));
    EXPECT_THAT(texts(linear_ticks(0, 25000, 5)), ElementsAre("0", "5000", "10,000", "15,000", "20,000", "25,000"));
    EXPECT_THAT(texts(linear_ticks(0, 3e-9, 3)), ElementsAre("0", "1e-9", "2e-9", "3e-9"));
    EXPECT_THAT(texts(linear_ticks(0, 3e12, 2)), ElementsAre("0", "2e12", "4e12"));
    EXPECT_EQ(linear_ticks(0, 1, 10)[3].value, 0.3);  // the decimal, not 3 * 0.1
}

TEST(axis_ticks, one_value_gets_room_on_both_sides) {
    for (const double value : {0.0, 5.0, -2e-8, 1e300}) {
        const auto ticks = linear_ticks(value, value, 5);
        EXPECT_LT(ticks.front().value, value);
        EXPECT_GT(ticks.back().value, value);
        EXPECT_LE(ticks.size(), 9U);
    }
}

TEST(axis_ticks, widest_range_does_not_overflow) {
    const double most = std::numeric_limits<double>::max() / 8;
    const auto ticks = linear_ticks(-most, most, 5);
    EXPECT_LE(ticks.front().value, -most);
    EXPECT_GE(ticks.back().value, most);
    EXPECT_LE(ticks.size(), 9U);
}

TEST(axis_ticks, logarithmic_ones_are_powers_of_ten) {
    EXPECT_THAT(texts(logarithmic_ticks(0.002, 50, 8)), ElementsAre("0.01", "0.1", "1", "10"));
    EXPECT_THAT(texts(logarithmic_ticks(0.9, 30, 8)), ElementsAre("1", "2", "5", "10", "20"));
    EXPECT_THAT(texts(logarithmic_ticks(1e-12, 1e3, 4)), ElementsAre("1e-12", "1e-8", "1e-4", "1e0"));
}

LineChart sample() {
    LineChart chart;
    chart.title = "Path of <a> & b";
    chart.x_title = "alpha";
    chart.y_title = "error rate";
    ChartLine curve{"validated", {{0, 0.2, 0.05}, {1, 0.1, 0.02}, {4, 0.4, 0}}};
    ChartLine steps{"training", {{0, 0, 0}, {1, 0.1, 0}, {4, 0.3, 0}}, true, false};
    chart.lines = {curve, steps};
    chart.mark = ChartMark{1, 0.1, "chosen"};
    return chart;
}

std::vector<XmlElement> named(const std::vector<XmlElement>& all, const std::string& name) {
    std::vector<XmlElement> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some), [&](const auto& e) { return e.name == name; });
    return some;
}

double number(const XmlElement& element, const std::string& key) {
    return std::strtod(element.attributes.at(key).c_str(), nullptr);
}

const XmlElement& text_element(const std::vector<XmlElement>& all, const std::string& text) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.text == text; });
    if (found == all.end()) throw std::runtime_error("no element says " + text);
    return *found;
}

TEST(line_chart, svg_is_well_formed_and_says_what_it_shows) {
    const auto all = read_xml(line_chart_svg(sample()));
    EXPECT_EQ(all[0].attributes.at("aria-label"), "Path of <a> & b");
    for (const char* text : {"alpha", "error rate", "validated", "training", "chosen"})
        EXPECT_EQ(text_element(all, text).name, "text") << text;
    EXPECT_EQ(text_element(all, "validated: 0.2 ± 0.05 at 0").name, "title");
    EXPECT_EQ(line_chart_svg(sample()), line_chart_svg(sample()));
}

TEST(line_chart, dots_stand_where_the_ticks_say) {
    const auto all = read_xml(line_chart_svg(sample()));
    std::vector<XmlElement> dots;
    for (const auto& circle : named(all, "circle"))
        if (circle.attributes.contains("stroke") && circle.attributes.at("fill") != "none") dots.push_back(circle);
    ASSERT_EQ(dots.size(), 3U);
    // Tick texts are centred under their places (x) and four pixels above their base lines (y).
    const double x0 = number(dots[0], "cx");
    const double x1 = number(dots[1], "cx");
    const double x4 = number(dots[2], "cx");
    EXPECT_NEAR((x1 - x0) * 4, x4 - x0, 0.05);
    EXPECT_NEAR(x4 - x0, 640, 0.02);
    const double y4 = number(text_element(all, "0.4"), "y") - 4;
    const double y1 = number(text_element(all, "0.1"), "y") - 4;
    EXPECT_NEAR(number(dots[2], "cy"), y4, 0.02);
    EXPECT_NEAR(number(dots[1], "cy"), y1, 0.02);
}

TEST(line_chart, steps_keep_their_level_until_the_next_x) {
    LineChart chart = sample();
    chart.mark.reset();
    chart.lines = {ChartLine{"s", {{0, 0, 0}, {2, 1, 0}}, true, false}};
    const auto paths = named(read_xml(line_chart_svg(chart)), "path");
    const auto found = std::find_if(paths.begin(), paths.end(), [](const auto& p) {
        return std::count(p.attributes.at("d").begin(), p.attributes.at("d").end(), 'L') == 2;
    });
    ASSERT_NE(found, paths.end());
    double from[2];
    double corner[2];
    double end[2];
    ASSERT_EQ(std::sscanf(found->attributes.at("d").c_str(), "M%lf %lf L%lf %lf L%lf %lf", &from[0], &from[1],
                          &corner[0], &corner[1], &end[0], &end[1]),
              6);
    EXPECT_EQ(corner[0], end[0]);
    EXPECT_EQ(corner[1], from[1]);
    EXPECT_NEAR(from[1] - end[1], 360, 0.02);
}

TEST(line_chart, zero_has_a_place_of_its_own_on_a_logarithmic_axis) {
    LineChart chart = sample();
    chart.x_scale = AxisScale::logarithmic;
    chart.lines = {ChartLine{"s", {{0, 1, 0}, {1, 1, 0}, {10, 1, 0}, {100, 1, 0}}}};
    chart.mark.reset();
    std::vector<double> x;
    for (const auto& circle : named(read_xml(line_chart_svg(chart)), "circle"))
        if (circle.attributes.contains("stroke")) x.push_back(number(circle, "cx"));
    ASSERT_EQ(x.size(), 4U);
    EXPECT_GT(x[1] - x[0], 20);
    EXPECT_NEAR(x[2] - x[1], x[3] - x[2], 0.02);
    EXPECT_NEAR(x[3] - x[0], 640, 0.02);
}

TEST(line_chart, many_points_become_a_line_with_a_band) {
    LineChart chart = sample();
    chart.mark.reset();
    chart.lines = {ChartLine{"s", {}}};
    for (int i = 0; i < 200; ++i) chart.lines[0].points.push_back({i * 1.0, i % 7 * 1.0, 0.5});
    const auto all = read_xml(line_chart_svg(chart));
    EXPECT_TRUE(named(all, "circle").empty());
    const auto paths = named(all, "path");
    EXPECT_EQ(
        std::count_if(paths.begin(), paths.end(), [](const auto& p) { return p.attributes.at("d").ends_with("Z"); }),
        1);
}

TEST(line_chart, refuses_what_it_cannot_place) {
    LineChart chart = sample();
    chart.lines[0].points[1].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(line_chart_svg(chart), ConfigError);
    chart = sample();
    std::swap(chart.lines[0].points[0], chart.lines[0].points[1]);
    EXPECT_THROW(line_chart_svg(chart), ConfigError);
    chart = sample();
    chart.x_scale = AxisScale::logarithmic;
    chart.lines[0].points[0].x = -1;
    EXPECT_THROW(line_chart_svg(chart), ConfigError);
    chart.lines.clear();
    EXPECT_THROW(line_chart_svg(chart), ConfigError);
    EXPECT_THROW(check_chart_path("path.dot"), ConfigError);
    EXPECT_THROW(check_chart_path("path.txt"), ConfigError);
    EXPECT_NO_THROW(check_chart_path("-"));
}

TEST(line_chart, one_point_and_png) {
    LineChart chart;
    chart.title = "one";
    chart.lines = {ChartLine{"", {{0, 0, 0}}}};
    EXPECT_EQ(named(read_xml(line_chart_svg(chart)), "circle").size(), 1U);
    EXPECT_TRUE(line_chart_picture(chart, "a.png", 1).starts_with("\x89PNG"));
    EXPECT_EQ(line_chart_picture(chart, "a.svg"), line_chart_svg(chart));
}

}  // namespace
}  // namespace regrove::draw
