// Narrow models ask the same questions about renumbered features, and find their sparse columns by name.
#include "regrove/infer/narrow_model.hpp"

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::infer {
namespace {

model::Tree stump(std::uint32_t feature, double threshold) {
    model::Tree tree;
    tree.nodes.resize(3);
    tree.nodes[0].question.kind = model::QuestionKind::threshold;
    tree.nodes[0].question.feature = FeatureId{feature};
    tree.nodes[0].question.threshold = threshold;
    tree.nodes[0].left = NodeId{1};
    tree.nodes[0].right = NodeId{2};
    for (std::size_t i = 0; i < 3; ++i) tree.nodes[i].value = {static_cast<double>(i)};
    return tree;
}

model::Ensemble wide_model() {
    model::Ensemble ensemble;
    ensemble.task = model::Task::regression;
    ensemble.label_name = "y";
    ensemble.features = model::numbered_features(100);
    ensemble.combination = model::Combination::sum;
    ensemble.initial_scores = {1};
    ensemble.trees = {stump(70, 0.5), stump(4, 1.5), stump(70, 2.5)};
    return ensemble;
}

TEST(NarrowModel, KeepsTheFeaturesThatAreAskedAbout) {
    const NarrowModel narrow = narrow_model(wide_model());
    EXPECT_EQ(narrow.features, (std::vector<std::uint32_t>{4, 70}));
    ASSERT_EQ(narrow.model.features.size(), 2U);
    EXPECT_EQ(narrow.model.features[0].name, "f4");
    EXPECT_EQ(narrow.model.features[1].name, "f70");
    EXPECT_EQ(narrow.model.trees[0].nodes[0].question.feature, FeatureId{1});
    EXPECT_EQ(narrow.model.trees[1].nodes[0].question.feature, FeatureId{0});
    EXPECT_EQ(narrow.model.trees[1].nodes[0].question.threshold, 1.5);
    EXPECT_EQ(narrow.model.initial_scores, std::vector<double>{1});
    EXPECT_EQ(narrow.model.label_name, "y");
    const NarrowModel one = narrow_tree(wide_model(), wide_model().trees[1]);
    EXPECT_EQ(one.features, std::vector<std::uint32_t>{4});
    EXPECT_EQ(one.model.trees.size(), 1U);
}

TEST(NarrowModel, FindsColumnsByName) {
    const NarrowModel narrow = narrow_model(wide_model());
    std::vector<data::ColumnSchema> columns;
    for (const char* name : {"f70", "f5", "f4"})
        columns.push_back({name, data::ColumnType::float32, data::ColumnRole::feature, {}});
    EXPECT_EQ(sparse_columns_of(narrow.model, data::make_sparse_cells(columns, false)),
              (std::vector<std::uint32_t>{2, 0}));
    columns[0].name = "g";
    const auto cells = data::make_sparse_cells(columns, false);
    try {
        static_cast<void>(sparse_columns_of(narrow.model, cells));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("1 of the 2 features looked for are missing: 'f70'"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace regrove::infer
