// Statistics by hand, and sets of categories that answer as the cuts they were made of.
#include "regrove/train/target_statistics.hpp"

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"
#include "regrove/train/statistic_questions.hpp"

namespace regrove::train {
namespace {

using model::Side;

/// Two classes, weights of one, prior 3/5 that counts as one row.
StatisticScale two_classes() {
    StatisticScale scale;
    scale.prior = {0.6};
    return scale;
}

constexpr std::uint32_t k_a = 0;
constexpr std::uint32_t k_b = 1;
constexpr std::uint32_t k_absent = 2;
constexpr std::uint32_t k_missing = 3;

const std::vector<StatisticRow> k_rows{{1, 1}, {1, 0}, {1, 1}, {1, 1}, {1, 0}, {1, 1}};
const std::vector<std::uint32_t> k_categories{k_a, k_b, k_a, k_missing, k_a, k_b};

CategorySums sums_of(const std::vector<StatisticRow>& rows, const std::vector<std::uint32_t>& categories,
                     std::uint32_t count, const StatisticScale& scale) {
    CategorySums sums(count, scale.channels);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (categories[i] < count) sums.add(categories[i], rows[i], scale);
    }
    return sums;
}

TEST(TargetStatistics, FullOnesByHand) {
    const StatisticScale scale = two_classes();
    const auto sums = sums_of(k_rows, k_categories, 3, scale);
    EXPECT_EQ(sums.weight(k_a), 3);
    EXPECT_EQ(sums.sum(k_a, 0), 2);
    EXPECT_DOUBLE_EQ(scale.statistic(sums.weight(k_a), sums.sum(k_a, 0), 0), 2.6 / 4);
    EXPECT_DOUBLE_EQ(scale.statistic(sums.weight(k_b), sums.sum(k_b, 0), 0), 1.6 / 3);
    const StatisticFeature feature = make_statistic_feature(7, sums, scale, 255);
    EXPECT_EQ(feature.feature, 7U);
    EXPECT_EQ(feature.bins, 2U);
    EXPECT_EQ(feature.present, std::vector<std::uint64_t>{0b011});
    const StatisticBins& bins = feature.channels.at(0);
    EXPECT_EQ(bins.high, (std::vector<double>{1.6 / 3, 2.6 / 4}));
    EXPECT_EQ(bins.category_code, (std::vector<std::uint8_t>{1, 0, 1}));  // absent: the prior, 0.6
    EXPECT_EQ(bins.unseen_code, 1);
    EXPECT_EQ(bins.code(0.1), 0);
    EXPECT_EQ(bins.code(1.6 / 3), 0);
    EXPECT_EQ(bins.code(0.99), 1);
}

TEST(TargetStatistics, OrderedOnesByHand) {
    const StatisticScale scale = two_classes();
    const auto sums = sums_of(k_rows, k_categories, 3, scale);
    StatisticFeature feature = make_statistic_feature(0, sums, scale, 255);
    feature.channels[0].high = {0.29, 0.31, 0.59, 0.61, 0.79, 0.81, 0.86, 0.87};
    feature.bins = 8;
    CategorySums running(3, 1);
    std::vector<std::uint8_t> codes(k_rows.size());
    ordered_codes(k_rows, k_categories, feature, scale, running, codes);
    // a: 0.6; b: 0.6; a: (1 + 0.6) / 2; no value; a: (2 + 0.6) / 3; b: (0 + 0.6) / 2.
    EXPECT_EQ(codes, (std::vector<std::uint8_t>{3, 3, 5, 8, 7, 1}));
    EXPECT_EQ(running.weight(k_a), 3);
    EXPECT_EQ(running.sum(k_b, 0), 1);
}

TEST(TargetStatistics, WeightsAndChannelsAndNumbers) {
    StatisticScale classes;
    classes.channels = 3;
    classes.weight_unit = classes.value_unit = 0.5;
    classes.prior = {0.5, 0.25, 0.25};
    classes.prior_weight = 2;
    CategorySums sums(1, 3);
    sums.add(0, {4, 2}, classes);  // weight 2, class 2
    sums.add(0, {6, 0}, classes);  // weight 3, class 0
    EXPECT_DOUBLE_EQ(classes.statistic(sums.weight(0), sums.sum(0, 0), 0), (3 + 2 * 0.5) / (5 + 2));
    EXPECT_DOUBLE_EQ(classes.statistic(sums.weight(0), sums.sum(0, 1), 1), (0 + 2 * 0.25) / (5 + 2));
    EXPECT_DOUBLE_EQ(classes.statistic(sums.weight(0), sums.sum(0, 2), 2), (2 + 2 * 0.25) / (5 + 2));
    StatisticScale numbers;
    numbers.classes = false;
    numbers.value_unit = 0.25;
    numbers.prior = {-1};
    CategorySums values(1, 1);
    values.add(0, {1, -10}, numbers);  // -2.5
    values.add(0, {1, 2}, numbers);    // 0.5
    EXPECT_DOUBLE_EQ(numbers.statistic(values.weight(0), values.sum(0, 0), 0), (-2 - 1) / 3.0);
}

/// Categories with random counts; some without rows.
CategorySums random_sums(std::uint64_t seed, std::uint32_t categories, const StatisticScale& scale) {
    const CounterRandom random(seed, 1);
    CategorySums sums(categories, scale.channels);
    std::uint64_t next = 0;
    for (std::uint32_t c = 0; c < categories; ++c) {
        for (std::uint64_t rows = random.below(next++, 6); rows > 0; --rows) {
            sums.add(c, {1, static_cast<std::int64_t>(random.below(next++, 2))}, scale);
        }
    }
    return sums;
}

TEST(TargetStatistics, BinsAreFewAndNoneIsEmpty) {
    const StatisticScale scale = two_classes();
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto sums = random_sums(seed, 400, scale);
        for (const std::uint32_t most : {2U, 3U, 7U, 255U}) {
            const StatisticFeature feature = make_statistic_feature(0, sums, scale, most);
            ASSERT_LE(feature.bins, most);
            std::vector<std::int64_t> weight(feature.bins, 0);
            const StatisticBins& bins = feature.channels[0];
            for (std::uint32_t c = 0; c < 400; ++c) weight[bins.category_code[c]] += sums.weight(c);
            for (std::uint32_t bin = 0; bin < feature.bins; ++bin) {
                ASSERT_GT(weight[bin], 0) << "seed " << seed << ", bin " << bin;
                ASSERT_TRUE(bin == 0 || bins.high[bin - 1] < bins.high[bin]);
            }
        }
    }
}

Side answer(const model::Question& question, std::uint32_t category) {
    if (!model::contains(question.seen_categories, category)) return question.heavier_side;
    return model::contains(question.right_categories, category) ? Side::right : Side::left;
}

TEST(TargetStatistics, SetsOfCategoriesAnswerAsTheCut) {
    const StatisticScale scale = two_classes();
    const CodeColumn column;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto sums = random_sums(seed, 70, scale);
        const StatisticFeature feature = make_statistic_feature(0, sums, scale, 6);
        const std::vector<double>& high = feature.channels[0].high;
        for (std::uint32_t cut = 0; cut < feature.bins; ++cut) {
            const bool all_left = cut + 1 == feature.bins;
            model::Question question;
            question.kind = model::QuestionKind::threshold;
            question.threshold = all_left ? std::numeric_limits<double>::infinity() : cut + 0.5;
            question.training_high = 3;
            question.missing_seen = seed % 2 == 0;
            question.missing_side = Side::right;
            CodeQuestion codes;
            ask_for_categories(feature, 0, question, codes);
            EXPECT_EQ(question.kind, model::QuestionKind::category);
            EXPECT_EQ(question.threshold, 0);
            EXPECT_EQ(question.training_high, 0);
            const auto wanted = [&](double statistic) {
                return !all_left && statistic > high[cut] ? Side::right : Side::left;
            };
            for (std::uint32_t c = 0; c < 70; ++c) {
                ASSERT_EQ(answer(question, c), wanted(scale.statistic(sums.weight(c), sums.sum(c, 0), 0)));
            }
            EXPECT_EQ(question.heavier_side, wanted(scale.prior[0]));
            EXPECT_EQ(question.missing_side, question.missing_seen ? Side::right : question.heavier_side);
            const CodeQuestion read = cut_of_categories(feature, 0, question, column);
            for (std::uint32_t code = 0; code <= feature.bins; ++code) {
                ASSERT_EQ(read.right(code), codes.right(code)) << "cut " << cut << ", code " << code;
                ASSERT_TRUE(code == feature.bins || read.right(code) == (code > cut));
            }
        }
    }
}

TEST(TargetStatistics, RefusesQuestionsOfOtherTables) {
    const StatisticScale scale = two_classes();
    const auto sums = sums_of(k_rows, k_categories, 3, scale);
    const StatisticFeature feature = make_statistic_feature(0, sums, scale, 255);
    model::Question question;
    question.kind = model::QuestionKind::category;
    question.seen_categories = question.right_categories = {std::uint64_t{1} << k_b};
    question.heavier_side = Side::left;  // the smaller statistic to the right
    EXPECT_THROW(cut_of_categories(feature, 0, question, {}), ConfigError);
    question.right_categories.clear();
    question.heavier_side = Side::right;
    EXPECT_NO_THROW(cut_of_categories(feature, 0, question, {}));
    question.seen_categories = {std::uint64_t{1} << k_absent};
    EXPECT_THROW(cut_of_categories(feature, 0, question, {}), ConfigError);
}

}  // namespace
}  // namespace regrove::train
