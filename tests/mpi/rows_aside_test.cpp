// Rows put aside for validation are the same however rows are spread, and of a table with groups they are whole groups.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "regrove/pipeline/boosting_fit.hpp"

#include "support/mpi_world.hpp"

namespace regrove {
namespace {

/// 200 rows, numbered, in groups of 1 to 7 rows.
data::TableShard grouped() {
    std::vector<double> number;
    std::vector<std::int64_t> group;
    for (std::int64_t g = 0; number.size() < 200; ++g) {
        for (std::int64_t row = 0; row <= g * 5 % 7 && number.size() < 200; ++row) {
            number.push_back(static_cast<double>(number.size()));
            group.push_back(g * 3);
        }
    }
    data::TableShard table;
    table.rows = table.global_rows = number.size();
    table.schema.columns = {{"number", data::ColumnType::float64, data::ColumnRole::feature, {}},
                            {"query", data::ColumnType::int64, data::ColumnRole::group, {}}};
    table.values = {std::move(number), std::move(group)};
    return table;
}

/// The numbers of the rows of all ranks, in rank order.
std::vector<double> numbers_of_all(comm::Communicator& comm, const data::TableShard& shard) {
    std::string own;
    for (const double number : std::get<std::vector<double>>(shard.values[0])) own += static_cast<char>(number);
    std::vector<double> all;
    for (const std::string& bytes : comm.gather_all(own))
        for (const char byte : bytes) all.push_back(static_cast<unsigned char>(byte));
    return all;
}

class RowsAside : public testing::TestWithParam<bool> {
  protected:
    static data::TableShard table() {
        data::TableShard all = grouped();
        if (!GetParam()) all.schema.columns[1].role = data::ColumnRole::feature;
        return all;
    }
};

TEST_P(RowsAside, AreTheSameHoweverRowsAreSpread) {
    auto& comm = test::world();
    const auto alone = comm::make_self_communicator();
    const data::TableShard all = table();
    const auto expected = pipeline::put_rows_aside(*alone, all, 0.3, 5);
    const auto ranks = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    const auto own =
        data::slice(all, 200 * rank * rank / (ranks * ranks), 200 * (rank + 1) * (rank + 1) / (ranks * ranks));
    const auto split = pipeline::put_rows_aside(comm, own, 0.3, 5);
    EXPECT_EQ(numbers_of_all(comm, split.training), numbers_of_all(*alone, expected.training));
    EXPECT_EQ(numbers_of_all(comm, split.validation), numbers_of_all(*alone, expected.validation));
    EXPECT_NEAR(static_cast<double>(split.validation.global_rows), 60, 30);
    EXPECT_EQ(split.training.global_rows + split.validation.global_rows, 200U);
}

TEST_P(RowsAside, AreWholeGroupsOfATableWithGroups) {
    const auto alone = comm::make_self_communicator();
    const auto split = pipeline::put_rows_aside(*alone, table(), 0.3, 5);
    std::set<std::int64_t> groups;
    for (const std::int64_t group : std::get<std::vector<std::int64_t>>(split.training.values[1]))
        groups.insert(group);
    std::size_t torn = 0;
    for (const std::int64_t group : std::get<std::vector<std::int64_t>>(split.validation.values[1]))
        torn += groups.contains(group) ? 1 : 0;
    if (GetParam()) {
        EXPECT_EQ(torn, 0U);
    } else {
        EXPECT_GT(torn, 10U) << "rows of an ordinary table are drawn one by one";
    }
}

INSTANTIATE_TEST_SUITE_P(Boosting, RowsAside, testing::Values(true, false),
                         [](const auto& of) { return of.param ? std::string("Groups") : std::string("Rows"); });

}  // namespace
}  // namespace regrove
