// Labels matched to a model's classes by name, and the messages when they do not match.
#include "regrove/infer/labels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

using data::ColumnRole;
using data::ColumnType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

model::Ensemble with_classes(std::vector<std::string> classes) {
    model::EnsembleBuilder builder;
    std::vector<double> weights(classes.size(), 1.0);
    builder.task(model::Task::classification, "sick", std::move(classes)).features({category("color", {"red"})});
    builder.add_tree({{leaf(weights)}});
    return std::move(builder).build();
}

template <class Action>
std::string refusal(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LabelColumn, ByRoleThenByTheModelsName) {
    auto shard = table({numbers("a", {1}), numbers("sick", {1}), numbers("b", {1})});
    const auto ensemble = with_classes({"0", "1"});
    EXPECT_EQ(label_column(ensemble, shard.schema), 1U);
    shard.schema.columns[2].role = ColumnRole::label;
    EXPECT_EQ(label_column(ensemble, shard.schema), 2U);
    const auto none = table({numbers("a", {1})});
    EXPECT_THAT(refusal([&] { label_column(ensemble, none.schema); }), HasSubstr("named 'sick'"));
}

TEST(TrueClasses, ByNameNotByCode) {
    const auto shard = table({codes("sick", {"yes", "no"}, {0, 1, 0})});
    EXPECT_THAT(true_classes(with_classes({"no", "yes"}), shard, 0), ElementsAre(1, 0, 1));
}

TEST(TrueClasses, NumbersByTheirValue) {
    const auto shard = table({numbers("sick", {1, -1, 0.5})});
    EXPECT_THAT(true_classes(with_classes({"-1", "+1", "0.50"}), shard, 0), ElementsAre(1, 0, 2));
}

TEST(TrueClasses, UnknownAndMissingLabels) {
    auto shard = table({codes("sick", {"yes", "maybe"}, {0, 1, -1})});
    shard.first_row = 100;
    const auto ensemble = with_classes({"no", "yes"});
    EXPECT_THAT(refusal([&] { true_classes(ensemble, shard, 0); }),
                AllOf(HasSubstr("row 101"), HasSubstr("'maybe'"), HasSubstr("'no', 'yes'")));
    shard.values[0] = std::vector<std::int32_t>{0, 0, -1};
    EXPECT_THAT(refusal([&] { true_classes(ensemble, shard, 0); }), HasSubstr("row 102 (from zero) has no label"));
}

TEST(TrueValues, NumbersOnly) {
    EXPECT_THAT(true_values(table({numbers("y", {1.5, -2})}), 0), ElementsAre(1.5, -2));
    EXPECT_THAT(refusal([] { true_values(table({numbers("y", {1, k_nan})}), 0); }), HasSubstr("row 1 (from zero)"));
    EXPECT_THAT(refusal([] { true_values(table({codes("y", {"a"}, {0})}), 0); }), HasSubstr("needs numbers"));
}

TEST(ExpectedSchema, NamesCategoriesAndTheLabel) {
    const auto schema = expected_schema(with_classes({"a", "b"}));
    ASSERT_EQ(schema.columns.size(), 2U);
    EXPECT_EQ(schema.columns[0].name, "color");
    EXPECT_EQ(schema.columns[0].type, ColumnType::category);
    EXPECT_EQ(schema.columns[1].name, "sick");
    EXPECT_EQ(schema.columns[1].role, ColumnRole::label);
    const auto numbers = expected_schema(regression({numeric("x")}, {stump(above(0, 1))}));
    ASSERT_EQ(numbers.columns.size(), 1U);
    EXPECT_EQ(numbers.columns[0].name, "x");
    EXPECT_EQ(numbers.columns[0].type, ColumnType::float64);
}

}  // namespace
}  // namespace regrove::infer
