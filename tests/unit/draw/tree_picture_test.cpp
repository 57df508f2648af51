// What a picture says: every figure of the five patients, and a word about everything that is not shown in full.
#include "regrove/draw/tree_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/draw/sample_trees.hpp"

namespace regrove::draw {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(DescribeTree, SaysTheFivePatients) {
    const TreePicture picture = describe_tree(testing::five_patients(), {});
    EXPECT_EQ(picture.title, "Decision tree for disease");
    EXPECT_EQ(picture.subtitle, "5 rows · depth 2 · 3 leaves");
    ASSERT_EQ(picture.legend.size(), 2U);
    EXPECT_EQ(picture.legend[1].text, "Yes 60%");
    ASSERT_EQ(picture.cards.size(), 5U);

    const Card& root = picture.cards[0];
    EXPECT_EQ(root.kind, CardKind::inner);
    EXPECT_THAT(root.headline, ElementsAre("stress_test = reversable"));
    EXPECT_EQ(root.figures, "5 rows · 100%");
    EXPECT_EQ(root.ties, "1 alike");
    EXPECT_EQ(root.node_name, "#0");
    ASSERT_EQ(root.segments.size(), 2U);
    EXPECT_EQ(root.segments[0].name, "No");
    EXPECT_EQ(root.segments[0].percent, "40%");
    EXPECT_DOUBLE_EQ(root.segments[1].share, 0.6);

    const Card& draw = picture.cards[2];
    EXPECT_EQ(draw.kind, CardKind::leaf);
    EXPECT_THAT(draw.headline, ElementsAre("No"));  // of equals the first class
    EXPECT_EQ(draw.answer_share, "50%, a draw");
    const Card& yes = picture.cards[4];
    EXPECT_THAT(yes.headline, ElementsAre("Yes"));
    EXPECT_EQ(yes.answer_share, "100%");
    EXPECT_EQ(yes.node_name, "leaf 2");
    EXPECT_EQ(yes.segments.size(), 1U);
    EXPECT_EQ(yes.accent, picture.legend[1].color);
}

// A born-again tree: no rows, and every node's weight is the number of leaves below it.
TEST(DescribeTree, CountsLeavesWhereThereAreNoRows) {
    model::Ensemble ensemble = testing::five_patients();
    auto& nodes = ensemble.trees[0].nodes;
    const std::vector<std::vector<double>> leaves{{1, 2}, {1, 1}, {1, 0}, {0, 1}, {0, 1}};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].rows = 0;
        nodes[i].value = leaves[i];
        nodes[i].weight = leaves[i][0] + leaves[i][1];
    }
    const TreePicture picture = describe_tree(ensemble, {});
    EXPECT_EQ(picture.subtitle, "depth 2 · 3 leaves");
    EXPECT_EQ(picture.cards[0].figures, "3 leaves");
    EXPECT_EQ(picture.cards[1].figures, "2 leaves");
    EXPECT_EQ(picture.cards[2].figures, "");
    EXPECT_EQ(picture.cards[2].answer_share, "");
    EXPECT_THAT(picture.notes, Contains(HasSubstr("share of the leaves")));
    for (auto& node : nodes) node.weight = 0;  // nothing is known of weights either
    EXPECT_EQ(describe_tree(ensemble, {}).cards[0].figures, "");
}

TEST(DescribeTree, LabelsBranchesAndMarksMissing) {
    model::Ensemble ensemble = testing::five_patients();
    ensemble.trees[0].nodes[0].question.missing_side = model::Side::right;
    ensemble.trees[0].nodes[0].question.missing_seen = true;
    const TreePicture picture = describe_tree(ensemble, {});
    ASSERT_EQ(picture.branches.size(), 4U);
    EXPECT_EQ(picture.branches[0].text, "no");
    EXPECT_EQ(picture.branches[0].missing, MissingMark::none);
    EXPECT_EQ(picture.branches[1].missing, MissingMark::would_go_here);  // node 1 saw no missing values
    EXPECT_EQ(picture.branches[3].text, "yes, missing");
    EXPECT_EQ(picture.branches[3].missing, MissingMark::goes_here);
    EXPECT_TRUE(picture.explain_goes_here);
    EXPECT_TRUE(picture.explain_would_go_here);
}

TEST(DescribeTree, SaysWhatItDoesNotDraw) {
    TreeDrawingOptions options;
    options.max_depth_drawn = 1;
    const TreePicture picture = describe_tree(testing::five_patients(), options);
    ASSERT_EQ(picture.cards.size(), 3U);
    EXPECT_EQ(picture.cards[1].kind, CardKind::cut);
    EXPECT_EQ(picture.cards[1].below, "… 2 more nodes, 2 leaves");
    EXPECT_THAT(picture.notes, Contains(HasSubstr("depth 1 of 2: 3 of 5 nodes")));
    EXPECT_THAT(describe_tree(testing::five_patients(), {}).notes, Not(Contains(HasSubstr("Drawn to"))));
}

TEST(DescribeTree, DefaultsToAReadableDepthAndSaysSo) {
    const TreePicture picture = describe_tree(testing::around(testing::balanced_tree(4096)), {});
    EXPECT_EQ(picture.cards.size(), 127U);
    EXPECT_THAT(picture.notes, Contains(HasSubstr("127 of 8,191 nodes")));
    EXPECT_THAT(picture.notes, Contains(HasSubstr("count the 8,064 below")));
}

TEST(DescribeTree, SaysWeightsWhenRowsAreWeighted) {
    model::Ensemble ensemble = testing::five_patients();
    for (model::Node& node : ensemble.trees[0].nodes) node.weight *= 2.5;
    const TreePicture picture = describe_tree(ensemble, {});
    EXPECT_EQ(picture.subtitle, "5 rows · weight 12.5 · depth 2 · 3 leaves");
    EXPECT_EQ(picture.cards[1].figures, "3 rows · 60% of weight");
}

TEST(DescribeTree, PlacesMeansOnTheScaleOfAllMeans) {
    const TreePicture picture = describe_tree(testing::golf_regression(), {});
    EXPECT_EQ(picture.title, "Regression tree for Num_Players");
    EXPECT_TRUE(picture.legend.empty());
    ASSERT_TRUE(picture.scale.has_value());
    EXPECT_EQ(picture.scale->low, "35.5");
    EXPECT_EQ(picture.scale->high, "46.25");
    EXPECT_EQ(picture.cards[0].figures, "14 rows · 100% · mean 39.75");
    EXPECT_THAT(picture.cards[2].headline, ElementsAre("46.25"));
    const ValueMark root = picture.cards[0].value.value();
    EXPECT_NEAR(root.mean, (39.75 - 35.5) / 10.75, 1e-12);
    EXPECT_NEAR(root.low, (35.75 - 35.5) / 10.75, 1e-12);  // the standard deviation is 4
    EXPECT_NEAR(root.high, (43.75 - 35.5) / 10.75, 1e-12);
    EXPECT_EQ(picture.cards[2].value->high, 1);
}

TEST(DescribeTree, TellsAllFiguresInTheDetails) {
    const TreePicture picture = describe_tree(testing::five_patients(), {});
    const std::string& root = picture.cards[0].details;
    EXPECT_THAT(root, HasSubstr("node 0\nrows: 5, weight: 5 (100%)\nNo: 2 (40%)\nYes: 3 (60%)\nimpurity: 0.48"));
    EXPECT_THAT(root, HasSubstr("asks: stress_test == reversable"));
    EXPECT_THAT(root, HasSubstr("no: {fixed, normal}\nyes: {reversable}"));
    EXPECT_THAT(root, HasSubstr("would go to: no"));
    EXPECT_THAT(root, HasSubstr("gain: 0.2133"));
    EXPECT_THAT(root, HasSubstr("cut the rows alike: 1"));
    EXPECT_THAT(picture.cards[4].details, HasSubstr("node 4, leaf 2"));
}

TEST(DescribeTree, TellsSurrogates) {
    model::Ensemble ensemble = testing::five_patients();
    model::Surrogate surrogate;
    surrogate.feature = FeatureId{1};
    surrogate.threshold = 0.5;
    surrogate.agreement = 0.8;
    surrogate.reversed = true;
    ensemble.trees[0].nodes[0].question.surrogates = {surrogate};
    EXPECT_THAT(describe_tree(ensemble, {}).cards[0].details,
                HasSubstr("if missing, ask: vessels > 0.5 (yes means no), agrees on 80%"));
}

TEST(DescribeTree, SaysWhenNamesAreCut) {
    model::Ensemble ensemble = testing::five_patients();
    EXPECT_THAT(describe_tree(ensemble, {}).notes, Not(Contains(HasSubstr("tooltips"))));
    ensemble.features[0].name = std::string(80, 'x');
    const TreePicture picture = describe_tree(ensemble, {});
    EXPECT_THAT(picture.notes, Contains(HasSubstr("complete in the tooltips")));
    EXPECT_THAT(picture.cards[0].details, HasSubstr(std::string(80, 'x')));
}

TEST(DescribeTree, CountsClassesThatShareAColor) {
    model::Ensemble ensemble;
    model::Tree tree;
    tree.nodes = {testing::leaf(std::vector<double>(30, 2.0))};
    for (int i = 0; i < 30; ++i) ensemble.classes.push_back("c" + std::to_string(i));
    ensemble.trees = {tree};
    const TreePicture picture = describe_tree(ensemble, {});
    EXPECT_EQ(picture.title, "Decision tree");
    ASSERT_EQ(picture.legend.size(), 17U);
    EXPECT_EQ(picture.legend.back().text, "14 classes of less weight 46.7%");
}

TEST(DescribeTree, RefusesATreeThatIsNotThere) {
    TreeDrawingOptions options;
    options.tree = 1;
    EXPECT_THROW(describe_tree(testing::five_patients(), options), ConfigError);
}

}  // namespace
}  // namespace regrove::draw
