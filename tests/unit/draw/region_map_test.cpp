// Region maps: rectangles at their values, colours by class and share or by value, points inside the plane only.
#include "regrove/draw/region_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/draw/color.hpp"

#include "unit/draw/xml_check.hpp"

namespace regrove::draw {
namespace {

using Elements = std::vector<testing::XmlElement>;

double number(const testing::XmlElement& element, const char* name) { return std::stod(element.attributes.at(name)); }

Elements named(const Elements& elements, const std::string& name) {
    Elements found;
    for (const auto& element : elements)
        if (element.name == name) found.push_back(element);
    return found;
}

/// Those between the paper, the legend's swatches before, and the frame behind.
Elements region_rectangles(const Elements& elements, std::size_t swatches) {
    Elements all = named(elements, "rect");
    return {all.begin() + 1 + static_cast<std::ptrdiff_t>(swatches), all.end() - 1};
}

std::vector<std::string> texts(const Elements& elements) {
    std::vector<std::string> found;
    for (const auto& element : named(elements, "text")) found.push_back(element.text);
    return found;
}

/// x <= 2.5 is "no" for sure; beyond, y <= 30 is "yes" of 3 in 4, and above nothing is known.
RegionMap sample() {
    RegionMap map;
    map.title = "Regions <of> the tree";
    map.across = {"vessels & more", 0, 10};
    map.up = {"age", 20, 60};
    map.classes = {"no", "yes"};
    map.class_weights = {1, 1};
    map.regions = {{0, 2.5, 20, 60, {0, 1, 0}, "no <100%>"},
                   {2.5, 10, 20, 30, {1, 0.75, 0}, ""},
                   {2.5, 10, 30, 60, {1, 0.5, 0}, ""}};
    map.borders = {{2.5, 20, 2.5, 60}};
    map.points = {{5, 40, {1, 1, 0}}, {11, 40, {0, 1, 0}}, {0, 20, {0, 1, 0}}};
    map.notes = {"A note."};
    return map;
}

TEST(RegionMap, RegionsLieAtTheirValues) {
    const Elements elements = testing::read_xml(region_map_svg(sample()));
    const Elements regions = region_rectangles(elements, 2);
    ASSERT_EQ(regions.size(), 3U);
    const testing::XmlElement frame = named(elements, "rect").back();
    const double left = number(frame, "x");
    const double top = number(frame, "y");
    const double width = number(frame, "width");
    const double height = number(frame, "height");
    EXPECT_NEAR(number(regions[0], "x"), left, 0.02);
    EXPECT_NEAR(number(regions[0], "width"), width / 4, 0.02);
    EXPECT_NEAR(number(regions[0], "height"), height, 0.02);
    EXPECT_NEAR(number(regions[1], "x"), left + width / 4, 0.02);
    EXPECT_NEAR(number(regions[1], "y"), top + height * 3 / 4, 0.02);  // y grows downwards, age upwards
    EXPECT_NEAR(number(regions[1], "height"), height / 4, 0.02);
    EXPECT_NEAR(number(regions[2], "y"), top, 0.02);
    double border_x = 0;
    for (const auto& line : named(elements, "line"))
        if (line.attributes.at("stroke-width") == "1.5") border_x = number(line, "x1");
    EXPECT_NEAR(border_x, left + width / 4, 0.02);
}

TEST(RegionMap, ColoursAreThePalerTheLessSure) {
    const Elements regions = region_rectangles(testing::read_xml(region_map_svg(sample())), 2);
    const auto colors = class_colors({1, 1});
    EXPECT_EQ(regions[0].attributes.at("fill"), to_hex(mix(colors[0], k_white, 62)));
    EXPECT_EQ(regions[1].attributes.at("fill"), to_hex(mix(colors[1], k_white, 40)));
    EXPECT_EQ(regions[2].attributes.at("fill"), to_hex(mix(colors[1], k_white, 18)));
}

TEST(RegionMap, PointsInsideHaveTheirTrueColour) {
    const Elements points = named(testing::read_xml(region_map_svg(sample())), "circle");
    ASSERT_EQ(points.size(), 2U);  // the second lies outside
    const auto colors = class_colors({1, 1});
    EXPECT_EQ(points[0].attributes.at("fill"), to_hex(colors[1]));
    EXPECT_EQ(points[1].attributes.at("fill"), to_hex(colors[0]));
    EXPECT_LT(number(points[0], "cy"), number(points[1], "cy"));
}

TEST(RegionMap, NumbersHaveTheirPlaceOnTheScale) {
    RegionMap map = sample();
    map.classes.clear();
    map.class_weights.clear();
    map.borders.clear();
    map.value_name = "price";
    map.regions[0].answer.value = 100;
    map.regions[1].answer.value = 200;
    map.regions[2].answer.value = 150;
    map.points = {{5, 40, {0, 1, 300}}};
    const Elements elements = testing::read_xml(region_map_svg(map));
    const Elements regions = region_rectangles(elements, 32);  // steps of the scale
    ASSERT_EQ(regions.size(), 3U);
    EXPECT_EQ(regions[0].attributes.at("fill"), to_hex(scale_color(0)));
    EXPECT_EQ(regions[1].attributes.at("fill"), to_hex(scale_color(0.5)));
    EXPECT_EQ(regions[2].attributes.at("fill"), to_hex(scale_color(0.25)));
    EXPECT_EQ(named(elements, "circle").at(0).attributes.at("fill"), to_hex(scale_color(1)));
    EXPECT_THAT(texts(elements), ::testing::IsSupersetOf({"price", "100", "300"}));
}

TEST(RegionMap, HoldsItsTexts) {
    const Elements elements = testing::read_xml(region_map_svg(sample()));
    EXPECT_THAT(texts(elements), ::testing::IsSupersetOf({"Regions <of> the tree", "no", "yes", "vessels & more",
                                                          "age", "A note.", "0", "10", "20", "60"}));
    std::vector<std::string> details;
    for (const auto& element : named(elements, "title"))
        if (elements[element.parent].name == "rect") details.push_back(element.text);
    EXPECT_THAT(details, ::testing::ElementsAre("no <100%>"));
}

TEST(RegionMap, WritesSvgAndPngByName) {
    EXPECT_EQ(region_map_picture(sample(), "-"), region_map_svg(sample()));
    EXPECT_EQ(region_map_picture(sample(), "map.png", 1).substr(1, 3), "PNG");
    EXPECT_THROW(region_map_picture(sample(), "map.dot"), ConfigError);
}

}  // namespace
}  // namespace regrove::draw
