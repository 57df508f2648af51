// Rows are functions of (seed, i), the tables' bits are pinned, and their structure is what each kind promises.
#include "regrove/generate/generator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/generate/delimited_text.hpp"

namespace regrove::generate {
namespace {

using data::TableShard;
using testing::ElementsAre;
using testing::HasSubstr;

TableShard rows_of(const char* kind, std::uint64_t rows, std::uint64_t seed = 0, RowIndex first = 0) {
    return generate_rows(find_generator(kind), seed, first, rows);
}

std::vector<double> column(const TableShard& shard, const char* name) {
    const std::size_t c = shard.schema.find(name).value();
    std::vector<double> values(shard.rows);
    for (std::size_t i = 0; i < shard.rows; ++i)
        values[i] = data::as_double(shard.schema.columns[c].type, shard.values[c], i);
    return values;
}

/// Area under the ROC curve of `score` for the positives, by ranks; scores must be distinct.
double auc(const std::vector<double>& score, const std::vector<bool>& positive) {
    std::vector<std::size_t> order(score.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
    double rank_sum = 0;
    double positives = 0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        if (!positive[order[rank]]) continue;
        rank_sum += static_cast<double>(rank + 1);
        ++positives;
    }
    const double negatives = static_cast<double>(score.size()) - positives;
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives);
}

struct EveryKind : testing::TestWithParam<std::string> {};

TEST_P(EveryKind, RowsDoNotDependOnBlocksNorThreads) {
    const Generator& kind = find_generator(GetParam());
    constexpr std::uint64_t k_rows = 5000;
    const TableShard whole = generate_rows(kind, 7, 0, k_rows);
    set_thread_count(3);
    TableShard joined = data::make_shard(whole.schema);
    for (RowIndex at = 0; at < k_rows;) {
        const std::uint64_t count = std::min<std::uint64_t>(k_rows - at, 1 + at % 1777);
        data::append(joined, generate_rows(kind, 7, at, count));
        at += count;
    }
    set_thread_count(1);
    EXPECT_EQ(delimited_rows(joined, ','), delimited_rows(whole, ','));
}

TEST_P(EveryKind, SeedsDiffer) {
    const Generator& kind = find_generator(GetParam());
    const TableShard a = generate_rows(kind, 0, 0, 50);
    const TableShard b = generate_rows(kind, 1, 0, 50);
    const TableShard again = generate_rows(kind, 0, 0, 50);
    EXPECT_NE(data::content_hash(a), data::content_hash(b));
    EXPECT_EQ(data::content_hash(a), data::content_hash(again));
}

TEST_P(EveryKind, SchemaIsValidAndShardFits) {
    const Generator& kind = find_generator(GetParam());
    const TableShard shard = generate_rows(kind, 0, 1000000000000, 3);
    EXPECT_NO_THROW(data::validate(shard.schema));
    EXPECT_EQ(shard.schema.features().size(), kind.default_features);
    EXPECT_TRUE(shard.schema.find(data::ColumnRole::label).has_value());
    EXPECT_EQ(shard.first_row, 1000000000000U);
    EXPECT_EQ(shard.global_rows, 1000000000003U);
    for (std::size_t c = 0; c < shard.values.size(); ++c) {
        EXPECT_EQ(data::row_count(shard.values[c]), 3U);
        EXPECT_EQ(shard.values[c].index(), data::make_values(shard.schema.columns[c].type).index());
    }
    EXPECT_EQ(generate_rows(kind, 0, 0, 0).rows, 0U);
}

TEST_P(EveryKind, HasAnIdOfItsOwn) {
    std::set<std::uint32_t> ids;
    for (const Generator& kind : generators()) ids.insert(kind.id);
    EXPECT_EQ(ids.size(), generators().size());
}

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const Generator& kind : generators()) names.push_back(kind.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(kind_names()), [](const auto& row) {
    std::string name = row.param;
    std::erase(name, '-');
    return name;
});

// The tables are promised to stay: a change here is a change of k_results_version.
TEST(GoldenTables, ContentHashesArePinned) {
    EXPECT_EQ(to_hex(data::content_hash(rows_of("higgs-like", 3000, 1))), "ec14fc344a88350a9c6ccf36d89af6bb");
    EXPECT_EQ(to_hex(data::content_hash(rows_of("friedman1", 3000, 1))), "ff8fa508dc02ba66d6600647f5ed010a");
    EXPECT_EQ(to_hex(data::content_hash(rows_of("mixed", 3000, 1))), "75188ac0948f0c99c90d35ffac7a6052");
}

TEST(HiggsLike, FeaturesAreDistinctFiniteNumbers) {
    const TableShard shard = rows_of("higgs-like", 20000);
    for (int f = 0; f < 28; ++f) {
        const auto values = column(shard, ("f" + std::to_string(f)).c_str());
        for (const double v : values) ASSERT_TRUE(std::isfinite(v));
        EXPECT_GT(std::set<double>(values.begin(), values.end()).size(), 19900U) << f;
    }
}

TEST(HiggsLike, ClassesAndSingleFeaturesSayLittle) {
    const TableShard shard = rows_of("higgs-like", 20000);
    const auto label = column(shard, "label");
    std::vector<bool> positive;
    double share = 0;
    for (const double v : label) {
        positive.push_back(v == 1);
        share += v / 20000;
    }
    EXPECT_NEAR(share, 0.53, 0.02);
    for (int f = 0; f < 28; ++f)
        EXPECT_NEAR(auc(column(shard, ("f" + std::to_string(f)).c_str()), positive), 0.5, 0.17) << f;
    // The tags' products are nowhere among the features, but say something, and near a resonance there is more of
    // class 1.
    const auto tag = [&](const char* name) { return column(shard, name); };
    std::vector<double> product(shard.rows);
    std::vector<double> nearness(shard.rows);
    const auto a = tag("f8"), b = tag("f12"), mass = tag("f25");
    for (std::size_t i = 0; i < shard.rows; ++i) {
        product[i] = a[i] * b[i];
        nearness[i] = -std::abs(mass[i] - 1.3);
    }
    EXPECT_NEAR(auc(a, positive), 0.5, 0.02);
    EXPECT_GT(auc(product, positive), 0.55);
    EXPECT_GT(auc(nearness, positive), 0.58);
}

TEST(HiggsLike, MassesFollowFromTheObjects) {
    const TableShard shard = rows_of("higgs-like", 200);
    const auto p = column(shard, "f0"), q = column(shard, "f3"), a = column(shard, "f2"), b = column(shard, "f4"),
               mass = column(shard, "f23");
    for (std::size_t i = 0; i < shard.rows; ++i)
        EXPECT_NEAR(mass[i] * mass[i], 2 * p[i] * q[i] * (1 - std::cos(a[i] - b[i])), 1e-5 * (1 + mass[i] * mass[i]));
}

TEST(Friedman1, ResidualIsStandardNormal) {
    const TableShard shard = rows_of("friedman1", 20000);
    std::vector<std::vector<double>> x;
    for (int f = 0; f < 5; ++f) x.push_back(column(shard, ("x" + std::to_string(f)).c_str()));
    const auto y = column(shard, "y");
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double r = y[i] - (10 * std::sin(M_PI * x[0][i] * x[1][i]) + 20 * std::pow(x[2][i] - 0.5, 2) +
                                 10 * x[3][i] + 5 * x[4][i]);
        sum += r;
        squares += r * r;
    }
    EXPECT_NEAR(sum / 20000, 0, 0.03);
    EXPECT_NEAR(squares / 20000, 1, 0.04);
}

TEST(Friedman1, MoreFeaturesLeaveTheOthersAsTheyAre) {
    const Generator& kind = find_generator("friedman1");
    const TableShard few = generate_rows(kind, 3, 0, 100, {5});
    const TableShard many = generate_rows(kind, 3, 0, 100, {50});
    EXPECT_EQ(many.schema.features().size(), 50U);
    EXPECT_EQ(column(few, "y"), column(many, "y"));
    EXPECT_EQ(column(few, "x4"), column(many, "x4"));
}

TEST(Mixed, HasEveryTypeWithItsShareOfGaps) {
    const TableShard shard = rows_of("mixed", 20000);
    const std::map<std::string, double> gaps{{"amount", 0.08}, {"ratio", 0.1}, {"visits", 0.03}, {"stamp", 0.01},
                                             {"color", 0.05},  {"region", 0},  {"size", 0.02},   {"flag", 0},
                                             {"label", 0},     {"weight", 0}};
    std::set<data::ColumnType> types;
    for (std::size_t c = 0; c < shard.values.size(); ++c) {
        const auto& schema = shard.schema.columns[c];
        types.insert(schema.type);
        double missing = 0;
        for (std::size_t i = 0; i < shard.rows; ++i)
            missing += data::is_missing(schema.type, shard.values[c], i) ? 1 : 0;
        EXPECT_NEAR(missing / 20000, gaps.at(schema.name), 0.01) << schema.name;
    }
    EXPECT_EQ(types.size(), 5U) << "all but text";
    for (const double w : column(shard, "weight")) ASSERT_TRUE(w >= 0.5 && w < 1.5);
}

TEST(Mixed, ClassesHaveTheirSharesAndGapsTell) {
    const TableShard shard = rows_of("mixed", 20000);
    const auto label = column(shard, "label");
    const auto amount = column(shard, "amount");
    double shares[3] = {};
    double gaps[3] = {};
    for (std::size_t i = 0; i < label.size(); ++i) {
        const auto c = static_cast<std::size_t>(label[i]);
        shares[c] += 1.0 / 20000;
        if (std::isnan(amount[i])) gaps[c] += 1.0 / 20000;
    }
    for (const double share : shares) EXPECT_NEAR(share, 1.0 / 3, 0.08);
    EXPECT_GT(gaps[0] / shares[0], 2 * gaps[2] / shares[2]);
}

TEST(Kinds, AreRefusedWithTheListOfKinds) {
    try {
        find_generator("higgs");
        FAIL() << "no such kind";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("higgs-like, friedman1, mixed"));
    }
    EXPECT_THROW(generated_schema(find_generator("higgs-like"), {27}), ConfigError);
    EXPECT_THROW(generated_schema(find_generator("friedman1"), {4}), ConfigError);
    EXPECT_EQ(generated_schema(find_generator("higgs-like"), {28}).columns.size(), 29U);
}

TEST(DelimitedText, QuotesWhereNeededAndLeavesGapsEmpty) {
    data::Schema schema{{{"a,b", data::ColumnType::float32, data::ColumnRole::feature, {}},
                         {"c", data::ColumnType::category, data::ColumnRole::feature, {"plain", "with \"x\", y"}},
                         {"n", data::ColumnType::int32, data::ColumnRole::feature, {}},
                         {"t", data::ColumnType::text, data::ColumnRole::id, {}}}};
    TableShard shard = data::make_shard(schema);
    shard.rows = 3;
    shard.values[0] = std::vector<float>{0.1F, std::nanf(""), -2.5e-7F};
    shard.values[1] = std::vector<std::int32_t>{1, 0, data::k_missing_category};
    shard.values[2] = std::vector<std::int32_t>{-1, data::k_missing_int32, 7};
    shard.values[3] = std::vector<std::string>{"", "line\nend", "x"};
    EXPECT_EQ(delimited_header(schema, ','), "\"a,b\",c,n,t\n");
    EXPECT_EQ(delimited_header(schema, '\t'), "a,b\tc\tn\tt\n");
    EXPECT_EQ(delimited_rows(shard, ','), "0.1,\"with \"\"x\"\", y\",-1,\n,plain,,\"line\nend\"\n-2.5e-07,,7,x\n");
}

}  // namespace
}  // namespace regrove::generate
