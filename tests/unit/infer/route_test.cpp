// Every rule of routing at its edges: thresholds to the last bit, missing values, surrogates, unseen categories,
// flags.
#include "regrove/infer/route.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regrove/infer/binding.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

using model::Side;

Side side(const model::Question& question, std::vector<double> cells) {
    PathFlags flags;
    return answer(question, cells, flags);
}

PathFlags flags_of(const model::Question& question, std::vector<double> cells) {
    PathFlags flags;
    answer(question, cells, flags);
    return flags;
}

TEST(Route, OnlyAboveTheThresholdGoesRight) {
    for (const double t : {0.5, -3.25, 1e300, 5e-324, 0.1}) {
        EXPECT_EQ(side(above(0, t), {t}), Side::left) << t;
        EXPECT_EQ(side(above(0, t), {std::nextafter(t, k_inf)}), Side::right) << t;
        EXPECT_EQ(side(above(0, t), {std::nextafter(t, -k_inf)}), Side::left) << t;
    }
}

TEST(Route, ZerosAndDenormals) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(side(above(0, 0.0), {-0.0}), Side::left);
    EXPECT_EQ(side(above(0, -0.0), {0.0}), Side::left);
    EXPECT_EQ(side(above(0, 0.0), {tiny}), Side::right);
    EXPECT_EQ(side(above(0, -tiny), {-0.0}), Side::right);
    EXPECT_EQ(side(above(0, -tiny), {-tiny}), Side::left);
}

TEST(Route, InfiniteValuesAndTheThresholdForMissing) {
    EXPECT_EQ(side(above(0, 1e308), {k_inf}), Side::right);
    EXPECT_EQ(side(above(0, -1e308), {-k_inf}), Side::left);
    model::Question missing = above(0, k_inf);
    missing.missing_seen = true;
    missing.missing_side = Side::right;
    EXPECT_EQ(side(missing, {1.7976931348623157e308}), Side::left);
    EXPECT_EQ(side(missing, {k_inf}), Side::left);
    EXPECT_EQ(side(missing, {k_nan}), Side::right);
}

TEST(Route, MissingTakesTheMissingSide) {
    model::Question question = above(0, 0.5);
    question.missing_seen = true;
    question.missing_side = Side::right;
    EXPECT_EQ(side(question, {k_nan}), Side::right);
    EXPECT_EQ(flags_of(question, {k_nan}), PathFlags{});
    question.missing_side = Side::left;
    EXPECT_EQ(side(question, {-k_nan}), Side::left);
}

TEST(Route, AnUnseenMissingTakesTheHeavierSideWithAFlag) {
    for (const Side heavier : {Side::left, Side::right}) {
        model::Question question = above(0, 0.5);
        question.heavier_side = question.missing_side = heavier;
        EXPECT_EQ(side(question, {k_nan}), heavier);
        EXPECT_EQ(flags_of(question, {k_nan}), (PathFlags{.unseen_missing = true}));
    }
}

TEST(Route, CategoriesInTheSetGoRight) {
    const model::Question question = one_of(0, {1, 64}, {0, 1, 64});
    EXPECT_EQ(side(question, {0}), Side::left);
    EXPECT_EQ(side(question, {1}), Side::right);
    EXPECT_EQ(side(question, {64}), Side::right);
    EXPECT_EQ(flags_of(question, {64}), PathFlags{});
}

TEST(Route, AnUnseenCategoryTakesTheHeavierSideWithAFlag) {
    for (const Side heavier : {Side::left, Side::right}) {
        model::Question question = one_of(0, {1}, {0, 1});
        question.heavier_side = question.missing_side = heavier;
        for (const double cell : {2.0, 63.0, 1000.0, k_unknown_category}) {
            EXPECT_EQ(side(question, {cell}), heavier) << cell;
            EXPECT_EQ(flags_of(question, {cell}), (PathFlags{.unseen_category = true})) << cell;
        }
    }
}

TEST(Route, AnUnseenCategoryIgnoresTheMissingSide) {
    model::Question question = one_of(0, {1}, {0, 1});
    question.missing_seen = true;
    question.missing_side = Side::right;
    question.heavier_side = Side::left;
    EXPECT_EQ(side(question, {7}), Side::left);
    EXPECT_EQ(side(question, {k_nan}), Side::right);
}

TEST(Route, NumbersOutsideTheTrainingRangeAreFlagged) {
    model::Question question = above(0, 2);
    question.training_low = 1;
    question.training_high = 3;
    for (const double inside : {1.0, 2.0, 3.0}) EXPECT_EQ(flags_of(question, {inside}), PathFlags{}) << inside;
    for (const double outside : {std::nextafter(1.0, 0.0), std::nextafter(3.0, 4.0), -k_inf})
        EXPECT_EQ(flags_of(question, {outside}), (PathFlags{.outside_range = true})) << outside;
    question.missing_seen = true;
    EXPECT_EQ(flags_of(question, {k_nan}), PathFlags{});
}

/// x0 > 0.5, else by x1 > 10 reversed, else by category x2 in {1} of {0, 1}, else to the right.
model::Question with_surrogates() {
    model::Question question = above(0, 0.5);
    question.missing_side = question.heavier_side = Side::right;
    model::Surrogate first;
    first.feature = FeatureId{1};
    first.threshold = 10;
    first.reversed = true;
    model::Surrogate second;
    second.feature = FeatureId{2};
    second.kind = model::QuestionKind::category;
    second.right_categories = bits({1});
    second.seen_categories = bits({0, 1});
    question.surrogates = {first, second};
    return question;
}

TEST(Route, SurrogatesAnswerInOrder) {
    const model::Question question = with_surrogates();
    EXPECT_EQ(side(question, {1, 11, 0}), Side::right) << "the main question comes first";
    EXPECT_EQ(side(question, {k_nan, 11, 1}), Side::left);
    EXPECT_EQ(side(question, {k_nan, 10, 0}), Side::right);
    EXPECT_EQ(side(question, {k_nan, k_nan, 0}), Side::left);
    EXPECT_EQ(side(question, {k_nan, k_nan, 1}), Side::right);
    EXPECT_EQ(flags_of(question, {k_nan, k_nan, 1}), PathFlags{});
}

TEST(Route, WithoutAnAnswerableSurrogateTheMissingSideDecides) {
    const model::Question question = with_surrogates();
    for (const double cell : {k_nan, k_unknown_category, 2.0}) {
        EXPECT_EQ(side(question, {k_nan, k_nan, cell}), Side::right) << cell;
        EXPECT_EQ(flags_of(question, {k_nan, k_nan, cell}), (PathFlags{.unseen_missing = true})) << cell;
    }
}

TEST(Route, AReversedCategorySurrogate) {
    model::Question question = with_surrogates();
    question.surrogates[1].reversed = true;
    EXPECT_EQ(side(question, {k_nan, k_nan, 0}), Side::right);
    EXPECT_EQ(side(question, {k_nan, k_nan, 1}), Side::left);
}

TEST(Route, LeafOfCollectsFlagsAlongThePath) {
    model::Question root = one_of(0, {1}, {0, 1});
    root.heavier_side = root.missing_side = Side::right;
    model::Question second = above(1, 0);
    second.training_low = -1;
    second.training_high = 1;
    const model::Tree tree{{inner(root, 1, 2, {0}), leaf({1}), inner(second, 3, 4, {0}), leaf({2}), leaf({3})}};
    PathFlags flags;
    EXPECT_EQ(leaf_of(tree, std::vector<double>{0, 5}, flags), NodeId{1});
    EXPECT_EQ(flags, PathFlags{}) << "a question off the path is not asked";
    EXPECT_EQ(leaf_of(tree, std::vector<double>{9, 5}, flags), NodeId{4});
    EXPECT_EQ(flags, (PathFlags{.unseen_category = true, .outside_range = true}));
}

}  // namespace
}  // namespace regrove::infer
