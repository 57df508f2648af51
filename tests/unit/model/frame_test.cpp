// A frame is its model without trees, to the last member.
#include "regrove/model/frame.hpp"

#include <gtest/gtest.h>

namespace regrove::model {
namespace {

TEST(Frame, IsTheModelWithoutTrees) {
    Ensemble model;
    model.task = Task::regression;
    model.label_name = "y";
    model.classes = {"a", "b"};
    model.features = {{"x", FeatureKind::category, NumericPrecision::float32, {"p", "q"}}};
    model.features_by_position = true;
    model.trees.resize(2);
    model.combination = Combination::sum;
    model.tree_weights = {1, 2};
    model.link = Link::logistic;
    model.initial_scores = {0.5, 1};
    model.tree_outputs = {0, 1};
    model.provenance["method"] = "boosting";
    const Ensemble frame = frame_of(model);
    model.trees.clear();
    model.tree_weights.clear();
    model.tree_outputs.clear();
    EXPECT_EQ(frame, model);
    const Ensemble bare = frame_without_features(model);
    model.features.clear();
    EXPECT_EQ(bare, model);
}

}  // namespace
}  // namespace regrove::model
