// Permutation importance by all ranks equals, bit for bit, evaluating tables whose column was permuted in plain sight.
#include "regrove/dist/permutation_importance.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/keyed_permutation.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "support/mpi_world.hpp"
#include "support/random_table.hpp"

namespace regrove {
namespace {

using test::world;

constexpr std::uint64_t k_seed = 17;
constexpr std::uint32_t k_repeats = 3;

test::RandomTableShape shape_of(std::uint32_t classes) {
    test::RandomTableShape shape;
    shape.rows = 300;
    shape.numeric = 4;
    shape.classes = classes;
    shape.weighted = true;
    return shape;
}

/// A shallow and a deeper tree of the table, with surrogates for missing values; the shallow one asks fewer features.
model::Ensemble two_trees(const data::TableShard& table) {
    const auto alone = comm::make_self_communicator();
    train::CartOptions options;
    options.missing_split = train::MissingSplit::surrogate;
    model::EnsembleBuilder builder;
    for (const std::uint32_t depth : {1U, 3U}) {
        options.max_depth = depth;
        const auto set = dist::make_training_set(*alone, table, options);
        const auto single = dist::make_ensemble(set, dist::grow_cart_tree(*alone, set, options).tree);
        builder.task(single.task, single.label_name, single.classes).features(single.features);
        builder.add_tree(single.trees[0]);
    }
    return std::move(builder).build();
}

/// Uneven shares; with three ranks or more, rank 1 has no rows.
data::TableShard share(const data::TableShard& table) {
    const auto ranks = static_cast<std::size_t>(world().size());
    const auto cut = [&](std::size_t r) {
        if (ranks >= 3 && r == 2) r = 1;
        return table.rows * r * r / (ranks * ranks);
    };
    const auto rank = static_cast<std::size_t>(world().rank());
    return data::slice(table, cut(rank), cut(rank + 1));
}

/// The table after the cells of its column have moved as documented.
data::TableShard permuted(const data::TableShard& table, std::size_t column, std::uint32_t feature,
                          std::uint32_t repeat) {
    const KeyedPermutation order(k_seed, 0x7069ULL << 48U | std::uint64_t{feature} << 16U | repeat, table.rows);
    data::TableShard moved = table;
    std::visit(
        [&](auto& values) {
            const auto before = values;
            for (std::size_t row = 0; row < before.size(); ++row) values[order(row)] = before[row];
        },
        moved.values[column]);
    return moved;
}

double plain_number(const model::Ensemble& ensemble, const data::TableShard& table, const metric::Metric& metric) {
    const auto alone = comm::make_self_communicator();
    const infer::Predictor predictor(ensemble, table.schema);
    return dist::metric_number(*alone, metric, dist::answer_rows(ensemble, predictor, table).view());
}

void expect_plain_values(const dist::PermutationResult& result, const model::Ensemble& ensemble,
                         const data::TableShard& table, const metric::Metric& metric) {
    EXPECT_EQ(result.baseline, plain_number(ensemble, table, metric));
    const auto columns = table.schema.features();
    ASSERT_EQ(result.features.size(), columns.size());
    std::size_t moved = 0;
    for (std::uint32_t f = 0; f < columns.size(); ++f) {
        double sum = 0;
        for (std::uint32_t repeat = 0; repeat < k_repeats; ++repeat) {
            const double number = plain_number(ensemble, permuted(table, columns[f], f, repeat), metric);
            const double loss = metric.larger_is_better ? result.baseline - number : number - result.baseline;
            EXPECT_EQ(result.features[f].losses.at(repeat), loss) << metric.name << ", feature " << f;
            sum += loss;
            moved += loss != 0 ? 1 : 0;
        }
        EXPECT_EQ(result.features[f].mean, sum / k_repeats);
    }
    EXPECT_GT(moved, k_repeats);
}

TEST(PermutationImportance, EqualsEvaluatingPermutedTablesOnAnyNumberOfRanksAndThreads) {
    for (const std::uint32_t classes : {3U, 0U}) {
        const data::TableShard table = test::random_table(shape_of(classes));
        const model::Ensemble ensemble = two_trees(table);
        const std::vector<std::string> names =
            classes > 0 ? std::vector<std::string>{"accuracy", "log_loss"} : std::vector<std::string>{"rmse"};
        for (const metric::Metric& metric : dist::chosen_metrics(names, ensemble.task)) {
            for (const unsigned threads : {1U, 2U}) {
                set_thread_count(threads);
                expect_plain_values(
                    dist::permutation_importance(world(), ensemble, share(table), metric, k_repeats, k_seed),
                    ensemble, table, metric);
            }
        }
    }
    set_thread_count(1);
}

TEST(PermutationImportance, SpreadsOfTheRepeats) {
    const data::TableShard table = test::random_table(shape_of(2));
    const model::Ensemble ensemble = two_trees(table);
    const auto metric = dist::chosen_metrics({"accuracy"}, ensemble.task).front();
    const auto three = dist::permutation_importance(world(), ensemble, share(table), metric, 3, k_seed);
    const auto one = dist::permutation_importance(world(), ensemble, share(table), metric, 1, k_seed);
    for (std::size_t f = 0; f < three.features.size(); ++f) {
        const auto& feature = three.features[f];
        if (!feature.used) continue;
        EXPECT_EQ(one.features[f].losses[0], feature.losses[0]);  // more repeats change none
        EXPECT_TRUE(std::isnan(one.features[f].standard_error));
        double squares = 0;
        for (const double loss : feature.losses) squares += std::pow(loss - feature.mean, 2);
        EXPECT_NEAR(feature.standard_deviation, std::sqrt(squares / 2), 1e-12);
        EXPECT_NEAR(feature.standard_error, std::sqrt(squares / 2 / 3), 1e-12);
    }
}

TEST(PermutationImportance, FeaturesWithoutQuestionsAreExactlyZero) {
    const data::TableShard table = test::random_table(shape_of(2));
    train::CartOptions options;
    options.max_depth = 1;
    const auto alone = comm::make_self_communicator();
    const auto set = dist::make_training_set(*alone, table, options);
    const auto stump = dist::make_ensemble(set, dist::grow_cart_tree(*alone, set, options).tree);
    const auto metric = dist::chosen_metrics({"accuracy"}, stump.task).front();
    const auto result = dist::permutation_importance(world(), stump, share(table), metric, 2, k_seed);
    std::size_t used = 0;
    for (const auto& feature : result.features) {
        used += feature.used ? 1 : 0;
        if (feature.used) continue;
        EXPECT_EQ(feature.losses, (std::vector<double>{0, 0}));
        EXPECT_EQ(feature.mean, 0);
        EXPECT_EQ(feature.standard_deviation, 0);
        EXPECT_EQ(feature.standard_error, 0);
    }
    EXPECT_EQ(used, 1U);
}

TEST(PermutationImportance, RefusesWhatHasNoNumber) {
    data::TableShard table = test::random_table(shape_of(2));
    const model::Ensemble ensemble = two_trees(table);
    const auto auc = dist::chosen_metrics({"roc_auc"}, ensemble.task).front();
    auto& labels = std::get<std::vector<std::int32_t>>(table.values[*table.schema.find("label")]);
    std::ranges::fill(labels, 0);
    EXPECT_THROW(dist::permutation_importance(world(), ensemble, share(table), auc, 1, 1), InputError);
    labels.back() = data::k_missing_category;  // on the last rank alone
    EXPECT_THROW(dist::permutation_importance(world(), ensemble, share(table), auc, 1, 1), Error);
}

}  // namespace
}  // namespace regrove
