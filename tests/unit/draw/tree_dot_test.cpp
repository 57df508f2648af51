// DOT pictures keep to the language's grammar and hold every card and branch.
#include "regrove/draw/tree_dot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/draw/dot_check.hpp"
#include "unit/draw/sample_trees.hpp"

namespace regrove::draw {
namespace {

using ::testing::HasSubstr;

TEST(TreeDot, HoldsTheFivePatients) {
    const std::string dot = tree_dot(describe_tree(testing::five_patients(), {}), OrientationChoice::automatic);
    const auto statements = testing::read_dot(dot);
    ASSERT_EQ(statements.size(), 3U + 5U + 4U);
    EXPECT_EQ(statements[0].attributes.at("rankdir"), "TB");
    EXPECT_THAT(statements[0].attributes.at("label"), HasSubstr("Decision tree for disease\\n5 rows"));
    EXPECT_EQ(statements[3].from, "n0");
    EXPECT_EQ(statements[3].attributes.at("label"),
              "stress_test = reversable\\n5 rows · 100%\\nNo 40%\\nYes 60%\\n1 alike");
    EXPECT_EQ(statements[5].attributes.at("label"), "No 50%, a draw\\n2 rows · 40%\\nNo 50%\\nYes 50%");
    EXPECT_EQ(statements[8].from, "n0");
    EXPECT_EQ(statements[8].to, "n1");
    EXPECT_EQ(statements[8].attributes.at("label"), "no (missing)");
    EXPECT_EQ(statements[8].attributes.at("penwidth"), "3.40");
    EXPECT_EQ(statements[11].to, "n4");
    EXPECT_EQ(statements[11].attributes.at("label"), "yes");
}

TEST(TreeDot, EscapesQuotesAndBackslashes) {
    model::Ensemble ensemble = testing::five_patients();
    ensemble.classes[1] = "say \"yes\" \\";
    const auto statements = testing::read_dot(tree_dot(describe_tree(ensemble, {}), OrientationChoice::right));
    EXPECT_EQ(statements[0].attributes.at("rankdir"), "LR");
    EXPECT_THAT(statements[7].attributes.at("label"), HasSubstr("say \\\"yes\\\" \\\\ 100%"));
}

TEST(TreeDot, SaysWhatItDoesNotDraw) {
    TreeDrawingOptions options;
    options.max_depth_drawn = 1;
    const auto statements =
        testing::read_dot(tree_dot(describe_tree(testing::five_patients(), options), OrientationChoice::down));
    EXPECT_THAT(statements[4].attributes.at("label"), HasSubstr("… 2 more nodes, 2 leaves"));
    EXPECT_EQ(statements[4].attributes.at("style"), "dashed");
    EXPECT_THAT(statements[0].attributes.at("label"), HasSubstr("3 of 5 nodes"));
}

TEST(TreeDot, HoldsRegression) {
    const auto statements =
        testing::read_dot(tree_dot(describe_tree(testing::golf_regression(), {}), OrientationChoice::down));
    EXPECT_THAT(statements[0].attributes.at("label"), HasSubstr("Num_Players from 35.5 to 46.25"));
    EXPECT_EQ(statements[5].attributes.at("label"), "46.25\\n4 rows · 28.6%");
}

}  // namespace
}  // namespace regrove::draw
