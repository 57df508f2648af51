// The cost-complexity path of scikit-learn's own unpruned trees is scikit-learn's.
#include "regrove/prune/cost_complexity.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regrove/formats/registry.hpp"

namespace regrove::prune {
namespace {

constexpr double k_alpha_tolerance = 1e-12;

class SklearnPath : public testing::TestWithParam<std::string> {
  protected:
    SklearnPath()
        : model_(formats::read_model(file("tree"))),
          expected_(nlohmann::json::parse(std::ifstream(file("path")))),
          path_(cost_complexity_path(model_.trees.at(0))) {}

    static std::string file(const std::string& what) {
        return std::string(REGROVE_TEST_DATA) + "/prune/" + GetParam() + "_" + what + ".json";
    }
    std::vector<double> numbers(const char* key) const { return expected_.at(key).get<std::vector<double>>(); }

    model::Ensemble model_;
    nlohmann::json expected_;
    CostComplexityPath path_;
};

TEST_P(SklearnPath, HasItsStepsAlphasAndImpurities) {
    const auto alphas = numbers("ccp_alphas");
    const auto impurities = numbers("impurities");
    ASSERT_EQ(path_.steps.size() + 1, alphas.size());  // its first entry is the whole tree
    EXPECT_NEAR(path_.impurity, impurities[0], k_alpha_tolerance);
    std::size_t equal_bits = 0;
    for (std::size_t i = 0; i < path_.steps.size(); ++i) {
        EXPECT_NEAR(path_.steps[i].alpha, alphas[i + 1], k_alpha_tolerance) << i;
        EXPECT_NEAR(path_.steps[i].impurity, impurities[i + 1], 1e-12 * std::max(1.0, impurities.back())) << i;
        equal_bits += path_.steps[i].alpha == alphas[i + 1] && path_.steps[i].impurity == impurities[i + 1] ? 1 : 0;
    }
    EXPECT_EQ(equal_bits, path_.steps.size());
}

TEST_P(SklearnPath, LeavesAsManyLeavesAtEveryAlpha) {
    const auto alphas = numbers("ccp_alphas");
    const auto leaves = expected_.at("n_leaves").get<std::vector<std::uint32_t>>();
    ASSERT_EQ(leaves.size(), alphas.size());
    for (std::size_t i = 0; i < alphas.size(); ++i) {
        const model::Tree pruned = pruned_tree(model_.trees[0], path_, alphas[i]);
        EXPECT_EQ(pruned.leaf_count(), leaves[i]) << "alpha " << alphas[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Trees, SklearnPath,
                         testing::Values("wdbc", "cleveland", "diabetes", "diabetes_leaves_of_three"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace regrove::prune
