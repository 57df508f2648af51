// Trees of exact boosting beside those of XGBoost 1.7.4's exact method, from the same initial scores: structure, gains and leaves.
#include <cmath>
#include <fstream>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove {
namespace {

using nlohmann::json;

const std::string k_folder = std::string(REGROVE_TEST_DATA) + "/boosting/";
/// XGBoost computes gains and leaves in float32.
constexpr double k_rounding = 2e-5;

json reference() { return json::parse(std::ifstream(k_folder + "xgboost_exact.json")); }

/// The table with one of its labels.
data::TableShard table_for(comm::Communicator& comm, const std::string& label) {
    pipeline::TableRequest request;
    request.path = k_folder + "xgboost_exact.csv";
    request.target = label;
    data::TableShard table = pipeline::load_table(comm, request);
    for (const std::string other : {"squared_error", "logistic", "gamma"}) {
        if (other == label) continue;
        const auto place = static_cast<std::ptrdiff_t>(*table.schema.find(other));
        table.schema.columns.erase(table.schema.columns.begin() + place);
        table.values.erase(table.values.begin() + place);
    }
    return table;
}

train::BoostingOptions options_for(const json& theirs, const std::string& objective) {
    train::BoostingOptions options;
    options.objective.objective = objective;
    options.split_points = train::BoostingSplitPoints::exact;
    options.initial_score = "start";
    options.trees = 2;
    options.learning_rate = theirs.at("eta");
    options.reg_lambda = theirs.at("lambda");
    options.max_depth = theirs.at("max_depth");
    options.min_child_weight = theirs.at("min_child_weight");
    return options;
}

void expect_close(double ours, double theirs, const std::string& what) {
    EXPECT_NEAR(ours, theirs, k_rounding * std::max(1.0, std::fabs(theirs))) << what;
}

/// Node by node: "yes" of XGBoost (x < threshold) is the left child.
void expect_equal(const model::Ensemble& model, const model::Tree& tree, NodeId id, const json& theirs,
                  std::size_t& compared) {
    const model::Node& node = tree.node(id);
    const std::string at = "node " + std::to_string(index(id));
    ASSERT_EQ(node.is_leaf(), theirs.contains("leaf")) << at;
    ++compared;
    if (node.is_leaf()) return expect_close(node.value[0], theirs.at("leaf"), at);
    EXPECT_EQ(model.features[index(node.question.feature)].name, theirs.at("split")) << at;
    const double threshold = theirs.at("split_condition");
    if (std::isinf(
            node.question.threshold)) {  // values against missing ones: XGBoost takes some number above all values
        EXPECT_GT(threshold, node.question.training_high) << at;
    } else {
        EXPECT_EQ(node.question.threshold, threshold) << at;
    }
    expect_close(2 * node.gain, theirs.at("gain"), at + " (XGBoost's gain lacks the half)");
    std::map<int, const json*> children;
    for (const json& child : theirs.at("children")) children[child.at("nodeid")] = &child;
    if (node.question.missing_seen) {
        EXPECT_EQ(node.question.missing_side == model::Side::left, theirs.at("missing") == theirs.at("yes")) << at;
    }
    expect_equal(model, tree, node.left, *children.at(theirs.at("yes")), compared);
    expect_equal(model, tree, node.right, *children.at(theirs.at("no")), compared);
}

class ExactBoosting : public testing::TestWithParam<const char*> {};

TEST_P(ExactBoosting, GrowsTheTreesOfXgboost) {
    const auto comm = comm::make_self_communicator();
    const std::string name = GetParam();
    const json theirs = reference().at(name);
    const std::string objective = name == "squared_error" ? "squared-error" : name;
    const data::TableShard table = table_for(*comm, name);
    const auto grown =
        dist::grow_boosted(*comm, {table, std::nullopt, nullptr}, options_for(theirs.at("options"), objective), 1);
    ASSERT_EQ(grown.ensemble.trees.size(), 2U);
    std::size_t compared = 0;
    for (std::size_t t = 0; t < 2; ++t)
        expect_equal(grown.ensemble, grown.ensemble.trees[t], NodeId{0}, theirs.at("trees")[t], compared);
    EXPECT_GT(compared, 20U);
    model::Ensemble model = grown.ensemble;
    model.provenance["option.initial_score"] = "start";
    const infer::Predictor predictor(model, table.schema);
    const auto raw = predictor.raw(predictor.leaves(table), infer::initial_scores_of(model, table));
    const json& margins = theirs.at("margins");
    for (std::size_t row = 0; row < margins.size(); ++row)
        expect_close(raw[row], margins[row], "margin of row " + std::to_string(row));
}

INSTANTIATE_TEST_SUITE_P(Golden, ExactBoosting, testing::Values("squared_error", "logistic", "gamma"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace regrove
