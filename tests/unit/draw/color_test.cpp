// Colours: distinct ones for distinct classes, readable text on each, a scale that grows lighter.
#include "regrove/draw/color.hpp"

#include <set>

#include <gtest/gtest.h>

namespace regrove::draw {
namespace {

double luma(Color color) { return 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue; }

TEST(ClassColors, AreDistinctForUpToSixteenClasses) {
    std::set<std::string> seen;
    for (const Color color : class_colors(std::vector<double>(16, 1.0))) seen.insert(to_hex(color));
    EXPECT_EQ(seen.size(), 16U);
    EXPECT_FALSE(seen.contains(to_hex(k_other_classes)));
}

TEST(ClassColors, OfTwoClassesDifferInHueAndLightness) {
    const std::vector<Color> colors = class_colors({5, 1});
    EXPECT_EQ(to_hex(colors.at(0)), "#0072b2");
    EXPECT_EQ(to_hex(colors.at(1)), "#e69f00");
}

TEST(ClassColors, GoToTheHeaviestWhenThereAreTooMany) {
    std::vector<double> weights(20, 1.0);
    weights[19] = 5;
    weights[3] = 0.5;
    const std::vector<Color> colors = class_colors(weights);
    EXPECT_NE(colors[19], k_other_classes);
    EXPECT_EQ(colors[3], k_other_classes);
    EXPECT_EQ(std::count(colors.begin(), colors.end(), k_other_classes), 4);
    EXPECT_EQ(colors[18], k_other_classes);  // of equals the lower class keeps its colour
    EXPECT_NE(colors[14], k_other_classes);
}

TEST(TextColor, StandsOutOnEveryClassColor) {
    for (const Color color : class_colors(std::vector<double>(16, 1.0)))
        EXPECT_GT(std::abs(luma(color) - luma(text_color_on(color))), 80) << to_hex(color);
}

TEST(ScaleColor, GrowsLighterAllTheWay) {
    double before = -1;
    for (int i = 0; i <= 100; ++i) {
        const double now = luma(scale_color(i / 100.0));
        EXPECT_GE(now, before - 1) << i;
        before = now;
    }
    EXPECT_EQ(scale_color(-3), scale_color(0));
    EXPECT_EQ(scale_color(7), scale_color(1));
    EXPECT_GT(luma(scale_color(1)) - luma(scale_color(0)), 150);
}

TEST(Mix, IsEitherColorAtTheEnds) {
    EXPECT_EQ(mix({1, 2, 3}, {200, 100, 50}, 100), (Color{1, 2, 3}));
    EXPECT_EQ(mix({1, 2, 3}, {200, 100, 50}, 0), (Color{200, 100, 50}));
    EXPECT_EQ(mix({0, 0, 0}, {255, 100, 51}, 50), (Color{128, 50, 26}));
}

}  // namespace
}  // namespace regrove::draw
