// SVG pictures: well formed, complete, escaped, without overlaps, the same bytes each time.
#include "regrove/draw/tree_svg.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/draw/svg_writer.hpp"

#include "unit/draw/sample_trees.hpp"
#include "unit/draw/xml_check.hpp"

namespace regrove::draw {
namespace {

using Elements = std::vector<testing::XmlElement>;

Elements drawn(const model::Ensemble& ensemble, TreeDrawingOptions options = {}) {
    return testing::read_xml(tree_svg(describe_tree(ensemble, options), options.orientation));
}

std::multiset<std::string> texts(const Elements& elements) {
    std::multiset<std::string> found;
    for (const auto& element : elements)
        if (element.name == "text") found.insert(element.text);
    return found;
}

// Boxes of the cards: the first rectangle of each group.
std::vector<Box> card_boxes(const Elements& elements) {
    std::vector<Box> boxes;
    std::size_t last_group = 0;
    for (const auto& element : elements) {
        if (element.name != "rect" || elements[element.parent].name != "g" || element.parent == last_group) continue;
        last_group = element.parent;
        const auto number = [&](const char* name) { return std::stod(element.attributes.at(name)); };
        boxes.push_back({number("x"), number("y"), number("width"), number("height")});
    }
    return boxes;
}

bool overlap(const Box& a, const Box& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(TreeSvg, IsAnAccessibleDocument) {
    const Elements elements = drawn(testing::five_patients());
    const auto& root = elements.at(0);
    EXPECT_EQ(root.name, "svg");
    EXPECT_EQ(root.attributes.at("xmlns"), "http://www.w3.org/2000/svg");
    EXPECT_EQ(root.attributes.at("aria-label"), "Decision tree for disease");
    EXPECT_EQ(root.attributes.at("viewBox"),
              "0 0 " + root.attributes.at("width") + " " + root.attributes.at("height"));
    EXPECT_EQ(elements.at(1).name, "title");
    EXPECT_EQ(elements.at(2).name, "desc");
    EXPECT_THAT(elements.at(2).text, ::testing::HasSubstr("5 rows · depth 2 · 3 leaves"));
}

TEST(TreeSvg, HoldsEveryTextOfThePicture) {
    for (const bool regression : {false, true}) {
        const TreePicture picture =
            describe_tree(regression ? testing::golf_regression() : testing::five_patients(), {});
        const Elements elements = testing::read_xml(tree_svg(picture, OrientationChoice::automatic));
        const std::multiset<std::string> found = texts(elements);
        EXPECT_TRUE(found.contains(picture.title));
        EXPECT_TRUE(found.contains(picture.subtitle));
        for (const LegendEntry& entry : picture.legend) EXPECT_TRUE(found.contains(entry.text)) << entry.text;
        for (const Branch& branch : picture.branches) EXPECT_TRUE(found.contains(branch.text)) << branch.text;
        for (const Card& card : picture.cards) {
            for (const std::string& line : card.headline) EXPECT_TRUE(found.contains(line)) << line;
            for (const std::string& text : {card.figures, card.node_name, card.ties, card.below, card.answer_share})
                EXPECT_TRUE(text.empty() || found.contains(text)) << text;
            const bool told = std::any_of(elements.begin(), elements.end(), [&](const auto& element) {
                return element.name == "title" && element.text == card.details;
            });
            EXPECT_TRUE(told) << card.details;
        }
    }
}

TEST(TreeSvg, EscapesNames) {
    model::Ensemble ensemble = testing::five_patients();
    ensemble.label_name = "a<b> & \"c\"";
    ensemble.classes[1] = "</text><script>";
    ensemble.features[0].name = "x>1&y";
    ensemble.features[0].categories[2] = "caf\xE9\x01";
    const Elements elements = drawn(ensemble);
    const std::multiset<std::string> found = texts(elements);
    EXPECT_TRUE(found.contains("Decision tree for a<b> & \"c\""));
    EXPECT_TRUE(found.contains("</text><script>"));
    EXPECT_TRUE(found.contains("x>1&y = caf\xEF\xBF\xBD\xEF\xBF\xBD"));
    EXPECT_TRUE(std::none_of(elements.begin(), elements.end(), [](const auto& e) { return e.name == "script"; }));
}

TEST(TreeSvg, LetsNoCardsOverlapAndKeepsThemOnThePage) {
    for (unsigned seed = 0; seed < 30; ++seed) {
        TreeDrawingOptions options;
        options.orientation = seed % 2 == 0 ? OrientationChoice::down : OrientationChoice::right;
        const Elements elements = drawn(testing::around(testing::random_tree(40, seed)), options);
        const std::vector<Box> boxes = card_boxes(elements);
        const double width = std::stod(elements[0].attributes.at("width"));
        const double height = std::stod(elements[0].attributes.at("height"));
        ASSERT_EQ(boxes.size(), 79U);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            EXPECT_GE(boxes[i].x, 24);
            EXPECT_LE(boxes[i].x + boxes[i].width, width - 23);
            EXPECT_LE(boxes[i].y + boxes[i].height, height);
            for (std::size_t j = i + 1; j < boxes.size(); ++j)
                EXPECT_FALSE(overlap(boxes[i], boxes[j])) << i << " " << j;
        }
    }
}

TEST(TreeSvg, KeepsTextsWithinTheirCards) {
    model::Ensemble ensemble = testing::five_patients();
    ensemble.features[0].name = "a_rather_long_name_of_a_feature";
    ensemble.classes = {"absent in every examination", "present"};
    ensemble.trees[0].nodes[1].ties_cutting_differently = 12345;
    const Elements elements = drawn(ensemble);
    const std::vector<Box> boxes = card_boxes(elements);
    for (const auto& element : elements) {
        if (element.name != "text" || elements[element.parent].name != "g") continue;
        const auto& attributes = element.attributes;
        const FontWeight weight = attributes.contains("font-weight") ? FontWeight::bold : FontWeight::regular;
        const double width = text_width(element.text, {std::stod(attributes.at("font-size")), weight});
        const std::string anchor = attributes.contains("text-anchor") ? attributes.at("text-anchor") : "start";
        const double left = std::stod(attributes.at("x")) - (anchor == "end"      ? width
                                                             : anchor == "middle" ? width / 2
                                                                                  : 0);
        const double y = std::stod(attributes.at("y"));
        const bool inside = std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
            return left >= box.x && left + width <= box.x + box.width && y > box.y && y < box.y + box.height + 8;
        });
        EXPECT_TRUE(inside) << element.text;
    }
}

TEST(TreeSvg, GrowsToTheRightWhenItWouldBeTooWide) {
    const Elements wide = drawn(testing::around(testing::balanced_tree(64)));
    const Elements small = drawn(testing::around(testing::balanced_tree(8)));
    const std::vector<Box> wide_boxes = card_boxes(wide);
    const std::vector<Box> small_boxes = card_boxes(small);
    EXPECT_GT(wide_boxes[1].x, wide_boxes[0].x + wide_boxes[0].width);
    EXPECT_GT(small_boxes[1].y, small_boxes[0].y + small_boxes[0].height);
    EXPECT_LT(std::stod(wide[0].attributes.at("width")), 2000);
}

TEST(TreeSvg, DrawsASingleLeaf) {
    const Elements elements = drawn(testing::around(testing::random_tree(1, 0)));
    EXPECT_EQ(card_boxes(elements).size(), 1U);
    EXPECT_TRUE(texts(elements).contains("1 row · depth 0 · 1 leaf"));
}

TEST(TreeSvg, IsTheSameEachTime) {
    const TreePicture picture = describe_tree(testing::five_patients(), {});
    EXPECT_EQ(tree_svg(picture, OrientationChoice::down), tree_svg(picture, OrientationChoice::down));
}

TEST(SvgWriter, WritesCoordinatesOfTwoDecimals) {
    EXPECT_EQ(coordinate_text(0), "0");
    EXPECT_EQ(coordinate_text(-0.001), "0");
    EXPECT_EQ(coordinate_text(12.5), "12.5");
    EXPECT_EQ(coordinate_text(12.345), "12.35");
    EXPECT_EQ(coordinate_text(-1.25), "-1.25");
    EXPECT_EQ(coordinate_text(3.04), "3.04");
    EXPECT_EQ(coordinate_text(1e6), "1000000");
}

}  // namespace
}  // namespace regrove::draw
