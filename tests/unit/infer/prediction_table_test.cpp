// The columns of each kind of prediction, carried ids, flags, and kinds that do not fit the task.
#include "regrove/infer/prediction_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

using data::ColumnRole;
using data::ColumnType;
using testing::ElementsAre;
using testing::HasSubstr;

model::Ensemble classifier() {
    model::EnsembleBuilder builder;
    model::Question question = above(0, 1);
    question.training_low = 0;
    question.training_high = 2;
    model::Tree tree{{inner(question, 1, 2, {4, 4}), leaf({3, 1}), leaf({1, 3})}};
    builder.task(model::Task::classification, "y", {"no", "yes"}).features({numeric("x")}).add_tree(tree);
    return std::move(builder).build();
}

data::TableShard rows() {
    data::TableShard shard =
        table({numbers("x", {0, 2, 5}),
               {{"name", ColumnType::text, ColumnRole::id, {}}, std::vector<std::string>{"a", "b", "c"}}});
    shard.first_row = 10;
    shard.global_rows = 20;
    return shard;
}

data::TableShard predict(const model::Ensemble& ensemble, PredictionKind kind, bool flags = false) {
    const auto shard = rows();
    return prediction_table(ensemble, Predictor(ensemble, shard.schema), shard, {kind, flags});
}

/// The texts of a column, by name.
std::vector<std::string> column(const data::TableShard& shard, const std::string& name) {
    const std::size_t c = shard.schema.find(name).value();
    std::vector<std::string> cells;
    for (std::size_t row = 0; row < shard.rows; ++row)
        cells.push_back(data::cell_text(shard.schema.columns[c], shard.values[c], row));
    return cells;
}

std::vector<std::string> names(const data::TableShard& shard) {
    std::vector<std::string> names;
    for (const auto& column : shard.schema.columns) names.push_back(column.name);
    return names;
}

TEST(PredictionTable, ClassesBesideIds) {
    const auto predictions = predict(classifier(), PredictionKind::automatic);
    EXPECT_THAT(names(predictions), ElementsAre("name", "class"));
    EXPECT_THAT(column(predictions, "name"), ElementsAre("a", "b", "c"));
    EXPECT_THAT(column(predictions, "class"), ElementsAre("no", "yes", "yes"));
    EXPECT_EQ(predictions.first_row, 10U);
    EXPECT_EQ(predictions.global_rows, 20U);
    EXPECT_EQ(predictions.rows, 3U);
}

TEST(PredictionTable, Probabilities) {
    const auto predictions = predict(classifier(), PredictionKind::probability);
    EXPECT_THAT(names(predictions), ElementsAre("name", "probability_no", "probability_yes"));
    EXPECT_THAT(column(predictions, "probability_yes"), ElementsAre("0.25", "0.75", "0.75"));
}

TEST(PredictionTable, RawWeights) {
    const auto predictions = predict(classifier(), PredictionKind::raw);
    EXPECT_THAT(names(predictions), ElementsAre("name", "raw_no", "raw_yes"));
    EXPECT_THAT(column(predictions, "raw_no"), ElementsAre("3", "1", "1"));
}

TEST(PredictionTable, LeavesWithFlags) {
    const auto predictions = predict(classifier(), PredictionKind::leaf, true);
    EXPECT_THAT(names(predictions),
                ElementsAre("name", "leaf", "node", "unseen_category", "unseen_missing", "outside_range"));
    EXPECT_THAT(column(predictions, "leaf"), ElementsAre("0", "1", "1"));
    EXPECT_THAT(column(predictions, "node"), ElementsAre("1", "2", "2"));
    EXPECT_THAT(column(predictions, "outside_range"), ElementsAre("0", "0", "1"));
    EXPECT_THAT(column(predictions, "unseen_missing"), ElementsAre("0", "0", "0"));
}

TEST(PredictionTable, RegressionKinds) {
    const auto one = regression({numeric("x")}, {stump(above(0, 1))});
    EXPECT_THAT(column(predict(one, PredictionKind::automatic), "value"), ElementsAre("0", "1", "1"));
    EXPECT_THAT(column(predict(one, PredictionKind::raw), "raw"), ElementsAre("0", "1", "1"));
    const auto two = regression({numeric("x")}, {stump(above(0, 1)), stump(above(0, 3))});
    EXPECT_THAT(names(predict(two, PredictionKind::leaf)),
                ElementsAre("name", "leaf_0", "node_0", "leaf_1", "node_1"));
    EXPECT_THAT(column(predict(two, PredictionKind::value), "value"), ElementsAre("0", "0.5", "1"));
}

TEST(PredictionTable, KindsThatDoNotFitTheTask) {
    const auto numbers = regression({numeric("x")}, {stump(above(0, 1))});
    const auto refusal = [](const model::Ensemble& ensemble, PredictionKind kind) -> std::string {
        try {
            resolve_kind(kind, ensemble);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_THAT(refusal(classifier(), PredictionKind::value), HasSubstr("allowed: class, probability, leaf, raw"));
    EXPECT_THAT(refusal(numbers, PredictionKind::classes), HasSubstr("allowed: value, leaf, raw"));
    EXPECT_THAT(refusal(numbers, PredictionKind::probability), HasSubstr("no probability"));
    EXPECT_EQ(refusal(numbers, PredictionKind::leaf), "accepted");
}

TEST(PredictionTable, AnIdNamedLikeAnAnswerIsRefused) {
    auto shard = rows();
    shard.schema.columns[1].name = "class";
    const auto ensemble = classifier();
    const Predictor predictor(ensemble, shard.schema);
    EXPECT_THROW(prediction_table(ensemble, predictor, shard, {}), InputError);
}

}  // namespace
}  // namespace regrove::infer
