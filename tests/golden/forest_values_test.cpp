// Forests on real tables: as good as scikit-learn's with equal options, and out-of-bag scores that tell the truth.
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/dist/out_of_bag.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove {
namespace {

data::TableShard read_table(const std::string& file, const std::string& target,
                            const std::vector<std::string>& dropped) {
    const auto alone = comm::make_self_communicator();
    pipeline::TableRequest request;
    request.path = std::string(REGROVE_TEST_DATA) + "/tables/" + file;
    request.target = target;
    data::TableShard table = pipeline::load_table(*alone, request);
    for (const std::string& name : dropped) {
        const auto column = static_cast<std::ptrdiff_t>(*table.schema.find(name));
        table.schema.columns.erase(table.schema.columns.begin() + column);
        table.values.erase(table.values.begin() + column);
    }
    return table;
}

struct Split {
    data::TableShard training;
    data::TableShard test;
};

/// Every row is held out with equal chance; the rule of tests/data/forest/make_sklearn_reference.py.
Split split_by_hash(const data::TableShard& table, std::uint64_t seed) {
    std::vector<std::uint64_t> learn;
    std::vector<std::uint64_t> held_out;
    for (std::uint64_t row = 0; row < table.rows; ++row) {
        const auto hash = static_cast<std::uint32_t>((row + 1) * 2654435761U + seed * 1000003);
        ((hash >> 16U) % 4 == 0 ? held_out : learn).push_back(row);
    }
    return {data::take_rows(table, learn), data::take_rows(table, held_out)};
}

/// Accuracy, or R2 for numbers.
double score(const model::Ensemble& ensemble, const data::TableShard& rows) {
    const auto alone = comm::make_self_communicator();
    const infer::Predictor predictor(ensemble, rows.schema);
    const dist::Answers answers = dist::answer_rows(ensemble, predictor, rows);
    const char* const name = ensemble.task == model::Task::classification ? "accuracy" : "r2";
    return dist::metric_number(*alone, dist::chosen_metrics({name}, ensemble.task)[0], answers.view());
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_error(const std::vector<double>& values) {
    double squares = 0;
    for (const double value : values) squares += (value - mean(values)) * (value - mean(values));
    const auto n = static_cast<double>(values.size());
    return std::sqrt(squares / (n - 1) / n);
}

struct PeerCase {
    const char* name;  ///< in the reference file
    const char* file;
    const char* target;
    std::vector<std::string> dropped;
    std::uint32_t trees;
    train::SplitPoints split_points;
    bool extra_random;
};

class BesideScikitLearn : public testing::TestWithParam<PeerCase> {};

TEST_P(BesideScikitLearn, MeansAreWithinOneStandardError) {
    const PeerCase& c = GetParam();
    std::ifstream file(std::string(REGROVE_TEST_DATA) + "/forest/sklearn_five_seeds.json");
    const auto reference = nlohmann::json::parse(file)[c.name].get<std::vector<double>>();
    ASSERT_EQ(reference.size(), 5U);
    const auto alone = comm::make_self_communicator();
    set_thread_count(2);
    const data::TableShard table = read_table(c.file, c.target, c.dropped);
    train::ForestOptions forest;
    forest.trees = c.trees;
    forest.split_points = c.split_points;
    forest.extra_random = c.extra_random;
    forest.bootstrap = !c.extra_random;  // scikit-learn's ExtraTreesClassifier takes all rows
    train::CartOptions cart;
    cart.criterion = std::string(c.name) == "bike" ? train::Criterion::squared_error : train::Criterion::gini;
    std::vector<double> ours;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Split split = split_by_hash(table, seed);
        ours.push_back(score(dist::grow_forest(*alone, split.training, cart, forest, seed).ensemble, split.test));
    }
    set_thread_count(1);
    std::printf("%s: ours %.4f (%.4f), scikit-learn %.4f (%.4f)\n", c.name, mean(ours), standard_error(ours),
                mean(reference), standard_error(reference));
    EXPECT_NEAR(mean(ours), mean(reference), standard_error(reference));
}

INSTANTIATE_TEST_SUITE_P(
    Tables, BesideScikitLearn,
    testing::Values(
        PeerCase{"covertype", "covertype_15k.csv.gz", "Cover_Type", {"Id"}, 100, train::SplitPoints::exact, false},
        PeerCase{
            "covertype", "covertype_15k.csv.gz", "Cover_Type", {"Id"}, 100, train::SplitPoints::histogram, false},
        PeerCase{"letter", "letter.csv.gz", "lettr", {}, 100, train::SplitPoints::histogram, false},
        PeerCase{"letter_extra", "letter.csv.gz", "lettr", {}, 100, train::SplitPoints::exact, true},
        PeerCase{"bike",
                 "bike_sharing_hour.csv.gz",
                 "cnt",
                 {"instant", "dteday", "casual", "registered"},
                 50,
                 train::SplitPoints::exact,
                 false}),
    [](const auto& tested) {
        return std::string(tested.param.name) +
               (tested.param.split_points == train::SplitPoints::exact ? "_exact" : "_histogram");
    });

struct OutOfBagCase {
    const char* file;
    const char* target;
    std::vector<std::string> dropped;
};

class OutOfBagScore : public testing::TestWithParam<OutOfBagCase> {};

/// Five folds, so that every row is held out once.
TEST_P(OutOfBagScore, IsWithinOneHundredthOfTheHeldOutOne) {
    const OutOfBagCase& c = GetParam();
    const auto alone = comm::make_self_communicator();
    set_thread_count(2);
    const data::TableShard table = read_table(c.file, c.target, c.dropped);
    train::CartOptions cart;
    cart.criterion = train::Criterion::gini;
    train::ForestOptions forest;
    forest.out_of_bag = true;
    double out_of_bag = 0;
    double held_out = 0;
    for (std::uint64_t fold = 0; fold < 5; ++fold) {
        std::vector<std::uint64_t> learn;
        std::vector<std::uint64_t> test;
        for (std::uint64_t row = 0; row < table.rows; ++row) (row % 5 == fold ? test : learn).push_back(row);
        const data::TableShard training = data::take_rows(table, learn);
        const auto grown = dist::grow_forest(*alone, training, cart, forest, 1 + fold);
        const auto scored = dist::score_out_of_bag(*alone, grown, training);
        ASSERT_EQ(scored.metrics[0].first, "accuracy");
        out_of_bag += scored.metrics[0].second / 5;
        held_out += score(grown.ensemble, data::take_rows(table, test)) / 5;
    }
    set_thread_count(1);
    std::printf("%s: out of bag %.4f, held out %.4f\n", c.file, out_of_bag, held_out);
    EXPECT_NEAR(out_of_bag, held_out, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Tables, OutOfBagScore,
                         testing::Values(OutOfBagCase{"covertype_15k.csv.gz", "Cover_Type", {"Id"}},
                                         OutOfBagCase{"letter.csv.gz", "lettr", {}}),
                         [](const auto& tested) { return std::string(tested.index == 0 ? "covertype" : "letter"); });

}  // namespace
}  // namespace regrove
