// Trees over cells: their figures, and how their questions read in a model.
#include "regrove/bornagain/cell_tree.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::bornagain {
namespace {

using model::Side;

CellNode leaf(std::uint32_t class_index) { return {CellNode::k_leaf, 0, 0, class_index}; }
CellNode ask(std::uint32_t axis, std::uint32_t cut, std::uint32_t right) { return {axis, cut, right, 0}; }

/// Axis 0: `x` with borders 1 and 2.5 and a missing cell; axis 1: `color` (cells {red, blue}, {green}), then unknown and
/// missing.
cellspace::Space mixed_space() {
    cellspace::Space space;
    space.axes.resize(2);
    space.axes[0].name = "x";
    space.axes[0].thresholds = space.axes[0].written_thresholds = {1, 2.5};
    space.axes[0].value_cells = 3;
    space.axes[0].has_missing = true;
    space.axes[1].name = "color";
    space.axes[1].kind = model::FeatureKind::category;
    space.axes[1].categories = {"red", "green", "blue"};
    space.axes[1].cell_of_category = {0, 1, 0};
    space.axes[1].value_cells = 2;
    space.axes[1].has_unknown = space.axes[1].has_missing = true;
    return space;
}

/// The features stand in another order than the axes, and one is asked by nobody.
model::Ensemble mixed_ensemble() {
    model::Ensemble ensemble;
    ensemble.label_name = "y";
    ensemble.classes = {"no", "yes", "maybe"};
    ensemble.features = {
        {"idle", model::FeatureKind::numeric, model::NumericPrecision::float64, {}},
        {"color", model::FeatureKind::category, model::NumericPrecision::float64, {"red", "green", "blue"}},
        {"x", model::FeatureKind::numeric, model::NumericPrecision::float64, {}}};
    model::Tree stump;
    stump.nodes.resize(3);
    stump.nodes[0].question.kind = model::QuestionKind::threshold;
    stump.nodes[0].question.feature = FeatureId{2};
    stump.nodes[0].question.threshold = 1;
    stump.nodes[0].question.training_low = -3;
    stump.nodes[0].question.training_high = 7;
    ensemble.trees = {stump, stump};
    ensemble.trees[1].nodes[0].question.training_high = 9;
    return ensemble;
}

TEST(CellTree, CountsLeavesAndDepth) {
    EXPECT_EQ((CellTree{{leaf(1)}}.leaves()), 1U);
    EXPECT_EQ((CellTree{{leaf(1)}}.depth()), 0U);
    const CellTree chain{{ask(0, 0, 2), leaf(0), ask(1, 0, 4), leaf(1), ask(0, 1, 6), leaf(0), leaf(2)}};
    EXPECT_EQ(chain.leaves(), 4U);
    EXPECT_EQ(chain.depth(), 3U);
    const CellTree left_deep{{ask(0, 1, 4), ask(0, 0, 3), leaf(0), leaf(1), leaf(2)}};
    EXPECT_EQ(left_deep.depth(), 2U);
}

TEST(CellTree, CellsAboveTheCutGoRight) {
    const CellTree tree{{ask(0, 1, 4), ask(1, 0, 3), leaf(0), leaf(1), leaf(2)}};
    EXPECT_EQ(tree.class_at(std::vector<std::uint32_t>{1, 0}), 0U);
    EXPECT_EQ(tree.class_at(std::vector<std::uint32_t>{1, 1}), 1U);
    EXPECT_EQ(tree.class_at(std::vector<std::uint32_t>{2, 0}), 2U);
}

TEST(CellTreeToModel, NumericCutsBecomeThresholds) {
    const CellTree tree{{ask(0, 1, 2), leaf(0), ask(0, 2, 4), leaf(1), leaf(2)}};
    const model::Ensemble model = to_model(tree, mixed_space(), mixed_ensemble());
    ASSERT_EQ(model.trees.size(), 1U);
    const auto& nodes = model.trees[0].nodes;
    EXPECT_EQ(nodes[0].question.feature, FeatureId{2});
    EXPECT_EQ(nodes[0].question.threshold, 2.5);
    EXPECT_TRUE(nodes[0].question.missing_seen);
    EXPECT_EQ(nodes[0].question.missing_side, Side::right);
    EXPECT_EQ(nodes[0].question.training_low, -3);
    EXPECT_EQ(nodes[0].question.training_high, 9);
    EXPECT_EQ(nodes[2].question.threshold, HUGE_VAL);  // only a missing value goes right
    EXPECT_EQ(nodes[0].right, NodeId{2});
    EXPECT_EQ(nodes[0].value, (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(nodes[2].weight, 2);
    EXPECT_EQ(nodes[4].value, (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(model.classes, mixed_ensemble().classes);
    EXPECT_EQ(model.features, mixed_ensemble().features);
    EXPECT_EQ(model.provenance.at("method"), "reborn");
}

TEST(CellTreeToModel, CategoryCutsBecomeSets) {
    const auto question = [](std::uint32_t cut, bool unknown, bool missing) {
        cellspace::Space space = mixed_space();
        space.axes[1].has_unknown = unknown;
        space.axes[1].has_missing = missing;
        const CellTree tree{{ask(1, cut, 2), leaf(0), leaf(1)}};
        return to_model(tree, space, mixed_ensemble()).trees[0].nodes[0].question;
    };
    const auto values = question(0, true, true);
    EXPECT_EQ(values.right_categories, (std::vector<std::uint64_t>{0b010}));
    EXPECT_EQ(values.seen_categories, (std::vector<std::uint64_t>{0b111}));
    EXPECT_EQ(values.heavier_side, Side::right);
    EXPECT_EQ(values.missing_side, Side::right);
    const auto before_unknown = question(1, true, true);
    EXPECT_TRUE(before_unknown.right_categories.empty());
    EXPECT_EQ(before_unknown.heavier_side, Side::right);
    const auto before_missing = question(2, true, true);
    EXPECT_EQ(before_missing.heavier_side, Side::left);
    EXPECT_EQ(before_missing.missing_side, Side::right);
    const auto only_missing = question(1, false, true);
    EXPECT_EQ(only_missing.missing_side, Side::right);
    EXPECT_TRUE(only_missing.missing_seen);
    const auto only_values = question(0, false, false);
    EXPECT_FALSE(only_values.missing_seen);
    EXPECT_EQ(only_values.missing_side, Side::right);  // outside of the space: with the last cell
    EXPECT_EQ(only_values.heavier_side, Side::right);
}

TEST(CellTreeToModel, RefusesWhatTheSpaceOrEnsembleDoNotHave) {
    const auto convert = [](std::uint32_t axis, std::uint32_t cut, const cellspace::Space& space) {
        return to_model(CellTree{{ask(axis, cut, 2), leaf(0), leaf(1)}}, space, mixed_ensemble());
    };
    EXPECT_THROW(convert(0, 3, mixed_space()), InternalError);  // behind the last cell
    EXPECT_THROW(convert(2, 0, mixed_space()), InternalError);
    cellspace::Space other = mixed_space();
    other.axes[0].name = "z";
    EXPECT_THROW(convert(0, 0, other), InternalError);
}

}  // namespace
}  // namespace regrove::bornagain
