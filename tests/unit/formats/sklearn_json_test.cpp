// scikit-learn's trees: every number arrives, nodes in any order come out in pre-order, damage is refused by name.
#include <cmath>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/formats/registry.hpp"

namespace regrove::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A regression tree in scikit-learn's best-first order: 0 -> (1, 2), 2 -> (3, 4).
std::string dump() {
    return R"({"format":"regrove-sklearn-trees","version":1,"estimator":"DecisionTreeRegressor",
"sklearn_version":"1.2.1","parameters":{"max_leaf_nodes":"3"},"task":"regression","label":"y","classes":[],
"features":["a","b"],"trees":[{
"children_left":[2,-1,3,-1,-1],
"children_right":[1,-1,4,-1,-1],
"feature":[1,-2,0,-2,-2],
"threshold":[0.30000000000000004,-2.0,-1e-300,-2.0,-2.0],
"impurity":[6.0,0.0,2.0,0.5,0.25],
"n_node_samples":[6,1,5,2,3],
"weighted_n_node_samples":[8.0,2.0,6.0,2.0,4.0],
"value":[[1.5],[9.0],[0.1],[-3.0],[2.0]]}]})";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
    try {
        parse_model(text, "m.json");
    } catch (const FormatError& error) {
        return error.what();
    }
    return "taken";
}

TEST(SklearnJson, EveryNumberArrives) {
    const model::Ensemble ensemble = parse_model(dump(), "m.json");
    EXPECT_EQ(ensemble.task, model::Task::regression);
    EXPECT_EQ(ensemble.label_name, "y");
    ASSERT_EQ(ensemble.features.size(), 2U);
    EXPECT_EQ(ensemble.features[1].name, "b");
    EXPECT_EQ(ensemble.features[1].precision, model::NumericPrecision::float32);
    EXPECT_EQ(ensemble.provenance.at("method"), "scikit-learn DecisionTreeRegressor");
    EXPECT_EQ(ensemble.provenance.at("sklearn_parameter.max_leaf_nodes"), "3");
    const auto& nodes = ensemble.trees.at(0).nodes;
    ASSERT_EQ(nodes.size(), 5U);
    EXPECT_EQ(nodes[0].right, NodeId{4});
    EXPECT_EQ(nodes[0].question.threshold, 0.30000000000000004);
    EXPECT_EQ(nodes[0].question.feature, FeatureId{1});
    EXPECT_EQ(nodes[0].question.heavier_side, model::Side::left);
    EXPECT_EQ(nodes[1].question.threshold, -1e-300);
    EXPECT_EQ(nodes[1].question.heavier_side, model::Side::right);
    EXPECT_EQ(nodes[1].left, NodeId{2});
    EXPECT_EQ(nodes[1].right, NodeId{3});
    EXPECT_THAT(nodes[4].value, ElementsAre(9.0));
    EXPECT_THAT(nodes[1].value, ElementsAre(0.1));
    EXPECT_EQ(nodes[3].rows, 3U);
    EXPECT_EQ(nodes[3].weight, 4.0);
    EXPECT_EQ(nodes[3].impurity, 0.25);
    EXPECT_DOUBLE_EQ(nodes[0].gain, 6.0 - (6.0 * 2.0 + 2.0 * 0.0) / 8.0);
}

TEST(SklearnJson, SurvivesBeingWrittenAsRegroveJson) {
    const model::Ensemble ensemble = parse_model(dump(), "m.json");
    EXPECT_EQ(parse_model(write_model(ensemble), "again"), ensemble);
}

TEST(SklearnJson, CannotBeWritten) {
    try {
        write_model(parse_model(dump(), "m.json"), "sklearn-json");
        FAIL() << "written";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("can be read only"));
        EXPECT_THAT(error.what(), HasSubstr("regrove-json"));
    }
}

TEST(SklearnJson, DamageIsRefusedByPlace) {
    EXPECT_THAT(refusal(replaced(dump(), "\"version\":1", "\"version\":2")), HasSubstr("version 2 is unknown"));
    EXPECT_THAT(refusal(replaced(dump(), "[2,-1,3", "[2,-1,9")), HasSubstr("trees[0].children_left[2]: there are 5"));
    EXPECT_THAT(refusal(replaced(dump(), "[2,-1,3", "[2,-1,0")), HasSubstr("node 0 has two parents"));
    EXPECT_THAT(refusal(replaced(dump(), "[2,-1,3", "[2,-1,-1")), HasSubstr("one child is missing"));
    EXPECT_THAT(refusal(replaced(replaced(dump(), "[2,-1,3", "[2,-1,-1"), "[1,-1,4", "[1,-1,-1")),
                HasSubstr("2 nodes have no parent"));
    EXPECT_THAT(refusal(replaced(dump(), "\"feature\":[1", "\"feature\":[2")), HasSubstr("m.json: tree 0, node 0"));
    EXPECT_THAT(refusal(replaced(dump(), "[6.0,0.0", "[0.0")), HasSubstr("trees[0].impurity: has 4 nodes"));
    EXPECT_THAT(refusal(replaced(dump(), "\"label\":\"y\"", "\"lable\":\"y\"")), HasSubstr("'label' is missing"));
    EXPECT_THAT(refusal(replaced(dump(), "\"classes\":[]", "\"classes\":[\"a\"]")), HasSubstr("no classes"));
    EXPECT_THAT(refusal(replaced(dump(), "[9.0]", "[9.0,1.0]")), HasSubstr("value has 2 numbers"));
    for (std::size_t size = 0; size + 1 < dump().size(); size += 7)
        EXPECT_THROW(parse_model(dump().substr(0, size), "m.json"), FormatError) << size;
}

}  // namespace
}  // namespace regrove::formats
