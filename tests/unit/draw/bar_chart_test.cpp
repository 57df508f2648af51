// Bar charts: bars as long as their values on one axis, error bars around their ends, every text in place and escaped.
#include "regrove/draw/bar_chart.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/draw/xml_check.hpp"

namespace regrove::draw {
namespace {

using Elements = std::vector<testing::XmlElement>;

Elements drawn(const BarChart& chart) { return testing::read_xml(bar_chart_svg(chart)); }

double number(const testing::XmlElement& element, const char* name) { return std::stod(element.attributes.at(name)); }

/// The rectangles that stand in a group: one for each bar with a finite value.
Elements bar_rectangles(const Elements& elements) {
    Elements found;
    for (const auto& element : elements)
        if (element.name == "rect" && elements[element.parent].name == "g") found.push_back(element);
    return found;
}

/// x of the grid line at the tick of this text: both come at the same place.
double tick_place(const Elements& elements, const std::string& text) {
    for (const auto& element : elements)
        if (element.name == "text" && element.text == text && element.attributes.contains("text-anchor"))
            return number(element, "x");
    ADD_FAILURE() << "no tick " << text;
    return 0;
}

std::vector<std::string> texts(const Elements& elements) {
    std::vector<std::string> found;
    for (const auto& element : elements)
        if (element.name == "text") found.push_back(element.text);
    return found;
}

BarChart sample() {
    BarChart chart;
    chart.title = "Importance <of> features & more";
    chart.subtitle = "14 rows";
    chart.value_title = "loss";
    chart.bars = {{"vessels", 4, 1.0, "", {}}, {"thal", 2, {}, "all about thal", {}}, {"age", -1, 0.5, "", {}}};
    chart.notes = {"One standard error to either side."};
    return chart;
}

TEST(BarChart, BarsReachFromZeroToTheirValues) {
    const Elements elements = drawn(sample());
    const double zero = tick_place(elements, "0");
    const double unit = (tick_place(elements, "4") - zero) / 4;
    EXPECT_GT(unit, 20);
    const Elements bars = bar_rectangles(elements);
    ASSERT_EQ(bars.size(), 3U);
    EXPECT_NEAR(number(bars[0], "x"), zero, 0.02);
    EXPECT_NEAR(number(bars[0], "width"), 4 * unit, 0.02);
    EXPECT_NEAR(number(bars[1], "width"), 2 * unit, 0.02);
    EXPECT_NEAR(number(bars[2], "x"), zero - unit, 0.02);
    EXPECT_NEAR(number(bars[2], "width"), unit, 0.02);
    EXPECT_LT(number(bars[0], "y") + number(bars[0], "height"), number(bars[1], "y"));
    EXPECT_NE(bars[0].attributes.at("fill"), bars[2].attributes.at("fill"));
    EXPECT_EQ(bars[0].attributes.at("fill"), bars[1].attributes.at("fill"));
}

TEST(BarChart, ErrorBarsStandAroundTheEndOfTheirBar) {
    const Elements elements = drawn(sample());
    const double zero = tick_place(elements, "0");
    const double unit = (tick_place(elements, "4") - zero) / 4;
    std::vector<std::pair<double, double>> spans;
    for (const auto& element : elements)
        if (element.name == "line" && element.attributes.at("y1") == element.attributes.at("y2") &&
            element.attributes.at("stroke") != "#ffffff")
            spans.emplace_back(number(element, "x1"), number(element, "x2"));
    ASSERT_EQ(spans.size(), 2U);  // "thal" has none
    EXPECT_NEAR(spans[0].first, zero + 3 * unit, 0.02);
    EXPECT_NEAR(spans[0].second, zero + 5 * unit, 0.02);
    EXPECT_NEAR(spans[1].first, zero - 1.5 * unit, 0.02);
    EXPECT_NEAR(spans[1].second, zero - 0.5 * unit, 0.02);
}

TEST(BarChart, HoldsItsTexts) {
    const Elements elements = drawn(sample());
    EXPECT_EQ(elements.at(0).attributes.at("aria-label"), "Importance <of> features & more");
    EXPECT_THAT(texts(elements), ::testing::IsSupersetOf({"14 rows", "vessels", "4 ± 1", "thal", "2", "-1 ± 0.5",
                                                          "loss", "One standard error to either side."}));
    std::vector<std::string> details;
    for (const auto& element : elements)
        if (element.name == "title" && elements[element.parent].name == "g") details.push_back(element.text);
    EXPECT_THAT(details, ::testing::ElementsAre("vessels: 4 ± 1", "all about thal", "age: -1 ± 0.5"));
}

TEST(BarChart, TakesColoursWithTheirLegend) {
    BarChart chart = sample();
    chart.bars[1].color = Color{1, 2, 3};
    chart.legend = {{Color{1, 2, 3}, "chosen by hand"}};
    const Elements elements = drawn(chart);
    EXPECT_EQ(bar_rectangles(elements)[1].attributes.at("fill"), "#010203");
    EXPECT_THAT(texts(elements), ::testing::Contains("chosen by hand"));
}

TEST(BarChart, SaysWhatHasNoBar) {
    BarChart chart = sample();
    chart.bars = {{"nothing", std::nan(""), {}, "", {}},
                  {"endless", std::numeric_limits<double>::infinity(), {}, "", {}}};
    Elements elements = drawn(chart);
    EXPECT_TRUE(bar_rectangles(elements).empty());
    EXPECT_THAT(texts(elements), ::testing::Contains("undefined").Times(2));
    chart.bars.clear();
    EXPECT_THAT(texts(drawn(chart)), ::testing::Contains("There is nothing to show."));
}

TEST(BarChart, ZerosAndExtremesStayOnThePage) {
    BarChart chart = sample();
    for (const std::vector<double>& values : {std::vector<double>{0, 0}, {1e-300, 2e-300}, {1e308, -1e308}, {-3}}) {
        chart.bars.clear();
        for (const double value : values) chart.bars.push_back({"x", value, {}, "", {}});
        const Elements elements = drawn(chart);
        for (const auto& bar : bar_rectangles(elements)) {
            EXPECT_GE(number(bar, "x"), 0);
            EXPECT_LE(number(bar, "x") + number(bar, "width"), number(elements[0], "width"));
        }
    }
}

TEST(BarChart, WritesSvgAndPngByName) {
    EXPECT_EQ(bar_chart_picture(sample(), "-"), bar_chart_svg(sample()));
    EXPECT_EQ(bar_chart_picture(sample(), "bars.png").substr(1, 3), "PNG");
    EXPECT_THROW(bar_chart_picture(sample(), "bars.dot"), ConfigError);
    EXPECT_THROW(bar_chart_picture(sample(), "bars.jpg"), ConfigError);
}

}  // namespace
}  // namespace regrove::draw
