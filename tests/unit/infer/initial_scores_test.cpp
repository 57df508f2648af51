// A column of scores that rows bring with them: found by the model's provenance, checked row by row, added before the trees.
#include "regrove/infer/initial_scores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/prediction_table.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Scores 0.25 + start + (x > 1 ? 1 : 0).
model::Ensemble model_of(model::Link link, const std::string& column) {
    model::EnsembleBuilder builder;
    if (link == model::Link::logistic)
        builder.task(model::Task::classification, "y", {"no", "yes"});
    else
        builder.task(model::Task::regression, "y", {});
    builder.features({numeric("x")}).add_tree(stump(above(0, 1))).sum(link, {0.25}, {});
    builder.provenance("option.initial_score", column);
    return std::move(builder).build();
}

data::TableShard rows(std::vector<double> start) {
    data::TableShard shard = table({numbers("start", std::move(start)), numbers("x", {0, 2, 2})});
    shard.first_row = 7;
    return shard;
}

std::vector<double> predicted(const model::Ensemble& model, const data::TableShard& shard, PredictionKind kind) {
    const auto answers = prediction_table(model, Predictor(model, shard.schema), shard, {kind, false});
    return std::get<std::vector<double>>(answers.values.back());
}

std::string refusal(const data::TableShard& shard, const std::string& column) {
    try {
        static_cast<void>(read_initial_scores(shard, column));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(InitialScores, AreNamedByTheProvenanceOfBoostedModelsOnly) {
    EXPECT_EQ(initial_score_column(model_of(model::Link::identity, "start")), "start");
    EXPECT_EQ(initial_score_column(model_of(model::Link::identity, "")), "");
    model::Ensemble tree = regression({numeric("x")}, {stump(above(0, 1))});
    EXPECT_EQ(initial_score_column(tree), "");
    tree.provenance["option.initial_score"] = "start";
    EXPECT_EQ(initial_score_column(tree), "") << "a mean of trees has no scores to begin at";
}

TEST(InitialScores, AreAddedBeforeTheLink) {
    const auto shard = rows({-1, 0, 10});
    EXPECT_THAT(predicted(model_of(model::Link::identity, "start"), shard, PredictionKind::value),
                ElementsAre(-0.75, 1.25, 11.25));
    EXPECT_THAT(predicted(model_of(model::Link::identity, ""), shard, PredictionKind::value),
                ElementsAre(0.25, 1.25, 1.25));
    EXPECT_THAT(predicted(model_of(model::Link::exponential, "start"), shard, PredictionKind::raw),
                ElementsAre(-0.75, 1.25, 11.25));
    EXPECT_NEAR(predicted(model_of(model::Link::exponential, "start"), shard, PredictionKind::value)[0],
                0.47236655274101469, 1e-15);
    EXPECT_NEAR(predicted(model_of(model::Link::logistic, "start"), shard, PredictionKind::probability)[0],
                0.32082130082460703, 1e-15);
}

TEST(InitialScores, DecideClassesWithTheTrees) {
    const auto model = model_of(model::Link::logistic, "start");
    const auto shard = rows({-1, -1.5, 0});
    const Predictor predictor(model, shard.schema);
    EXPECT_THAT(predictor.classes(predictor.leaves(shard), initial_scores_of(model, shard)), ElementsAre(0, 0, 1));
    EXPECT_THAT(predictor.classes(predictor.leaves(shard)), ElementsAre(1, 1, 1));
}

TEST(InitialScores, AreAColumnThatReadersExpect) {
    EXPECT_TRUE(expected_schema(model_of(model::Link::identity, "start")).find("start").has_value());
}

TEST(InitialScores, MustBeFiniteInEveryRow) {
    EXPECT_THAT(refusal(rows({0, k_nan, 0}), "start"), HasSubstr("row 8 (from zero)"));
    EXPECT_THAT(refusal(rows({0, k_nan, 0}), "start"), HasSubstr("missing"));
    EXPECT_THAT(refusal(rows({0, 0, -k_inf}), "start"), HasSubstr("row 9 (from zero)"));
    EXPECT_THAT(refusal(rows({0, 0, -k_inf}), "start"), HasSubstr("is -inf"));
}

TEST(InitialScores, MustBeAColumnOfTheirOwn) {
    auto shard = rows({0, 0, 0});
    EXPECT_THAT(refusal(shard, "stat"), HasSubstr("no column 'stat' of initial scores; did you mean 'start'?"));
    EXPECT_THROW(static_cast<void>(initial_scores_of(model_of(model::Link::identity, "other"), shard)), InputError);
    shard.schema.columns[0].role = data::ColumnRole::weight;
    EXPECT_THAT(refusal(shard, "start"), HasSubstr("it is the table's weight"));
    shard.schema.columns[0].role = data::ColumnRole::id;
    EXPECT_EQ(refusal(shard, "start"), "");
    const auto text = table({codes("start", {"a"}, {0, 0, 0})});
    EXPECT_THAT(refusal(text, "start"), HasSubstr("holds category values"));
}

}  // namespace
}  // namespace regrove::infer
