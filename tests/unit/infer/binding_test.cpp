// Columns found by name, cells of every column type, and the words when columns do not fit.
#include "regrove/infer/binding.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

using data::ColumnRole;
using data::ColumnType;
using model::NumericPrecision;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A regression model that asks for each of the features once.
model::Ensemble asking_for(std::vector<model::Feature> features) {
    std::vector<model::Tree> trees;
    for (std::uint32_t f = 0; f < features.size(); ++f)
        trees.push_back(stump(features[f].kind == model::FeatureKind::numeric ? above(f, 0) : one_of(f, {0}, {0})));
    return regression(std::move(features), std::move(trees));
}

std::vector<double> cells_of(const model::Ensemble& ensemble, const data::TableShard& shard) {
    std::vector<double> cells;
    const Binding binding(ensemble, shard.schema);
    binding.fill(shard, 0, shard.rows, cells);
    return cells;
}

std::string refusal(const model::Ensemble& ensemble, const data::TableShard& shard) {
    try {
        const Binding binding(ensemble, shard.schema);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Binding, ColumnsAreFoundByNameInAnyOrderAmongOthers) {
    const auto ensemble = asking_for({numeric("a"), numeric("b")});
    const auto shard = table({numbers("b", {1, 2}), numbers("other", {9, 9}), numbers("a", {3, 4})});
    EXPECT_THAT(cells_of(ensemble, shard), ElementsAre(3, 1, 4, 2));
}

TEST(Binding, FillTakesTheRowsAskedFor) {
    const auto ensemble = asking_for({numeric("a")});
    const auto shard = table({numbers("a", {0, 1, 2, 3, 4})});
    std::vector<double> cells;
    Binding(ensemble, shard.schema).fill(shard, 2, 4, cells);
    EXPECT_THAT(cells, ElementsAre(2, 3));
}

TEST(Binding, Float32FeaturesRoundDoubles) {
    const auto ensemble = asking_for({numeric("a", NumericPrecision::float32)});
    const double between = 1.0 + 0x1p-25;  // below half a float32 step above 1
    EXPECT_THAT(cells_of(ensemble, table({numbers("a", {between, 0.1, -0.0})})),
                ElementsAre(1.0, static_cast<double>(0.1F), -0.0));
    EXPECT_THAT(cells_of(asking_for({numeric("a")}), table({numbers("a", {between})})), ElementsAre(between));
}

TEST(Binding, IntegersRoundOnce) {
    // 2^60 + 2^36 + 1: as a double it loses the one and then ties down to 2^60 as a float; rounded once it goes up.
    const std::int64_t big = (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1;
    auto shard = table({numbers("a", {})});
    shard.schema.columns[0].type = ColumnType::int64;
    shard.values[0] = std::vector<std::int64_t>{big, data::k_missing_int64};
    shard.rows = 2;
    const auto cells = cells_of(asking_for({numeric("a", NumericPrecision::float32)}), shard);
    EXPECT_EQ(cells[0], 0x1p60 + 0x1p37);
    EXPECT_TRUE(std::isnan(cells[1]));
}

TEST(Binding, MissingCellsOfEveryType) {
    const std::vector<NamedColumn> columns{
        {{"a", ColumnType::float32, ColumnRole::feature, {}}, std::vector<float>{NAN}},
        {{"a", ColumnType::float64, ColumnRole::feature, {}}, std::vector<double>{k_nan}},
        {{"a", ColumnType::int32, ColumnRole::feature, {}}, std::vector<std::int32_t>{data::k_missing_int32}},
        {{"a", ColumnType::int64, ColumnRole::feature, {}}, std::vector<std::int64_t>{data::k_missing_int64}},
        {{"a", ColumnType::category, ColumnRole::feature, {}}, std::vector<std::int32_t>{-1}},
    };
    for (const auto& column : columns) {
        EXPECT_TRUE(std::isnan(cells_of(asking_for({numeric("a")}), table({column}))[0]));
        EXPECT_TRUE(std::isnan(cells_of(asking_for({category("a", {"x"})}), table({column}))[0]));
    }
    const NamedColumn text{{"a", ColumnType::text, ColumnRole::id, {}}, std::vector<std::string>{""}};
    EXPECT_TRUE(std::isnan(cells_of(asking_for({category("a", {"x"})}), table({text}))[0]));
}

TEST(Binding, CategoriesAreTranslatedByName) {
    const auto ensemble = asking_for({category("c", {"no", "yes"})});
    const auto shard = table({codes("c", {"yes", "maybe", "no"}, {0, 1, 2, -1})});
    const auto cells = cells_of(ensemble, shard);
    EXPECT_THAT(std::vector<double>(cells.begin(), cells.begin() + 3), ElementsAre(1, k_unknown_category, 0));
    EXPECT_TRUE(std::isnan(cells[3]));
    EXPECT_THAT(Binding(ensemble, shard.schema).warnings(),
                ElementsAre(AllOf(HasSubstr("column 'c'"), HasSubstr("1 of its 3"), HasSubstr("'maybe'"))));
}

TEST(Binding, NumbersAnswerForCategoriesByTheirText) {
    const auto ensemble = asking_for({category("c", {"01", "1", "2.50", "0.1", "x"})});
    EXPECT_THAT(cells_of(ensemble, table({numbers("c", {1, 2.5, 0.1, 7})})),
                ElementsAre(1, 2, 3, k_unknown_category));
    const NamedColumn floats{{"c", ColumnType::float32, ColumnRole::feature, {}}, std::vector<float>{0.1F, 1}};
    EXPECT_THAT(cells_of(ensemble, table({floats})), ElementsAre(3, 1));
    const NamedColumn integers{{"c", ColumnType::int32, ColumnRole::feature, {}}, std::vector<std::int32_t>{1, -1}};
    EXPECT_THAT(cells_of(ensemble, table({integers})), ElementsAre(1, k_unknown_category));
}

TEST(Binding, TextAnswersForCategories) {
    const NamedColumn text{{"c", ColumnType::text, ColumnRole::id, {}}, std::vector<std::string>{"yes", "maybe"}};
    EXPECT_THAT(cells_of(asking_for({category("c", {"no", "yes"})}), table({text})),
                ElementsAre(1, k_unknown_category));
}

TEST(Binding, MissingFeaturesAreAllListedWithTheNearestColumn) {
    const auto ensemble = asking_for({numeric("age"), numeric("cholesterol"), numeric("vessels")});
    const auto message =
        refusal(ensemble, table({numbers("Age", {1}), numbers("vessels", {1}), numbers("zip", {1})}));
    EXPECT_THAT(message, AllOf(HasSubstr("2 of its 3 features are missing"),
                               HasSubstr("'age' (nearest column: 'Age')"), HasSubstr("'cholesterol'"),
                               HasSubstr("does not know: 'Age', 'zip'"), Not(HasSubstr("'vessels'"))));
}

TEST(Binding, LongListsAreCut) {
    std::vector<model::Feature> features;
    for (int i = 0; i < 784; ++i) features.push_back(numeric("pixel" + std::to_string(i)));
    const auto message = refusal(asking_for(features), table({numbers("y", {1})}));
    EXPECT_THAT(message, AllOf(HasSubstr("784 of its 784"), HasSubstr("and 774 more"), HasSubstr("'pixel9'")));
    EXPECT_LT(message.size(), 500U);
}

TEST(Binding, TheLabelIsNoUnknownColumn) {
    const auto message = refusal(asking_for({numeric("a")}), table({numbers("y", {1}), numbers("b", {1})}));
    EXPECT_THAT(message, AllOf(HasSubstr("does not know: 'b'"), Not(HasSubstr("'y'"))));
}

TEST(Binding, CategoriesAndTextCannotAnswerForNumbers) {
    const auto ensemble = asking_for({numeric("a")});
    EXPECT_THAT(refusal(ensemble, table({codes("a", {"old", "young"}, {0})})),
                AllOf(HasSubstr("column 'a' holds categories (such as 'old')"), HasSubstr("needs numbers")));
    EXPECT_THAT(
        refusal(ensemble, table({{{"a", ColumnType::text, ColumnRole::id, {}}, std::vector<std::string>{"x"}}})),
        HasSubstr("column 'a' is text"));
}

TEST(Binding, UnusedFeaturesAreDemandedButNotRead) {
    const auto ensemble = regression({numeric("a"), numeric("b")}, {stump(above(1, 0))});
    EXPECT_THAT(refusal(ensemble, table({numbers("b", {1})})), HasSubstr("'a'"));
    std::vector<double> cells{-5, -5};
    const auto shard = table({numbers("a", {1}), numbers("b", {2})});
    Binding(ensemble, shard.schema).fill(shard, 0, 1, cells);
    EXPECT_THAT(cells, ElementsAre(-5, 2));
}

TEST(Binding, SurrogatesCountAsQuestions) {
    model::Question question = above(1, 0);
    model::Surrogate surrogate;
    surrogate.feature = FeatureId{0};
    question.surrogates = {surrogate};
    const auto ensemble = regression({numeric("a"), numeric("b")}, {stump(question)});
    EXPECT_THAT(cells_of(ensemble, table({numbers("a", {1}), numbers("b", {2})})), ElementsAre(1, 2));
}

/// Models of files that know no names.
class BindingByPosition : public testing::Test {
  protected:
    static model::Ensemble numbered() {
        model::Ensemble ensemble = asking_for(model::numbered_features(2));
        ensemble.features_by_position = true;
        return ensemble;
    }
    static std::vector<std::string> warnings(const data::TableShard& shard) {
        const model::Ensemble ensemble = numbered();
        return Binding(ensemble, shard.schema).warnings();
    }
};

TEST_F(BindingByPosition, TakesFeatureColumnsInOrder) {
    auto shard = table({numbers("label", {9, 9}), numbers("b", {1, 2}), numbers("a", {3, 4})});
    shard.schema.columns[0].role = ColumnRole::label;
    EXPECT_THAT(cells_of(numbered(), shard), ElementsAre(1, 3, 2, 4));
    EXPECT_THAT(warnings(shard), testing::IsEmpty());
}

TEST_F(BindingByPosition, SaysWhichColumnsItTookOfMore) {
    const auto shard = table({numbers("b", {1}), numbers("a", {3}), numbers("Class", {0})});
    EXPECT_THAT(cells_of(numbered(), shard), ElementsAre(1, 3));
    EXPECT_THAT(warnings(shard),
                ElementsAre(HasSubstr("its 2 features are taken to be 'b', 'a'; not read: 'Class'")));
}

TEST_F(BindingByPosition, NamesThatAreAllThereComeFirst) {
    EXPECT_THAT(cells_of(numbered(), table({numbers("f1", {1}), numbers("f0", {3})})), ElementsAre(3, 1));
    EXPECT_THAT(cells_of(numbered(), table({numbers("f1", {1}), numbers("f2", {3})})), ElementsAre(1, 3));
}

TEST_F(BindingByPosition, RefusesTooFewColumnsAndOtherTypes) {
    EXPECT_THAT(refusal(numbered(), table({numbers("a", {1})})),
                HasSubstr("knows its 2 features by position only, but the table has 1 feature columns"));
    EXPECT_THAT(refusal(numbered(), table({codes("a", {"x"}, {0}), numbers("b", {1})})),
                HasSubstr("column 'a' holds categories (such as 'x'), but the model needs numbers"));
    auto ensemble = numbered();
    ensemble.features_by_position = false;
    EXPECT_THAT(refusal(ensemble, table({numbers("a", {1}), numbers("b", {1})})), HasSubstr("'f0'"));
}

}  // namespace
}  // namespace regrove::infer
