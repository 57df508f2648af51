// The metrics: values of scikit-learn 1.2.1 on the same numbers, hand-made corner cases, and merging.
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/metric/confusion_matrix.hpp"
#include "regrove/metric/registry.hpp"

namespace regrove::metric {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Owns the columns that Predictions looks at.
struct Rows {
    std::uint32_t classes = 0;
    std::vector<std::int32_t> true_class = {};
    std::vector<std::int32_t> predicted_class = {};
    std::vector<double> probability = {};
    std::vector<double> true_value = {};
    std::vector<double> predicted_value = {};
    std::vector<double> weight = {};
    std::vector<std::uint64_t> group_begins = {};

    Predictions view(std::size_t begin, std::size_t end) const {
        const auto part = [&](const auto& all, std::size_t width = 1) {
            return all.empty() ? std::span(all) : std::span(all).subspan(begin * width, (end - begin) * width);
        };
        return {
            .rows = end - begin,
            .classes = classes,
            .true_class = part(true_class),
            .predicted_class = part(predicted_class),
            .probability = part(probability, classes),
            .true_value = part(true_value),
            .predicted_value = part(predicted_value),
            .group_begins = begin == 0 && end == size() ? std::span(group_begins) : std::span<const std::uint64_t>{},
            .weight = part(weight)};
    }
    std::size_t size() const { return std::max(true_class.size(), true_value.size()); }
    Predictions all() const { return view(0, size()); }
};

double value_of(std::string_view name, const Rows& rows) {
    const Metric metric = find_metric(name, rows.classes > 0 ? Task::classification : Task::regression);
    validate(rows.all());
    return metric.finish(metric.accumulate(rows.all()), rows.classes);
}

/// The numbers on which scikit-learn was asked, from a linear congruential generator that any language repeats.
class Sample {
  public:
    static constexpr std::size_t k_rows = 60;

    Sample() {
        std::uint64_t state = 7;
        for (auto& number : numbers_) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            number = state >> 33U;
        }
    }

    Rows three_classes() const {
        Rows rows{.classes = 3};
        for (std::size_t i = 0; i < k_rows; ++i) {
            const auto truth = static_cast<std::size_t>(numbers_[i] % 3);
            double p[3];
            for (std::size_t c = 0; c < 3; ++c) p[c] = 1.0 + static_cast<double>(numbers_[k_rows + 3 * i + c] % 9);
            p[truth] += 2;
            const double sum = p[0] + p[1] + p[2];
            for (const double one : p) rows.probability.push_back(one / sum);
            rows.true_class.push_back(static_cast<std::int32_t>(truth));
            rows.predicted_class.push_back(static_cast<std::int32_t>(std::max_element(p, p + 3) - p));
        }
        return rows;
    }
    Rows two_classes() const {
        Rows rows{.classes = 2};
        for (std::size_t i = 0; i < k_rows; ++i) {
            const double score = static_cast<double>(numbers_[5 * k_rows + i] % 10) / 10;
            rows.true_class.push_back(numbers_[i] % 3 == 1 ? 1 : 0);
            rows.predicted_class.push_back(score > 0.5 ? 1 : 0);
            rows.probability.push_back(1 - score);
            rows.probability.push_back(score);
        }
        return rows;
    }
    Rows regression(double shift = 0) const {
        Rows rows;
        for (std::size_t i = 0; i < k_rows; ++i) {
            const double truth = static_cast<double>(numbers_[6 * k_rows + i] % 1000) / 8;
            rows.true_value.push_back(truth + shift);
            rows.predicted_value.push_back(truth + static_cast<double>(numbers_[7 * k_rows + i] % 200) / 16 - 6 +
                                           shift);
        }
        return rows;
    }
    /// Five groups of twelve rows with relevances from 0 to 4; many scores are tied.
    Rows ranking() const {
        Rows rows;
        for (std::size_t i = 0; i < k_rows; ++i) {
            rows.true_value.push_back(static_cast<double>(numbers_[i] % 5));
            rows.predicted_value.push_back(static_cast<double>(numbers_[5 * k_rows + i] % 10) / 10);
        }
        for (std::size_t begin = 0; begin <= k_rows; begin += 12) rows.group_begins.push_back(begin);
        return rows;
    }
    Rows weighted(Rows rows) const {
        for (std::size_t i = 0; i < k_rows; ++i) {
            rows.weight.push_back(static_cast<double>(1 + numbers_[4 * k_rows + i] % 7) / 4);
        }
        return rows;
    }

  private:
    std::array<std::uint64_t, 8 * k_rows> numbers_{};
};

/// Relative; scikit-learn sums in another order.
void expect_close(double actual, double expected) { EXPECT_NEAR(actual, expected, 1e-14 * std::fabs(expected)); }

TEST(Metric, ClassificationAsScikitLearn) {
    const Sample sample;
    const Rows rows = sample.three_classes();
    expect_close(value_of("accuracy", rows), 0.6);
    expect_close(value_of("error", rows), 0.4);
    expect_close(value_of("balanced_accuracy", rows), 0.6048593350383632);
    expect_close(value_of("macro_f1", rows), 0.6005698005698007);
    expect_close(value_of("log_loss", rows), 0.9028434326153455);
    expect_close(value_of("roc_auc", rows), 0.7712108521639465);
    expect_close(value_of("average_precision", rows), 0.6140733692177759);
    EXPECT_THAT(finish_confusion(accumulate_confusion(rows.all()), 3), ElementsAre(12, 3, 2, 4, 10, 6, 3, 6, 14));
    const Rows weighted = sample.weighted(rows);
    expect_close(value_of("accuracy", weighted), 0.5929203539823009);
    expect_close(value_of("balanced_accuracy", weighted), 0.5995126705653022);
    expect_close(value_of("macro_f1", weighted), 0.5960100250626567);
    expect_close(value_of("log_loss", weighted), 0.9301729657227964);
    expect_close(value_of("roc_auc", weighted), 0.7477026112706762);
    expect_close(value_of("average_precision", weighted), 0.6149662008358782);
    EXPECT_THAT(finish_confusion(accumulate_confusion(weighted.all()), 3),
                ElementsAre(10.25, 2.5, 2.25, 3.25, 10.0, 5.75, 2.75, 6.5, 13.25));
}

TEST(Metric, TwoClassesAsScikitLearn) {
    const Sample sample;
    const Rows rows = sample.two_classes();
    EXPECT_EQ(value_of("roc_auc", rows), 0.591875) << "20 * 40 pairs: an exact fraction";
    expect_close(value_of("log_loss", rows), 1.9336596480180683);
    expect_close(value_of("average_precision", rows), 0.4028136037445646);
    const Rows weighted = sample.weighted(rows);
    expect_close(value_of("roc_auc", weighted), 0.5919298245614035);
    expect_close(value_of("log_loss", weighted), 2.1448475433433223);
    expect_close(value_of("average_precision", weighted), 0.4405845910591243);
}

TEST(Metric, RegressionAsScikitLearn) {
    const Sample sample;
    const Rows rows = sample.regression();
    expect_close(value_of("rmse", rows), 3.5377797298117173);
    expect_close(value_of("mae", rows), 3.0625);
    expect_close(value_of("r2", rows), 0.9900320068035358);
    const Rows weighted = sample.weighted(rows);
    expect_close(value_of("rmse", weighted), 3.5895596481908965);
    expect_close(value_of("mae", weighted), 3.137444690265487);
    expect_close(value_of("r2", weighted), 0.9903634893849885);
}

TEST(Metric, LossesOfPositiveNumbersAsScikitLearn) {
    const Sample sample;
    const Rows rows = sample.regression(8);
    const auto close = [](double actual, double expected) { EXPECT_NEAR(actual, expected, 1e-12 * expected); };
    close(value_of("poisson_deviance", rows), 0.2377373213626661);
    close(value_of("gamma_deviance", rows), 0.006353681009791819);
    close(value_of("tweedie_deviance", rows), 0.03734928537051306);
    close(value_of("tweedie_deviance@1.2", rows), 0.11223154388283353);
    close(value_of("quantile_loss", rows), 1.53125);
    close(value_of("quantile_loss@0.9", rows), 1.4154166666666668);
    const Rows weighted = sample.weighted(rows);
    close(value_of("poisson_deviance", weighted), 0.24258669218249623);
    close(value_of("gamma_deviance", weighted), 0.006722480570065646);
    close(value_of("tweedie_deviance", weighted), 0.03864259913192049);
    close(value_of("quantile_loss@0.9", weighted), 1.5688329646017698);
}

TEST(Metric, CornersOfDeviances) {
    const Rows zeros{.true_value = {0, 0}, .predicted_value = {1, 0.5}};
    EXPECT_DOUBLE_EQ(value_of("poisson_deviance", zeros), 1.5);
    EXPECT_DOUBLE_EQ(value_of("tweedie_deviance", zeros), 2 * (1 + std::sqrt(0.5)));
    EXPECT_TRUE(std::isnan(value_of("gamma_deviance", zeros)));
    const Rows negative{.true_value = {-1}, .predicted_value = {1}};
    EXPECT_TRUE(std::isnan(value_of("poisson_deviance", negative)));
    EXPECT_TRUE(std::isnan(value_of("tweedie_deviance", negative)));
    const Rows none{.true_value = {2}, .predicted_value = {-3}};
    EXPECT_NEAR(value_of("poisson_deviance", none), 2 * (2 * std::log(2e16) - 2), 1e-9) << "kept above zero";
}

/// scikit-learn's ndcg_score of the gains 2^relevance - 1, which shares the places of tied scores, too.
TEST(Metric, RankingAsScikitLearn) {
    const Sample sample;
    const Rows rows = sample.ranking();
    EXPECT_NEAR(value_of("ndcg", rows), 0.6976833506645926, 1e-13);
    EXPECT_NEAR(value_of("ndcg@3", rows), 0.3928265400554377, 1e-13);
    EXPECT_NEAR(value_of("ndcg@10", rows), 0.6173786572899898, 1e-13);
    const Rows weighted = sample.weighted(rows);
    EXPECT_NEAR(value_of("ndcg", weighted), 0.6809442807281858, 1e-13);
    EXPECT_NEAR(value_of("ndcg@10", weighted), 0.5856822048998902, 1e-13);
}

TEST(Metric, CornersOfRanking) {
    const Rows by_hand{.true_value = {0, 1, 3}, .predicted_value = {3, 2, 1}, .group_begins = {0, 3}};
    expect_close(value_of("ndcg", by_hand), (1 / std::log2(3) + 7 / 2.0) / (7 + 1 / std::log2(3)));
    EXPECT_EQ(value_of("ndcg@1", by_hand), 0);
    Rows nothing_relevant = by_hand;
    nothing_relevant.true_value = {0, 0, 0};
    EXPECT_EQ(value_of("ndcg", nothing_relevant), 1);
    const Rows empty_groups{.true_value = {1, 0}, .predicted_value = {1, 1}, .group_begins = {0, 0, 1, 1, 2, 2}};
    EXPECT_EQ(value_of("ndcg", empty_groups), 1);
    EXPECT_THROW(value_of("ndcg", {.true_value = {1}, .predicted_value = {1}}), InternalError) << "no groups";
}

/// Groups are whole in a shard, so the shards' summaries add up.
TEST(Metric, GroupsMergeBitForBit) {
    const Rows rows = Sample().weighted(Sample().ranking());
    const Metric metric = find_metric("ndcg", Task::regression);
    Summary merged;
    for (std::size_t begin = 0; begin < 60; begin += 12) {
        Predictions part = rows.view(begin, begin + 12);
        const std::vector<std::uint64_t> one_group{0, 12};
        part.group_begins = one_group;
        merged = merge(merged, metric.accumulate(part));
    }
    EXPECT_EQ(metric.finish(merged, 0), value_of("ndcg", rows));
}

TEST(Metric, ParametersStandBehindTheName) {
    EXPECT_EQ(find_metric("ndcg@5", Task::regression).name, "ndcg@5");
    EXPECT_EQ(find_metric("tweedie-nloglik@1.25", Task::regression).name, "tweedie_deviance@1.25");
    const auto refused = [](const char* name) {
        EXPECT_THROW(find_metric(name, Task::regression), ConfigError) << name;
    };
    for (const char* name : {"rmse@1", "ndcg@", "ndcg@x", "ndcg@2.5", "ndcg@-1", "tweedie_deviance@2",
                             "quantile_loss@0", "quantile_loss@1"})
        refused(name);
}

TEST(Metric, R2DoesNotCancel) {
    const Sample sample;
    const double plain = value_of("r2", sample.regression());
    for (const double shift : {1e3, 1e9, -0x1.0p40}) {
        EXPECT_EQ(value_of("r2", sample.regression(shift)), plain) << "values and errors stay exact under this shift";
    }
    Rows constant{.true_value = {0.1, 0.1, 0.1}, .predicted_value = {0.1, 0.1, 0.1}};
    EXPECT_EQ(value_of("r2", constant), 1);
    constant.predicted_value[0] = 1;
    EXPECT_EQ(value_of("r2", constant), 0);
}

TEST(Metric, WeightsActAsRepeatedRows) {
    const Rows rows = Sample().three_classes();
    Rows weighted = rows;
    Rows repeated{.classes = 3};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        weighted.weight.push_back(static_cast<double>(i % 4));
        for (std::size_t k = 0; k < i % 4; ++k) {
            repeated.true_class.push_back(rows.true_class[i]);
            repeated.predicted_class.push_back(rows.predicted_class[i]);
            for (std::size_t c = 0; c < 3; ++c) repeated.probability.push_back(rows.probability[3 * i + c]);
        }
    }
    for (const Metric& metric : all_metrics()) {
        if (metric.task != Task::classification) continue;
        EXPECT_EQ(value_of(metric.name, weighted), value_of(metric.name, repeated)) << metric.name;
    }
}

TEST(Metric, CornersOfClassification) {
    const Rows one_class{
        .classes = 2, .true_class = {1, 1}, .predicted_class = {1, 0}, .probability = {0.2, 0.8, 0.6, 0.4}};
    EXPECT_TRUE(std::isnan(value_of("roc_auc", one_class)));
    EXPECT_EQ(value_of("balanced_accuracy", one_class), 0.5);
    EXPECT_EQ(value_of("macro_f1", one_class), (2.0 / 3 + 0) / 2);
    const Rows sure{.classes = 2, .true_class = {1, 0}, .predicted_class = {0, 0}, .probability = {1, 0, 1, 0}};
    const double least = std::numeric_limits<double>::epsilon();
    expect_close(value_of("log_loss", sure), (-std::log(least) - std::log1p(-least)) / 2);
    const Rows tied{.classes = 2,
                    .true_class = {1, 0, 1, 0},
                    .predicted_class = {0, 0, 0, 0},
                    .probability = {1, 0, 1, -0.0, 0.5, 0.5, 0.25, 0.75}};
    EXPECT_EQ(value_of("roc_auc", tied), 0.375) << "of four pairs, one tied and one right";
}

TEST(Metric, NoRowsIsUndefined) {
    for (const Metric& metric : all_metrics()) {
        Rows rows{.classes = metric.task == Task::classification ? 2U : 0U};
        const Summary summary = metric.accumulate(rows.all());
        EXPECT_EQ(summary, Summary{}) << metric.name;
        EXPECT_TRUE(std::isnan(metric.finish(summary, rows.classes))) << metric.name;
    }
}

/// Numbers that plain sums would round differently in every order.
Rows awkward_rows(std::uint32_t classes, bool with_weights) {
    std::mt19937_64 random(classes + 11);
    Rows rows{.classes = classes};
    for (int i = 0; i < 300; ++i) {
        if (classes > 0) {
            rows.true_class.push_back(static_cast<std::int32_t>(random() % classes));
            rows.predicted_class.push_back(static_cast<std::int32_t>(random() % classes));
            for (std::uint32_t c = 0; c < classes; ++c) {
                rows.probability.push_back(static_cast<double>(random() % 23) / 23);
            }
        } else {
            rows.true_value.push_back(
                std::ldexp(static_cast<double>(random() >> 11U), -static_cast<int>(random() % 90)));
            rows.predicted_value.push_back(rows.true_value.back() * 1.1 - 0.3);
        }
        if (with_weights) rows.weight.push_back(std::ldexp(0.1, static_cast<int>(random() % 80) - 40));
    }
    return rows;
}

TEST(Metric, ShardsMergeToTheWholeBitForBit) {
    std::mt19937_64 random(5);
    for (const Metric& metric : all_metrics()) {
        if (metric.needs_groups) continue;  // GroupsMergeBitForBit
        for (const bool with_weights : {false, true}) {
            const Rows rows = awkward_rows(metric.task == Task::classification ? 4 : 0, with_weights);
            const Summary all = metric.accumulate(rows.all());
            const double whole = metric.finish(all, rows.classes);
            ASSERT_TRUE(std::isfinite(whole)) << metric.name;
            for (int round = 0; round < 10; ++round) {
                std::vector<std::size_t> cuts = {0, rows.size()};
                for (std::size_t k = random() % 6; k > 0; --k) cuts.push_back(random() % (rows.size() + 1));
                std::ranges::sort(cuts);
                Summary merged;
                for (std::size_t k = 1; k < cuts.size(); ++k) {
                    const Summary part = metric.accumulate(rows.view(cuts[k - 1], cuts[k]));
                    const Summary sent = unpack_summary(pack(part));
                    EXPECT_EQ(sent, part);
                    merged = round % 2 == 0 ? merge(merged, sent) : merge(sent, merged);
                }
                EXPECT_EQ(merged.ranking, all.ranking) << metric.name;
                ASSERT_EQ(std::bit_cast<std::uint64_t>(metric.finish(merged, rows.classes)),
                          std::bit_cast<std::uint64_t>(whole))
                    << metric.name;
            }
        }
    }
}

TEST(Metric, AreFoundByNameAndAlias) {
    EXPECT_EQ(find_metric("auc", Task::classification).name, "roc_auc");
    EXPECT_EQ(find_metric("mae", Task::regression).name, "mae");
    try {
        find_metric("rmse", Task::classification);
        FAIL() << "no error";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("no metric 'rmse' for classification; there are: accuracy, error"));
    }
}

TEST(Metric, SenselessPredictionsAreRefused) {
    const auto refusal = [](const Rows& rows) -> std::string {
        try {
            validate(rows.all());
        } catch (const InputError& error) {
            return error.what();
        }
        return "valid";
    };
    Rows rows{.classes = 2, .true_class = {0, 1}, .predicted_class = {0, 0}, .probability = {1, 0, 1, 0}};
    EXPECT_EQ(refusal(rows), "valid");
    rows.weight = {1, -1};
    EXPECT_THAT(refusal(rows), HasSubstr("the weight of row 1 is negative"));
    rows.weight = {1, std::nan("")};
    EXPECT_THAT(refusal(rows), HasSubstr("the weight of row 1 is not a finite number"));
    rows.weight.clear();
    rows.probability[2] = std::nan("");
    EXPECT_THAT(refusal(rows), HasSubstr("a probability of row 1"));
    rows.probability.clear();
    rows.true_class[1] = 2;
    EXPECT_THAT(refusal(rows), HasSubstr("the true class of row 1 is 2, outside the 2 classes"));
    rows.true_class.pop_back();
    EXPECT_THROW(validate({.rows = 2, .classes = 2, .true_class = rows.true_class}), InternalError);
    EXPECT_THAT(refusal({.true_value = {HUGE_VAL}, .predicted_value = {0}}), HasSubstr("the true value of row 0"));
}

}  // namespace
}  // namespace regrove::metric
