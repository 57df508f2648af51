// Post-pruning leaves what rows reach, and says that the result is no longer faithful.
#include "regrove/bornagain/post_prune.hpp"

#include <gtest/gtest.h>

#include "regrove/bornagain/cell_tree.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::bornagain {
namespace {

/// Borders 0, 1, 2, ... on one axis `x`; one leaf a cell, split from the left, with these classes.
model::Ensemble chain(const std::vector<std::uint32_t>& classes) {
    cellspace::Space space;
    space.axes.resize(1);
    space.axes[0].name = "x";
    CellTree tree;
    for (std::uint32_t cut = 0; cut + 1 < classes.size(); ++cut) {
        space.axes[0].thresholds.push_back(cut);
        tree.nodes.push_back({0, cut, 2 * cut + 2, 0});
        tree.nodes.push_back({CellNode::k_leaf, 0, 0, classes[cut]});
    }
    tree.nodes.push_back({CellNode::k_leaf, 0, 0, classes.back()});
    space.axes[0].written_thresholds = space.axes[0].thresholds;
    space.axes[0].value_cells = static_cast<std::uint32_t>(classes.size());
    model::Ensemble ensemble;
    ensemble.label_name = "y";
    ensemble.classes = {"a", "b", "c"};
    ensemble.features = {{"x", model::FeatureKind::numeric, model::NumericPrecision::float64, {}}};
    return to_model(tree, space, ensemble);
}

/// Rows of the leaves of a chain, from left to right, at the places of their nodes.
std::vector<std::uint64_t> at_leaves(const std::vector<std::uint64_t>& rows) {
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        all.push_back(0);
        all.push_back(rows[i]);
    }
    all.push_back(rows.back());
    return all;
}

TEST(PostPrune, AnEmptySideGivesWayToTheOther) {
    const model::Ensemble tree = chain({0, 1, 2, 0});
    const model::Ensemble pruned = post_prune(tree, at_leaves({3, 0, 5, 1}));
    model::validate(pruned);
    const auto& nodes = pruned.trees[0].nodes;
    ASSERT_EQ(nodes.size(), 5U);  // a | c | a
    EXPECT_EQ(nodes[0].question.threshold, 0);
    EXPECT_EQ(nodes[0].right, NodeId{2});
    EXPECT_EQ(nodes[2].question.threshold, 2);
    EXPECT_EQ(nodes[0].rows, 9U);
    EXPECT_EQ(nodes[0].weight, 9);
    EXPECT_EQ(nodes[0].value, (std::vector<double>{4, 0, 5}));
    EXPECT_EQ(nodes[3].value, (std::vector<double>{0, 0, 5}));
    EXPECT_EQ(pruned.provenance.at("reborn.faithful").substr(0, 2), "no");
    EXPECT_EQ(pruned.provenance.at("method"), "reborn");
}

TEST(PostPrune, EmptyRightSidesGoToo) {
    const model::Ensemble pruned = post_prune(chain({0, 1, 2, 0}), at_leaves({3, 2, 0, 0}));
    ASSERT_EQ(pruned.trees[0].nodes.size(), 3U);
    EXPECT_EQ(pruned.trees[0].nodes[2].value, (std::vector<double>{0, 2, 0}));
}

TEST(PostPrune, LeavesOfOneClassThatMeetAreJoined) {
    const model::Ensemble pruned = post_prune(chain({1, 0, 1, 2}), at_leaves({3, 0, 4, 0}));
    ASSERT_EQ(pruned.trees[0].nodes.size(), 1U);
    EXPECT_EQ(pruned.trees[0].nodes[0].rows, 7U);
    EXPECT_EQ(pruned.trees[0].nodes[0].value, (std::vector<double>{0, 7, 0}));
}

TEST(PostPrune, RowsEverywhereKeepEveryQuestion) {
    const model::Ensemble tree = chain({0, 1, 2, 0});
    const model::Ensemble pruned = post_prune(tree, at_leaves({1, 1, 1, 1}));
    ASSERT_EQ(pruned.trees[0].nodes.size(), tree.trees[0].nodes.size());
    for (std::size_t i = 0; i < tree.trees[0].nodes.size(); ++i) {
        EXPECT_EQ(pruned.trees[0].nodes[i].question, tree.trees[0].nodes[i].question);
        EXPECT_EQ(pruned.trees[0].nodes[i].right, tree.trees[0].nodes[i].right);
        EXPECT_EQ(pruned.trees[0].nodes[i].value, tree.trees[0].nodes[i].value);
    }
}

TEST(PostPrune, ATableWithoutRowsPrunesNothing) {
    const model::Ensemble tree = chain({0, 1, 2});
    EXPECT_EQ(post_prune(tree, at_leaves({0, 0, 0})).trees, tree.trees);
}

}  // namespace
}  // namespace regrove::bornagain
