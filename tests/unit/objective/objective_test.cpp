// Every row of the table: derivatives against finite differences, constants that minimise the loss, merged summaries.
#include "regrove/objective/objective.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/objective/quantile_selection.hpp"

#include "unit/objective/labelled_case.hpp"

namespace regrove::objective {
namespace {

using testing::HasSubstr;

struct Both {
    std::vector<double> gradient;
    std::vector<double> hessian;
};

Both derivatives(const Objective& objective, const LabelledCase& given) {
    Both both{std::vector<double>(given.scores.size()), std::vector<double>(given.scores.size())};
    all_derivatives(objective, given.rows(), given.scores, {both.gradient, both.hessian});
    return both;
}

/// A row's loss alone, as a function of one of its scores.
double loss_at(const Objective& objective, const LabelledCase& given, std::size_t element, double shift) {
    const std::size_t rows = given.labels.size();
    const std::size_t row = element % rows;
    LabelledCase one;
    one.labels = {given.labels[row]};
    one.weights = {given.weights[row]};
    for (std::size_t e = row; e < given.scores.size(); e += rows)
        one.scores.push_back(given.scores[e] + (e == element ? shift : 0.0));
    return objective.loss(one.rows(), one.scores);
}

/// With a corner of the loss within reach no difference quotient means anything.
bool near_a_corner(const Objective& objective, const LabelledCase& given, std::size_t row, double reach) {
    if (objective.hessian_kind() != HessianKind::row_weight) return false;
    const double distance = std::abs(given.scores[row] - given.labels[row]);
    return distance < reach || std::abs(distance - 1) < reach;
}

class EveryObjective : public testing::TestWithParam<std::string> {
  protected:
    const ObjectiveRow& row() const { return find_objective(GetParam()); }
};
/// Those with a loss of each row; lambdamart_test.cpp has the one of pairs.
class RowLoss : public EveryObjective {};
/// Those whose hessian is the second derivative, or twice it.
class SmoothLoss : public EveryObjective {};
/// Those whose hessian is the row's weight and whose loss has no corners.
class CurvedLoss : public EveryObjective {};
/// Those that begin with the minimum of the loss found from sums; quantile_selection_test.cpp has the others.
class BestConstant : public EveryObjective {};

TEST_P(RowLoss, GradientsAreFiniteDifferences) {
    const auto objective = make(row());
    const LabelledCase given = random_case(row(), 200, 11);
    const Both both = derivatives(*objective, given);
    constexpr double k_step = 1e-5;
    for (std::size_t e = 0; e < given.scores.size(); ++e) {
        if (near_a_corner(*objective, given, e % 200, 2 * k_step)) continue;
        const double slope =
            (loss_at(*objective, given, e, k_step) - loss_at(*objective, given, e, -k_step)) / (2 * k_step);
        EXPECT_NEAR(both.gradient[e], slope, 1e-6 * (1 + std::abs(slope))) << e;
    }
}

TEST_P(SmoothLoss, HessiansAreFiniteDifferences) {
    const auto objective = make(row());
    const auto kind = objective->hessian_kind();
    const LabelledCase given = random_case(row(), 200, 12);
    const Both both = derivatives(*objective, given);
    constexpr double k_step = 1e-4;
    for (std::size_t e = 0; e < given.scores.size(); ++e) {
        const double bend = (loss_at(*objective, given, e, k_step) - 2 * loss_at(*objective, given, e, 0) +
                             loss_at(*objective, given, e, -k_step)) /
                            (k_step * k_step);
        const double expected = kind == HessianKind::twice ? 2 * bend : bend;
        EXPECT_NEAR(both.hessian[e], expected, 1e-4 * (1 + std::abs(expected))) << e;
    }
}

/// f(s + d) <= f(s) + g d + h d^2 / 2 for losses of bounded curvature.
TEST_P(CurvedLoss, RowWeightsBoundTheCurvature) {
    const auto objective = make(row());
    const LabelledCase given = random_case(row(), 200, 13);
    const Both both = derivatives(*objective, given);
    for (std::size_t e = 0; e < given.scores.size(); ++e) {
        EXPECT_EQ(both.hessian[e], given.weights[e]);
        for (const double d : {-3.0, -0.5, 0.1, 2.0})
            EXPECT_LE(loss_at(*objective, given, e, d),
                      loss_at(*objective, given, e, 0) + both.gradient[e] * d + 0.5 * both.hessian[e] * d * d + 1e-9);
    }
}

TEST_P(EveryObjective, HessiansAreNotNegative) {
    const LabelledCase given = random_case(row(), 300, 14);
    for (const double h : derivatives(*make(row()), given).hessian) EXPECT_GE(h, 0);
}

/// Doubling a row's weight doubles both; a group's weight is that of its first row.
TEST_P(EveryObjective, WeightsMultiply) {
    LabelledCase given = random_case(row(), 60, 15);
    const auto objective = make(row());
    const Both weighted = derivatives(*objective, given);
    LabelledCase plain = given;
    plain.weights.clear();
    const Both unweighted = derivatives(*objective, plain);
    for (std::size_t e = 0; e < given.scores.size(); ++e) {
        std::size_t at = e % 60;
        for (std::size_t g = 0; g + 1 < given.group_begins.size(); ++g)
            if (given.group_begins[g] <= e && e < given.group_begins[g + 1]) at = given.group_begins[g];
        EXPECT_NEAR(weighted.gradient[e], given.weights[at] * unweighted.gradient[e], 1e-12);
        EXPECT_NEAR(weighted.hessian[e], given.weights[at] * unweighted.hessian[e], 1e-12);
    }
}

/// Near the minimum the loss is what its derivatives say, so the leaf value -G / (H + lambda) minimises the loss and the
/// penalty lambda w^2 / 2 of a leaf with all rows.
TEST_P(BestConstant, TheLeafValueMinimisesTheLoss) {
    const auto objective = make(row());
    if (objective->scores() > 1) return;  // its hessian is a bound: the step is half of the best
    LabelledCase given = random_case(row(), 500, 16);
    const double start = objective->initial_scores(objective->summarise(given.rows()))[0] + 0.05;
    const auto penalised = [&](double lambda, double w) {
        std::ranges::fill(given.scores, start + w);
        return objective->loss(given.rows(), given.scores) + 0.5 * lambda * w * w;
    };
    for (const double lambda : {0.0, 20.0, 500.0}) {
        static_cast<void>(penalised(lambda, 0));
        const Both both = derivatives(*objective, given);
        double g = 0;
        double h = 0;
        for (std::size_t i = 0; i < 500; ++i) {
            g += both.gradient[i];
            h += both.hessian[i];
        }
        const double leaf = -g / (h + lambda);
        EXPECT_LT(leaf, -0.001);
        for (const double d : {-0.01, -0.003, 0.003, 0.01})
            EXPECT_GT(penalised(lambda, leaf + d), penalised(lambda, leaf)) << lambda << ' ' << d;
    }
}

TEST_P(BestConstant, MinimisesTheLoss) {
    ObjectiveOptions options;
    options.boost_from_average = FirstScores::average;
    const auto objective = make(row(), options);
    LabelledCase given = random_case(row(), 500, 17);
    const std::vector<double> constants = objective->initial_scores(objective->summarise(given.rows()));
    ASSERT_EQ(constants.size(), objective->scores());
    const auto loss = [&](std::size_t k, double shift) {
        for (std::size_t e = 0; e < given.scores.size(); ++e)
            given.scores[e] = constants[e / 500] + (e / 500 == k ? shift : 0.0);
        return objective->loss(given.rows(), given.scores);
    };
    for (std::size_t k = 0; k < constants.size(); ++k) {
        for (const double shift : {-0.1, -0.01, 0.01, 0.1}) EXPECT_GT(loss(k, shift), loss(k, 0)) << k;
        static_cast<void>(loss(k, 0));
        double slope = 0;
        const Both both = derivatives(*objective, given);
        for (std::size_t i = 0; i < 500; ++i) slope += both.gradient[k * 500 + i];
        EXPECT_NEAR(slope, 0, 1e-9);
    }
}

TEST_P(EveryObjective, SummariesMergeExactly) {
    const auto objective = make(row());
    LabelledCase whole = random_case(row(), 101, 18);
    for (double& weight : whole.weights) weight *= 0.1;
    const auto all = objective->initial_scores(objective->summarise(whole.rows()));
    for (const std::size_t cut : {0, 1, 50, 101}) {
        const LabelledRows first{std::span(whole.labels).first(cut), std::span(whole.weights).first(cut), {}};
        const LabelledRows second{std::span(whole.labels).subspan(cut), std::span(whole.weights).subspan(cut), {}};
        auto words = objective->summarise(first);
        const auto others = objective->summarise(second);
        ASSERT_EQ(words.size(), others.size());
        for (std::size_t i = 0; i < words.size(); ++i) words[i] += others[i];
        EXPECT_EQ(objective->initial_scores(words), all) << cut;
    }
}

TEST_P(EveryObjective, BlocksAndThreadsDoNotMatter) {
    const LabelledCase given = random_case(row(), 20000, 19);
    const auto objective = make(row());
    set_thread_count(1);
    const Both one = derivatives(*objective, given);
    set_thread_count(3);
    const Both three = derivatives(*objective, given);
    set_thread_count(1);
    EXPECT_EQ(one.gradient, three.gradient);
    EXPECT_EQ(one.hessian, three.hessian);
}

TEST_P(EveryObjective, BadLabelsNameTheRow) {
    const auto objective = make(row());
    LabelledCase given = random_case(row(), 10, 20);
    EXPECT_NO_THROW(objective->check_labels(given.rows(), 0));
    std::vector<double> bad{NAN, INFINITY, -INFINITY};
    if (row().labels != LabelKind::number) bad.insert(bad.end(), {-1, 0.5, 77});
    for (const double label : bad) {
        given.labels[7] = label;
        try {
            objective->check_labels(given.rows(), 1000);
            ADD_FAILURE() << label << " was accepted";
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), HasSubstr("row 1007"));
            EXPECT_THAT(error.what(), HasSubstr(GetParam()));
        }
    }
}

TEST_P(EveryObjective, ZeroScoresWhenAskedFor) {
    ObjectiveOptions options;
    options.boost_from_average = FirstScores::zero;
    const auto objective = make(row(), options);
    EXPECT_FALSE(objective->initial_quantile());
    const LabelledCase given = random_case(row(), 10, 21);
    for (const double score : objective->initial_scores(objective->summarise(given.rows()))) EXPECT_EQ(score, 0);
}

TEST_P(EveryObjective, IsFoundByItsAliases) {
    EXPECT_EQ(make(row())->name(), row().name);
    for (const std::string& alias : row().aliases) EXPECT_EQ(find_objective(alias).name, row().name);
}

template <class Keep>
std::vector<std::string> names(Keep keep) {
    std::vector<std::string> some;
    for (const ObjectiveRow& row : all_objectives())
        if (keep(row, *make(row))) some.push_back(row.name);
    return some;
}

bool has_row_loss(const ObjectiveRow& row, const Objective&) { return row.labels != LabelKind::relevance; }
bool is_smooth(const ObjectiveRow&, const Objective& objective) {
    return objective.hessian_kind() == HessianKind::exact || objective.hessian_kind() == HessianKind::twice;
}
bool is_curved(const ObjectiveRow& row, const Objective& objective) {
    return has_row_loss(row, objective) && objective.constant_hessian() && !objective.refit_quantile();
}
bool begins_with_sums(const ObjectiveRow& row, const Objective& objective) {
    return has_row_loss(row, objective) && !objective.initial_quantile();
}

std::string plain_name(const testing::TestParamInfo<std::string>& given) {
    std::string name = given.param;
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EveryObjective,
                         testing::ValuesIn(names([](const auto&, const auto&) { return true; })), plain_name);
INSTANTIATE_TEST_SUITE_P(Table, RowLoss, testing::ValuesIn(names(has_row_loss)), plain_name);
INSTANTIATE_TEST_SUITE_P(Table, SmoothLoss, testing::ValuesIn(names(is_smooth)), plain_name);
INSTANTIATE_TEST_SUITE_P(Table, CurvedLoss, testing::ValuesIn(names(is_curved)), plain_name);
INSTANTIATE_TEST_SUITE_P(Table, BestConstant, testing::ValuesIn(names(begins_with_sums)), plain_name);

TEST(Objective, TheTableHoldsAllTen) {
    EXPECT_EQ(all_objectives().size(), 10U);
    EXPECT_EQ(names(is_smooth).size(), 6U);
    EXPECT_EQ(names(is_curved), (std::vector<std::string>{"squared-error", "huber"}));
}

TEST(Objective, ValuesByHand) {
    const std::vector<double> one{1};
    const LabelledRows row{one, {}, {}};
    const auto at = [&](const char* name, double score) {
        Both both{{0}, {0}};
        const auto objective = make(find_objective(name));
        objective->derivatives(row, std::vector<double>{score}, {both.gradient, both.hessian}, 0, 1);
        return std::pair(both.gradient[0], both.hessian[0]);
    };
    EXPECT_EQ(at("squared-error", 3), std::pair(2.0, 1.0));
    EXPECT_EQ(at("absolute-error", 3), std::pair(1.0, 1.0));
    EXPECT_EQ(at("absolute-error", 1), std::pair(0.0, 1.0));
    EXPECT_EQ(at("huber", 1.5), std::pair(0.5, 1.0));
    EXPECT_EQ(at("huber", -7), std::pair(-1.0, 1.0));
    EXPECT_EQ(at("quantile", 3), std::pair(0.5, 1.0));
    EXPECT_EQ(at("poisson", 0), std::pair(0.0, 1.0));
    EXPECT_EQ(at("gamma", 0), std::pair(0.0, 1.0));
    EXPECT_EQ(at("tweedie", 0), std::pair(0.0, 1.0));
    EXPECT_EQ(at("logistic", 0), std::pair(-0.5, 0.25));
}

TEST(Objective, TheLabelDecidesWhatAutoIs) {
    EXPECT_EQ(make_objective({}, 0)->name(), "squared-error");
    EXPECT_EQ(make_objective({}, 2)->name(), "logistic");
    EXPECT_EQ(make_objective({}, 3)->name(), "softmax");
    EXPECT_EQ(make_objective({}, 3)->scores(), 3U);
}

TEST(Objective, RefusesLabelsThatDoNotFit) {
    const auto refused = [](const char* name, std::uint32_t classes) {
        ObjectiveOptions options;
        options.objective = name;
        try {
            static_cast<void>(make_objective(options, classes));
        } catch (const ConfigError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_THAT(refused("logistic", 3), HasSubstr("needs a label of two classes, but the label holds 3 classes"));
    EXPECT_THAT(refused("softmax", 0), HasSubstr("needs a label of classes, but the label holds numbers"));
    EXPECT_THAT(refused("poisson", 2), HasSubstr("--objective auto takes logistic"));
    EXPECT_THAT(refused("hinge", 2), HasSubstr("no objective 'hinge'; there are: auto, squared-error"));
    EXPECT_EQ(refused("softmax", 2), "accepted");
}

/// The same quantile of residuals is what leaves are refitted with.
TEST(Objective, TheQuantileToBeginWithMinimisesTheLoss) {
    for (const char* name : {"absolute-error", "quantile"}) {
        ObjectiveOptions options;
        options.quantile_alpha = 0.8;
        const auto objective = make(find_objective(name), options);
        LabelledCase given = random_case(find_objective(name), 301, 22);
        ASSERT_EQ(objective->initial_quantile(), objective->refit_quantile());
        const auto masses = WeightGrid(4, 301).masses(given.weights);
        QuantileSelection search(given.labels, masses, {}, 1, *objective->initial_quantile());
        while (!search.done()) search.advance(search.count());
        const auto loss = [&](double constant) {
            std::ranges::fill(given.scores, constant);
            return objective->loss(given.rows(), given.scores);
        };
        const double best = search.quantiles()[0];
        for (const double shift : {-0.5, -0.05, 0.05, 0.5}) EXPECT_GT(loss(best + shift), loss(best)) << name;
    }
}

TEST(Objective, AbsentClassesKeepScoresFinite) {
    const std::vector<double> labels{0, 0, 0};
    const auto logistic = make_objective({}, 2);
    const double score = logistic->initial_scores(logistic->summarise({labels, {}, {}}))[0];
    EXPECT_TRUE(std::isfinite(score));
    EXPECT_LT(score, -30);
    ObjectiveOptions options;
    options.boost_from_average = FirstScores::average;
    const auto softmax = make_objective(options, 3);
    for (const double s : softmax->initial_scores(softmax->summarise({labels, {}, {}})))
        EXPECT_TRUE(std::isfinite(s));
    const auto plain = make_objective({}, 3);
    for (const double s : plain->initial_scores(plain->summarise({labels, {}, {}}))) EXPECT_EQ(s, 0);
}

TEST(Objective, LogarithmsNeedAMeanAboveZero) {
    const std::vector<double> zeros{0, 0};
    for (const char* name : {"poisson", "tweedie"}) {
        const auto objective = make(find_objective(name));
        EXPECT_NO_THROW(objective->check_labels({zeros, {}, {}}, 0));
        EXPECT_THROW(objective->initial_scores(objective->summarise({zeros, {}, {}})), InputError);
    }
}

TEST(Objective, OptionsReachTheFormulas) {
    ObjectiveOptions options;
    options.quantile_alpha = 0.9;
    options.huber_delta = 2;
    options.tweedie_power = 1.25;
    EXPECT_EQ(make(find_objective("quantile"), options)->refit_quantile(), 0.9);
    EXPECT_EQ(make(find_objective("quantile"), options)->initial_quantile(), 0.9);
    EXPECT_EQ(make(find_objective("quantile"), options)->default_metric(), "quantile_loss@0.9");
    EXPECT_EQ(make(find_objective("tweedie"), options)->default_metric(), "tweedie_deviance@1.25");
    const std::vector<double> label{0};
    EXPECT_EQ(make(find_objective("huber"), options)->loss({label, {}, {}}, std::vector<double>{5}), 2 * (5 - 1));
}

}  // namespace
}  // namespace regrove::objective
