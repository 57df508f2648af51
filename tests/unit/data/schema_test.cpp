// Lookups, texts and hash of a schema, and each rule that validate() keeps.
#include "regrove/data/schema.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Schema patients() {
    return {{{"id", ColumnType::text, ColumnRole::id, {}},
             {"age", ColumnType::int32, ColumnRole::feature, {}},
             {"test", ColumnType::category, ColumnRole::feature, {"normal", "fixed"}},
             {"sick", ColumnType::category, ColumnRole::label, {"No", "Yes"}}}};
}

TEST(Schema, FindsColumnsByNameAndRole) {
    const Schema schema = patients();
    EXPECT_EQ(schema.find("test"), 2U);
    EXPECT_EQ(schema.find("Test"), std::nullopt);
    EXPECT_EQ(schema.find(ColumnRole::label), 3U);
    EXPECT_EQ(schema.find(ColumnRole::weight), std::nullopt);
    EXPECT_THAT(schema.features(), ElementsAre(1U, 2U));
}

TEST(Schema, TextsOfTypesAndRolesReadBack) {
    for (const auto type : {ColumnType::float32, ColumnType::float64, ColumnType::int32, ColumnType::int64,
                            ColumnType::category, ColumnType::text})
        EXPECT_EQ(column_type_from_text(to_text(type)), type);
    for (const auto role : {ColumnRole::feature, ColumnRole::label, ColumnRole::weight, ColumnRole::group,
                            ColumnRole::fold, ColumnRole::id})
        EXPECT_EQ(column_role_from_text(to_text(role)), role);
    EXPECT_EQ(to_text(ColumnType::category), "category");
    EXPECT_EQ(to_text(ColumnRole::fold), "fold");
    EXPECT_EQ(column_type_from_text("float16"), std::nullopt);
    EXPECT_EQ(column_role_from_text(""), std::nullopt);
}

TEST(Schema, HashSeesEveryPart) {
    const Hash128 base = patients().hash();
    EXPECT_EQ(patients().hash(), base);
    const std::vector<std::function<void(Schema&)>> changes{
        [](Schema& s) { s.columns[1].name = "Age"; },
        [](Schema& s) { s.columns[1].type = ColumnType::int64; },
        [](Schema& s) { s.columns[1].role = ColumnRole::weight; },
        [](Schema& s) { std::swap(s.columns[2].categories[0], s.columns[2].categories[1]); },
        [](Schema& s) {
            s.columns[2].categories = {"norma", "lfixed"};
        },
        [](Schema& s) { std::swap(s.columns[1], s.columns[2]); },
        [](Schema& s) { s.columns.pop_back(); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        Schema changed = patients();
        changes[i](changed);
        EXPECT_NE(changed.hash(), base) << "change " << i;
    }
}

void expect_refused(const std::function<void(Schema&)>& change, const std::string& words) {
    Schema schema = patients();
    change(schema);
    try {
        validate(schema);
        ADD_FAILURE() << "accepted, expected: " << words;
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr(words));
    }
}

TEST(Schema, ValidateAcceptsAndRefuses) {
    EXPECT_NO_THROW(validate(patients()));
    expect_refused([](Schema& s) { s.columns.clear(); }, "no columns");
    expect_refused([](Schema& s) { s.columns[1].name.clear(); }, "column 1 has no name");
    expect_refused([](Schema& s) { s.columns[1].name = "test"; }, "columns 1 and 2 have the same name 'test'");
    expect_refused([](Schema& s) { s.columns[1].role = ColumnRole::label; },
                   "columns 'age' and 'sick' both have the role label");
    expect_refused([](Schema& s) { s.columns[1].role = s.columns[2].role = ColumnRole::fold; }, "role fold");
    expect_refused([](Schema& s) { s.columns[1].categories = {"a"}; }, "only category columns");
    expect_refused([](Schema& s) { s.columns[2].categories = {"a", "b", "a"}; }, "'a' stands twice");
}

TEST(Schema, SeveralIdColumnsAreFine) {
    Schema schema = patients();
    schema.columns[1].role = ColumnRole::id;
    EXPECT_NO_THROW(validate(schema));
}

}  // namespace
}  // namespace regrove::data
