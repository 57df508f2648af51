#include "regrove/train/folds.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"

namespace regrove::train {
namespace {

using data::ColumnRole;
using data::ColumnType;
using testing::HasSubstr;

constexpr FoldOrder k_order{.seed = 7, .repeat = 2};

std::vector<std::uint64_t> sizes(const std::vector<std::uint32_t>& fold, std::uint32_t folds) {
    std::vector<std::uint64_t> count(folds, 0);
    for (const auto f : fold) count.at(f) += 1;
    return count;
}

std::uint64_t spread(const std::vector<std::uint64_t>& counts) {
    return std::ranges::max(counts) - std::ranges::min(counts);
}

template <class Work>
std::string message_of(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

data::TableShard table_of(ColumnType type, ColumnRole role, data::ColumnValues values) {
    data::TableShard table;
    table.rows = table.global_rows = data::row_count(values);
    table.schema.columns.push_back({"c", type, role, {}});
    if (type == ColumnType::category) table.schema.columns[0].categories = {"zwei", "eins", "drei"};
    table.values.push_back(std::move(values));
    return table;
}

Folds assign(const data::TableShard& table, FoldMethod method, std::uint32_t folds) {
    return assign_folds(table, {method, folds}, Criterion::automatic, k_order);
}

TEST(PlainFolds, AreOfEqualSizeAndChangeWithSeedAndRepeat) {
    for (const std::uint64_t rows : {10U, 11U, 19U, 1000U, 1003U}) {
        const auto fold = plain_folds(rows, 10, k_order);
        ASSERT_EQ(fold.size(), rows);
        EXPECT_LE(spread(sizes(fold, 10)), 1U);
        EXPECT_EQ(fold, plain_folds(rows, 10, k_order));
        EXPECT_NE(fold, plain_folds(rows, 10, {7, 3}));
        EXPECT_NE(fold, plain_folds(rows, 10, {8, 2}));
    }
}

TEST(PlainFolds, HoldEveryRowEquallyOften) {
    std::vector<int> in_first(20, 0);
    for (std::uint64_t repeat = 0; repeat < 2000; ++repeat) {
        const auto fold = plain_folds(20, 4, {1, repeat});
        for (std::size_t row = 0; row < 20; ++row) in_first[row] += fold[row] == 0 ? 1 : 0;
    }
    for (const int count : in_first) EXPECT_NEAR(count, 500, 100);  // five standard deviations
}

TEST(StratifiedFolds, SpreadEveryClassAndAllRowsToWithinOne) {
    const CounterRandom random(3, 3);
    for (const std::uint64_t rows : {12U, 57U, 400U}) {
        std::vector<std::uint32_t> classes(rows);
        for (std::size_t row = 0; row < rows; ++row)
            classes[row] = static_cast<std::uint32_t>(random.below(row, 8) * random.below(row + 1000, 8) / 7);
        const auto fold = stratified_folds(classes, 5, k_order);
        EXPECT_LE(spread(sizes(fold, 5)), 1U);
        for (std::uint32_t k = 0; k <= 7; ++k) {
            std::vector<std::uint64_t> count(5, 0);
            for (std::size_t row = 0; row < rows; ++row) count[fold[row]] += classes[row] == k ? 1 : 0;
            EXPECT_LE(spread(count), 1U) << "class " << k << " of " << rows << " rows";
        }
    }
}

TEST(StratifiedFolds, SpreadNeighbouringLabels) {
    const CounterRandom random(4, 4);
    std::vector<double> labels(103);
    for (std::size_t row = 0; row < labels.size(); ++row) labels[row] = static_cast<double>(random.below(row, 40));
    const auto fold = stratified_folds(labels, 10, k_order);
    EXPECT_LE(spread(sizes(fold, 10)), 1U);
    // At or below any bound, each fold has its share to within one block of equal labels' choice.
    for (double bound = 0; bound < 40; bound += 1) {
        std::vector<std::uint64_t> below(10, 0);
        for (std::size_t row = 0; row < labels.size(); ++row) below[fold[row]] += labels[row] <= bound ? 1 : 0;
        EXPECT_LE(spread(below), 1U) << bound;
    }
    EXPECT_NE(fold, stratified_folds(labels, 10, {7, 3}));
}

TEST(GroupedFolds, KeepGroupsTogetherAndBalanceRows) {
    // Sizes 6 5 4 3 2 1: greedy to three folds gives 7 7 7.
    std::vector<std::uint32_t> groups;
    for (std::uint32_t g = 0; g < 6; ++g) groups.insert(groups.end(), 6 - g, g);
    const auto fold = grouped_folds(groups, 3, k_order);
    EXPECT_EQ(sizes(fold, 3), (std::vector<std::uint64_t>{7, 7, 7}));
    std::map<std::uint32_t, std::set<std::uint32_t>> folds_of;
    for (std::size_t row = 0; row < groups.size(); ++row) folds_of[groups[row]].insert(fold[row]);
    for (const auto& [group, some] : folds_of) EXPECT_EQ(some.size(), 1U) << group;
}

TEST(GroupedFolds, OrderEqualGroupsAtRandom) {
    std::vector<std::uint32_t> groups(30);
    for (std::size_t row = 0; row < 30; ++row) groups[row] = static_cast<std::uint32_t>(row / 2);
    EXPECT_NE(grouped_folds(groups, 5, {1, 0}), grouped_folds(groups, 5, {1, 1}));
    EXPECT_EQ(sizes(grouped_folds(groups, 5, {1, 0}), 5), (std::vector<std::uint64_t>(5, 6)));
}

TEST(GivenFolds, AreNumberedInTheOrderOfTheirValues) {
    const auto numbered =
        assign(table_of(ColumnType::int32, ColumnRole::fold, std::vector<std::int32_t>{10, -3, 10, 7}),
               FoldMethod::automatic, 99);
    EXPECT_EQ(numbered.method, FoldMethod::given);
    EXPECT_EQ(numbered.count, 3U);
    EXPECT_EQ(numbered.of_row, (std::vector<std::uint32_t>{2, 0, 2, 1}));
    EXPECT_EQ(numbered.names, (std::vector<std::string>{"-3", "7", "10"}));
    const auto named = assign(table_of(ColumnType::category, ColumnRole::fold, std::vector<std::int32_t>{2, 0, 2}),
                              FoldMethod::given, 99);
    EXPECT_EQ(named.of_row, (std::vector<std::uint32_t>{1, 0, 1}));
    EXPECT_EQ(named.names, (std::vector<std::string>{"zwei", "drei"}));
}

TEST(AssignFolds, ChoosesByTheColumns) {
    auto classes = table_of(ColumnType::category, ColumnRole::label, std::vector<std::int32_t>{0, 1, 2, 0, 1, 2});
    EXPECT_EQ(assign(classes, FoldMethod::automatic, 2).method, FoldMethod::stratified);
    EXPECT_EQ(assign(classes, FoldMethod::automatic, 2).of_row,
              stratified_folds(std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}, 2, k_order));
    auto numbers = table_of(ColumnType::float64, ColumnRole::label, std::vector<double>{1, 2, 3, 4});
    EXPECT_EQ(assign(numbers, FoldMethod::automatic, 2).method, FoldMethod::plain);
    EXPECT_EQ(assign(numbers, FoldMethod::stratified, 2).of_row,
              stratified_folds(std::vector<double>{1, 2, 3, 4}, 2, k_order));
    classes.schema.columns.push_back({"g", ColumnType::text, ColumnRole::group, {}});
    classes.values.emplace_back(std::vector<std::string>{"a", "b", "a", "c", "b", "a"});
    const auto grouped = assign(classes, FoldMethod::automatic, 2);
    EXPECT_EQ(grouped.method, FoldMethod::grouped);
    EXPECT_EQ(sizes(grouped.of_row, 2), (std::vector<std::uint64_t>{3, 3}));
}

TEST(AssignFolds, IntegersAreClassesUnlessNumbersAreAskedFor) {
    const auto table =
        table_of(ColumnType::int32, ColumnRole::label, std::vector<std::int32_t>{5, 5, 5, 5, 1, 2, 3, 4});
    const auto classes = assign_folds(table, {FoldMethod::stratified, 4}, Criterion::gini, k_order);
    EXPECT_EQ(classes.warnings.size(), 4U);
    EXPECT_THAT(classes.warnings[0], HasSubstr("class '1' has 1 row, fewer than the 4 folds"));
    const auto numbers = assign_folds(table, {FoldMethod::stratified, 4}, Criterion::squared_error, k_order);
    EXPECT_TRUE(numbers.warnings.empty());
    EXPECT_EQ(sizes(numbers.of_row, 4), (std::vector<std::uint64_t>(4, 2)));
}

TEST(AssignFolds, ErrorsSayWhatToDo) {
    auto classes = table_of(ColumnType::category, ColumnRole::label, std::vector<std::int32_t>{0, 1, -1, 0});
    EXPECT_THAT(message_of([&] { assign(classes, FoldMethod::plain, 5); }),
                HasSubstr("--folds 5: the table has only 4 rows"));
    EXPECT_THAT(message_of([&] { assign(classes, FoldMethod::plain, 1); }), HasSubstr("at least 2"));
    EXPECT_THAT(message_of([&] { assign(classes, FoldMethod::stratified, 2); }),
                HasSubstr("label 'c', row 3: the value is missing"));
    EXPECT_THAT(message_of([&] { assign(classes, FoldMethod::grouped, 2); }), HasSubstr("no group column"));
    EXPECT_THAT(message_of([&] { assign(classes, FoldMethod::given, 2); }), HasSubstr("no fold column"));
    const auto groups = table_of(ColumnType::int64, ColumnRole::group, std::vector<std::int64_t>{3, 3, 4, 4});
    EXPECT_THAT(message_of([&] { assign(groups, FoldMethod::grouped, 3); }), HasSubstr("only 2 groups"));
    const auto missing =
        table_of(ColumnType::int64, ColumnRole::group, std::vector<std::int64_t>{3, data::k_missing_int64});
    EXPECT_THAT(message_of([&] { assign(missing, FoldMethod::grouped, 2); }), HasSubstr("group 'c', row 2"));
    const auto one = table_of(ColumnType::int32, ColumnRole::fold, std::vector<std::int32_t>{4, 4});
    EXPECT_THAT(message_of([&] { assign(one, FoldMethod::given, 2); }), HasSubstr("only one value"));
    const auto unnamed = table_of(ColumnType::text, ColumnRole::fold, std::vector<std::string>{"a", "", "b"});
    EXPECT_THAT(message_of([&] { assign(unnamed, FoldMethod::given, 2); }), HasSubstr("fold 'c', row 2"));
}

}  // namespace
}  // namespace regrove::train
