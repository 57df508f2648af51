// Cross-validation and stability give the same numbers on any number of ranks, whichever of trials and rows is dealt.
#include "regrove/dist/crossvalidation.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/dist/class_labels.hpp"
#include "regrove/dist/stability.hpp"
#include "regrove/pipeline/learner.hpp"

#include "support/mpi_world.hpp"
#include "support/random_table.hpp"

namespace regrove::dist {
namespace {

using test::world;

/// Uneven shares; with three ranks or more, rank 1 has no rows.
data::TableShard share(const data::TableShard& table, const comm::Communicator& comm) {
    const auto cut = [&](int r) -> std::size_t {
        if (comm.size() >= 3 && r == 2) r = 1;
        return table.rows * static_cast<std::size_t>(r * r) / static_cast<std::size_t>(comm.size() * comm.size());
    };
    return data::slice(table, cut(comm.rank()), cut(comm.rank() + 1));
}

std::vector<TrialTable> tables_of(comm::Communicator& comm, const data::TableShard& table, TrialSpread spread) {
    std::vector<TrialTable> tables;
    tables.emplace_back(comm, share(table, comm), spread);
    return tables;
}

Fit learner(pipeline::Method method) {
    pipeline::LearnerOptions options;
    options.method = method;
    options.cart.max_depth = 4;
    options.forest.trees = 3;
    return [options](comm::Communicator& comm, data::TableShard shard, std::uint64_t seed) {
        return pipeline::fit(comm, std::move(shard), options, seed);
    };
}

test::RandomTableShape shape(std::uint32_t classes, bool weighted = false) {
    test::RandomTableShape shape;
    shape.seed = 31;
    shape.rows = 97;
    shape.classes = classes;
    shape.weighted = weighted;
    return shape;
}

/// All numbers of a result, held-out answers included, in one order.
struct Numbers {
    std::vector<double> figures;
    std::vector<double> held_out;
    bool operator==(const Numbers&) const = default;
};

double zero_if_undefined(double value) { return std::isnan(value) ? 0 : value; }

Numbers numbers(comm::Communicator& comm, const CrossValidation& result) {
    Numbers all;
    for (const TrialFigures& trial : result.trials) {
        all.figures.insert(all.figures.end(), {static_cast<double>(trial.train_rows),
                                               static_cast<double>(trial.test_rows), trial.leaves, trial.depth});
        for (const double value : trial.train) all.figures.push_back(zero_if_undefined(value));
        for (const double value : trial.test) all.figures.push_back(zero_if_undefined(value));
    }
    for (const double value : result.pooled) all.figures.push_back(zero_if_undefined(value));
    const Answers& answers = result.held_out.answers;
    for (std::size_t sheet = 0; sheet + 1 < result.held_out.sheet_begins.size(); ++sheet) {
        std::vector<double> own;
        for (auto row = result.held_out.sheet_begins[sheet]; row < result.held_out.sheet_begins[sheet + 1]; ++row) {
            own.push_back(result.held_out.fold[row]);
            if (answers.classes == 0) {
                own.insert(own.end(), {answers.true_value[row], answers.predicted_value[row]});
                continue;
            }
            own.push_back(answers.true_class[row]);
            own.push_back(answers.predicted_class[row]);
            for (std::uint32_t k = 0; k < answers.classes; ++k)
                own.push_back(answers.probability[row * answers.classes + k]);
        }
        const auto of_all = comm.gather_all(std::span<const double>(own));
        all.held_out.insert(all.held_out.end(), of_all.begin(), of_all.end());
    }
    return all;
}

Numbers validated(comm::Communicator& comm, const data::TableShard& table, TrialSpread spread, const Fit& fit) {
    const auto tables = tables_of(comm, table, spread);
    const auto plan = TrialPlan::of_folds(tables[0], {train::FoldMethod::stratified, 4}, {}, 5, 2);
    const bool numeric = table.schema.columns[*table.schema.find(data::ColumnRole::label)].categories.empty();
    const auto metrics = chosen_metrics({}, numeric ? model::Task::regression : model::Task::classification);
    return numbers(comm, cross_validate(comm, {tables, plan, metrics, spread, 5}, fit));
}

TEST(CrossValidation, IsTheSameOnAnyRanksAndSpread) {
    const auto alone = comm::make_self_communicator();
    for (const auto method : {pipeline::Method::cart, pipeline::Method::forest}) {
        for (const std::uint32_t classes : {0U, 3U}) {
            SCOPED_TRACE(std::string(pipeline::to_text(method)) + " " + std::to_string(classes));
            const auto table = test::random_table(shape(classes, classes == 3));
            const Fit fit = learner(method);
            const Numbers expected = validated(*alone, table, TrialSpread::trials, fit);
            EXPECT_EQ(expected.held_out.size(), 2 * 97 * (classes == 0 ? 3U : 3U + classes));
            EXPECT_EQ(validated(world(), table, TrialSpread::trials, fit), expected);
            EXPECT_EQ(validated(world(), table, TrialSpread::rows, fit), expected);
        }
    }
}

TEST(CrossValidation, AnswersAreThoseOfAModelThatHasNotSeenTheRow) {
    const auto alone = comm::make_self_communicator();
    const auto table = test::random_table(shape(2));
    const auto tables = tables_of(*alone, table, TrialSpread::trials);
    const auto plan = TrialPlan::of_folds(tables[0], {train::FoldMethod::plain, 5}, {}, 1, 1);
    const auto metrics = chosen_metrics({"accuracy"}, model::Task::classification);
    const Fit fit = learner(pipeline::Method::cart);
    const auto result = cross_validate(*alone, {tables, plan, metrics, TrialSpread::trials, 1}, fit);
    const auto rows = plan.rows(3);
    const auto model = fit(*alone, data::take_rows(table, rows.train), trial_seed(1, 3));
    const auto test = data::take_rows(table, rows.test);
    const infer::Predictor predictor(model, test.schema);
    const auto answers = answer_rows(model, predictor, test);
    double hits = 0;
    for (std::size_t i = 0; i < rows.test.size(); ++i) {
        EXPECT_EQ(result.held_out.fold[rows.test[i]], 3U);
        EXPECT_EQ(result.held_out.answers.predicted_class[rows.test[i]], answers.predicted_class[i]);
        hits += answers.predicted_class[i] == answers.true_class[i] ? 1 : 0;
    }
    EXPECT_DOUBLE_EQ(result.trials[3].test[0], hits / static_cast<double>(rows.test.size()));
}

TEST(CrossValidation, ErrorsNameTheTrialOnAllRanks) {
    auto& comm = world();
    const auto tables = tables_of(comm, test::random_table(shape(2)), TrialSpread::trials);
    const auto plan = TrialPlan::of_folds(tables[0], {train::FoldMethod::plain, 5}, {}, 1, 2);
    const auto metrics = chosen_metrics({"accuracy"}, model::Task::classification);
    const std::uint64_t bad_seed = trial_seed(1, 7);
    const Fit learn = learner(pipeline::Method::cart);
    const Fit fit = [&](comm::Communicator& trial_comm, data::TableShard shard, std::uint64_t seed) {
        if (seed == bad_seed) throw InputError("no luck");
        return learn(trial_comm, std::move(shard), seed);
    };
    try {
        cross_validate(comm, {tables, plan, metrics, TrialSpread::trials, 1}, fit);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("fold 3 of repeat 2: no luck"), std::string::npos) << error.what();
    }
}

TEST(MeanOfTrials, LeavesOutWhatIsUndefined) {
    const auto mean = mean_of({1, std::nan(""), 3, 5});
    EXPECT_EQ(mean.mean, 3);
    EXPECT_EQ(mean.defined, 3U);
    EXPECT_DOUBLE_EQ(mean.standard_error, std::sqrt(8.0 / 2 / 3));
    EXPECT_TRUE(std::isnan(mean_of({2}).standard_error));
    EXPECT_TRUE(std::isnan(mean_of({}).mean));
}

TEST(TrialTable, TakesTheSameRowsWhicheverWayItIsHeld) {
    auto& comm = world();
    const auto table = test::random_table(shape(2, true));
    const std::vector<std::uint64_t> places{0, 3, 3, 50, 96, 96, 96};
    const auto alone = comm::make_self_communicator();
    const auto expected = data::take_rows(table, places);
    const auto whole = tables_of(comm, table, TrialSpread::trials)[0].take(*alone, places);
    EXPECT_EQ(whole.values.back(), expected.values.back());
    EXPECT_EQ(whole.global_rows, 7U);
    const auto part = tables_of(comm, table, TrialSpread::rows)[0].take(comm, places);
    EXPECT_EQ(comm.sum(part.rows), 7U);
    EXPECT_EQ(part.global_rows, 7U);
    const auto& own = std::get<std::vector<double>>(part.values.back());
    EXPECT_EQ(comm.gather_all(std::span<const double>(own)), std::get<std::vector<double>>(expected.values.back()));
}

TEST(TrialTable, IsCopiedWhileItFits) {
    EXPECT_EQ(resolve(TrialSpread::automatic, k_largest_copied_table, 0), TrialSpread::trials);
    EXPECT_EQ(resolve(TrialSpread::automatic, k_largest_copied_table + 1, 0), TrialSpread::rows);
    EXPECT_EQ(resolve(TrialSpread::automatic, 100, 400), TrialSpread::trials);
    EXPECT_EQ(resolve(TrialSpread::automatic, 101, 400), TrialSpread::rows);
    EXPECT_EQ(resolve(TrialSpread::rows, 1, 0), TrialSpread::rows);
}

data::TableShard labels(std::vector<std::int32_t> values, std::vector<std::string> categories = {}) {
    data::TableShard table;
    table.rows = table.global_rows = values.size();
    const auto type = categories.empty() ? data::ColumnType::int32 : data::ColumnType::category;
    table.schema.columns.push_back({"y", type, data::ColumnRole::label, std::move(categories)});
    table.values.emplace_back(std::move(values));
    return table;
}

TEST(ClassLabels, BecomeOneListOverAllTables) {
    std::vector<data::TableShard> tables{labels({0, 1}, {"b", "a"}), labels({1, 0}, {"c", "b"})};
    const auto roles = tables;
    unify_class_labels(tables, roles, train::Criterion::automatic);
    EXPECT_EQ(tables[1].schema.columns[0].categories, (std::vector<std::string>{"b", "a", "c"}));
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(tables[1].values[0]), (std::vector<std::int32_t>{0, 2}));
    std::vector<data::TableShard> integers{labels({10, 9}), labels({9, 9})};
    const auto integer_roles = integers;
    unify_class_labels(integers, integer_roles, train::Criterion::automatic);
    EXPECT_EQ(integers[1].schema.columns[0].categories, (std::vector<std::string>{"9", "10"}));
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(integers[0].values[0]), (std::vector<std::int32_t>{1, 0}));
    // Three integers may be numbers: the learner will ask.
    std::vector<data::TableShard> three{labels({1, 2, 3})};
    const auto three_roles = three;
    unify_class_labels(three, three_roles, train::Criterion::automatic);
    EXPECT_EQ(three[0].schema.columns[0].type, data::ColumnType::int32);
    unify_class_labels(three, three_roles, train::Criterion::gini);
    EXPECT_EQ(three[0].schema.columns[0].type, data::ColumnType::category);
}

Stability measured(comm::Communicator& comm, const data::TableShard& table, TrialSpread spread, Resample resample) {
    const auto tables = tables_of(comm, table, spread);
    const auto plan = TrialPlan::of_folds(tables[0], {train::FoldMethod::stratified, 2}, {}, 5, 1);
    return measure_stability(comm, {tables, plan, resample, 6, spread, 5}, learner(pipeline::Method::forest));
}

TEST(Stability, IsTheSameOnAnyRanksAndSpread) {
    const auto alone = comm::make_self_communicator();
    const auto table = test::random_table(shape(3));
    for (const auto resample : {Resample::leave_one_out, Resample::bootstrap}) {
        const Stability expected = measured(*alone, table, TrialSpread::trials, resample);
        std::uint64_t by_refit = 0;
        std::uint64_t by_row = 0;
        for (const Refit& refit : expected.refits) by_refit += refit.flips;
        for (const RowFlips& rows : expected.flips)
            for (const auto times : rows.flips) by_row += times;
        EXPECT_EQ(expected.refits.size(), 12U);
        EXPECT_EQ(expected.trees, 36U);
        EXPECT_EQ(by_refit, by_row);
        EXPECT_GT(by_refit, 0U);
        for (const auto spread : {TrialSpread::trials, TrialSpread::rows}) {
            const Stability here = measured(world(), table, spread, resample);
            for (std::size_t i = 0; i < expected.refits.size(); ++i) {
                EXPECT_EQ(here.refits[i].flips, expected.refits[i].flips) << i;
                EXPECT_EQ(here.refits[i].left_out, expected.refits[i].left_out) << i;
                EXPECT_EQ(here.refits[i].root, expected.refits[i].root) << i;
            }
            for (std::size_t fold = 0; fold < 2; ++fold) {
                EXPECT_EQ(here.flips[fold].flips, expected.flips[fold].flips);
                EXPECT_EQ(here.flips[fold].predicted, expected.flips[fold].predicted);
            }
            ASSERT_EQ(here.roots.size(), expected.roots.size());
            EXPECT_EQ(here.roots[0].question, expected.roots[0].question);
            EXPECT_EQ(here.base_roots, expected.base_roots);
        }
    }
}

TEST(ResamplePlan, LeavesOutDistinctRowsAndDrawsAsManyAsThereAre) {
    const auto few = ResamplePlan::make(Resample::leave_one_out, 3, 50, 10);
    const auto left_out = few.left_out();
    ASSERT_EQ(left_out.size(), 10U);
    for (std::size_t i = 1; i < 10; ++i) EXPECT_LT(left_out[i - 1], left_out[i]);
    const auto places = few.places(4, left_out);
    EXPECT_EQ(places.size(), 49U);
    EXPECT_EQ(std::ranges::count(places, left_out[4]), 0);
    EXPECT_EQ(ResamplePlan::make(Resample::leave_one_out, 3, 50, 0).left_out().size(), 50U);
    const auto drawn = ResamplePlan::make(Resample::bootstrap, 3, 1000, 0);
    EXPECT_EQ(drawn.trials, 100U);
    auto some = drawn.places(0, {});
    EXPECT_EQ(some.size(), 1000U);
    EXPECT_TRUE(std::ranges::is_sorted(some));
    EXPECT_NE(some, drawn.places(1, {}));
    some.erase(std::unique(some.begin(), some.end()), some.end());
    EXPECT_NEAR(static_cast<double>(some.size()), 632, 50);  // 1 - 1/e of the rows
    EXPECT_THROW(ResamplePlan::make(Resample::leave_one_out, 3, 50, 51), ConfigError);
}

}  // namespace
}  // namespace regrove::dist
