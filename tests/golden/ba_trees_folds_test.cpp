// Forests on the ten given folds of the six BA-Trees sets reach the test accuracies of Vidal and Schiffer 2020, table 4.
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove {
namespace {

constexpr std::uint64_t k_seeds = 10;
constexpr std::int32_t k_folds = 10;

struct DataSet {
    const char* name;
    std::uint64_t rows;
    double paper_accuracy;  ///< mean over the folds
};

const std::array k_sets{
    DataSet{"breast_cancer_wisconsin", 683, 0.953},
    DataSet{"compas_propublica", 6907, 0.660},
    DataSet{"fico", 10459, 0.697},
    DataSet{"htru2", 17898, 0.977},
    DataSet{"pima_diabetes", 768, 0.746},
    DataSet{"seeds", 210, 0.790},
};

/// The table with its label, and the fold in which each row is tested.
struct FoldedTable {
    data::TableShard table;
    std::vector<std::int64_t> fold;
};

FoldedTable read_folded(comm::Communicator& comm, const std::string& name) {
    pipeline::TableRequest request;
    request.path = std::string(REGROVE_TEST_DATA) + "/ba_trees/" + name + ".csv.gz";
    request.target = "Class";
    FoldedTable folded;
    folded.table = pipeline::load_table(comm, request);
    const std::size_t column = *folded.table.schema.find("fold");
    for (std::size_t row = 0; row < folded.table.rows; ++row) {
        folded.fold.push_back(static_cast<std::int64_t>(
            data::as_double(folded.table.schema.columns[column].type, folded.table.values[column], row)));
    }
    folded.table.schema.columns.erase(folded.table.schema.columns.begin() + static_cast<std::ptrdiff_t>(column));
    folded.table.values.erase(folded.table.values.begin() + static_cast<std::ptrdiff_t>(column));
    return folded;
}

double accuracy(const model::Ensemble& ensemble, const data::TableShard& rows) {
    const infer::Predictor predictor(ensemble, rows.schema);
    const dist::Answers answers = dist::answer_rows(ensemble, predictor, rows);
    std::size_t right = 0;
    for (std::size_t row = 0; row < answers.rows; ++row) {
        right += answers.true_class[row] == answers.predicted_class[row] ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(answers.rows);
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

class BaTreesFolds : public testing::TestWithParam<DataSet> {};

TEST_P(BaTreesFolds, ForestsReachThePublishedAccuracy) {
    const DataSet& set = GetParam();
    const auto alone = comm::make_self_communicator();
    set_thread_count(2);
    const FoldedTable folded = read_folded(*alone, set.name);
    ASSERT_EQ(folded.table.rows, set.rows);
    train::CartOptions cart;
    cart.criterion = train::Criterion::gini;
    cart.max_depth = 3;
    train::ForestOptions options;
    options.trees = 10;
    options.max_features = "p/2";
    options.combination = model::Combination::majority;
    std::vector<double> forest_of_fold;
    std::vector<double> tree_of_fold;
    for (std::int32_t fold = 1; fold <= k_folds; ++fold) {
        std::vector<std::uint64_t> learn;
        std::vector<std::uint64_t> held_out;
        for (std::size_t row = 0; row < folded.fold.size(); ++row) {
            (folded.fold[row] == fold ? held_out : learn).push_back(row);
        }
        const data::TableShard training = data::take_rows(folded.table, learn);
        const data::TableShard test = data::take_rows(folded.table, held_out);
        double sum = 0;
        for (std::uint64_t seed = 0; seed < k_seeds; ++seed) {
            sum += accuracy(dist::grow_forest(*alone, training, cart, options, seed).ensemble, test);
        }
        forest_of_fold.push_back(sum / static_cast<double>(k_seeds));
        const dist::TrainingSet exact = dist::make_training_set(*alone, training, cart);
        tree_of_fold.push_back(
            accuracy(dist::make_ensemble(exact, dist::grow_cart_tree(*alone, exact, cart).tree), test));
    }
    set_thread_count(1);
    std::printf("%-24s forests %.4f (standard error over folds %.4f), published %.3f, one exact tree %.4f\n",
                set.name, mean(forest_of_fold), standard_error(forest_of_fold), set.paper_accuracy,
                mean(tree_of_fold));
    EXPECT_NEAR(mean(forest_of_fold), set.paper_accuracy, standard_error(forest_of_fold));
}

INSTANTIATE_TEST_SUITE_P(Sets, BaTreesFolds, testing::ValuesIn(k_sets),
                         [](const auto& set) { return std::string(set.param.name); });

}  // namespace
}  // namespace regrove
