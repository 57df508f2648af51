// Maps of pixels: a square for each number that is not zero, in its place, its colour full at the panel's largest.
#include "regrove/draw/image_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/draw/color.hpp"

#include "unit/draw/xml_check.hpp"

namespace regrove::draw {
namespace {

using testing::XmlElement;
using Elements = std::vector<XmlElement>;

double number(const XmlElement& element, const char* name) { return std::stod(element.attributes.at(name)); }

/// The squares of pixels: rectangles that stand in a group.
Elements squares(const Elements& elements) {
    Elements found;
    for (const XmlElement& element : elements)
        if (element.name == "rect" && elements[element.parent].name == "g") found.push_back(element);
    return found;
}

std::vector<std::string> words(const Elements& elements, const std::string& name) {
    std::vector<std::string> found;
    for (const XmlElement& element : elements)
        if (element.name == name) found.push_back(element.text);
    return found;
}

ImageMap sample() {
    ImageMap map;
    map.title = "Pixels <of> a & b";
    map.height = 2;
    map.width = 3;
    map.panels = {{"first", {0, 2, 0, -1, 0, 0.5}}};
    map.pixel_names = {"p00", "p01", "p02", "p10", "p11", "p12"};
    return map;
}

TEST(ImageMap, PixelsAreInTheirPlaces) {
    const auto all = testing::read_xml(image_map_svg(sample()));
    const Elements found = squares(all);
    ASSERT_EQ(found.size(), 3U);
    const double side = number(found[0], "width");
    EXPECT_EQ(number(found[0], "height"), side);
    // (0, 1), (1, 0), (1, 2) as row and column.
    EXPECT_DOUBLE_EQ(number(found[0], "x") - number(found[1], "x"), side);
    EXPECT_DOUBLE_EQ(number(found[1], "y") - number(found[0], "y"), side);
    EXPECT_DOUBLE_EQ(number(found[2], "x") - number(found[1], "x"), 2 * side);
    EXPECT_DOUBLE_EQ(number(found[2], "y"), number(found[1], "y"));
}

TEST(ImageMap, ColoursTellSignAndSize) {
    const Elements found = squares(testing::read_xml(image_map_svg(sample())));
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].attributes.at("fill"), "#0540a8");  // the largest: full blue
    EXPECT_EQ(found[1].attributes.at("fill"),
              to_hex(mix({0xC0, 0x10, 0x1C}, k_white, 71)));  // half of it, negative: sqrt(1/2)
    EXPECT_EQ(found[2].attributes.at("fill"), to_hex(mix({0x05, 0x40, 0xA8}, k_white, 50)));
}

TEST(ImageMap, WordsAreThereAndEscaped) {
    const auto all = testing::read_xml(image_map_svg(sample()));
    EXPECT_THAT(words(all, "title"), ::testing::IsSupersetOf({std::string("Pixels <of> a & b"), std::string("p01: 2"),
                                                              std::string("p10: -1"), std::string("p12: 0.5")}));
    EXPECT_THAT(words(all, "text"), ::testing::IsSupersetOf({std::string("first"), std::string("-1 to 2")}));
}

TEST(ImageMap, PanelsStandInRows) {
    ImageMap map = sample();
    map.panels.assign(5, map.panels.front());
    map.columns = 2;
    const Elements found = squares(testing::read_xml(image_map_svg(map)));
    ASSERT_EQ(found.size(), 15U);
    EXPECT_GT(number(found[3], "x"), number(found[0], "x"));
    EXPECT_EQ(number(found[3], "y"), number(found[0], "y"));
    EXPECT_EQ(number(found[6], "x"), number(found[0], "x"));
    EXPECT_GT(number(found[6], "y"), number(found[0], "y"));
    EXPECT_EQ(number(found[12], "x"), number(found[0], "x"));
}

TEST(ImageMap, ZerosAndWhatIsNoNumber) {
    ImageMap map = sample();
    map.panels.front().values.assign(6, 0.0);
    EXPECT_TRUE(squares(testing::read_xml(image_map_svg(map))).empty());
    map.panels.front().values[2] = std::numeric_limits<double>::quiet_NaN();
    map.panels.front().values[3] = 1e300;
    const Elements found = squares(testing::read_xml(image_map_svg(map)));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].attributes.at("fill"), "#9aa5b1");
    EXPECT_EQ(found[1].attributes.at("fill"), "#0540a8");
}

TEST(ImageMap, FormatsByEnding) {
    EXPECT_EQ(image_map_picture(sample(), "map.svg"), image_map_svg(sample()));
    EXPECT_EQ(image_map_picture(sample(), "map.png").substr(1, 3), "PNG");
    EXPECT_THROW(image_map_picture(sample(), "map.jpg"), ConfigError);
}

}  // namespace
}  // namespace regrove::draw
