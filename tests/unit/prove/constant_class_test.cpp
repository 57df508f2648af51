// Constant or not on a box: rounding of sums, ties, stops and budgets on forests made by hand.
#include "regrove/prove/constant_class.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/model/ensemble_builder.hpp"
#include "regrove/prove/equality.hpp"

namespace regrove::prove {
namespace {

using cellspace::CompiledEnsemble;
using cellspace::Space;

model::Node leaf(std::vector<double> value) {
    model::Node node;
    node.value = std::move(value);
    return node;
}

/// x_feature > threshold ? right : left
model::Tree stump(std::uint32_t feature, double threshold, std::vector<double> left, std::vector<double> right) {
    model::Node root = leaf(left);
    root.question.kind = model::QuestionKind::threshold;
    root.question.feature = FeatureId{feature};
    root.question.threshold = threshold;
    root.left = NodeId{1};
    root.right = NodeId{2};
    return {{root, leaf(std::move(left)), leaf(std::move(right))}};
}

model::Ensemble forest(std::vector<model::Tree> trees, model::Combination combination = model::Combination::mean) {
    model::EnsembleBuilder builder;
    std::vector<std::string> classes;
    for (std::size_t k = 0; k < trees[0].nodes[0].value.size(); ++k) classes.push_back(std::to_string(k));
    builder.task(model::Task::classification, "y", classes).features(model::numbered_features(3));
    builder.combination(combination);
    for (model::Tree& tree : trees) builder.add_tree(std::move(tree));
    return std::move(builder).build();
}

struct Compiled {
    explicit Compiled(model::Ensemble made)
        : ensemble(std::move(made)),
          space(cellspace::make_space(std::vector<const model::Ensemble*>{&ensemble},
                                      cellspace::UnseenValues::outside)),
          compiled(ensemble, space) {}
    model::Ensemble ensemble;
    Space space;
    CompiledEnsemble compiled;

    ConstantClass everywhere(const ProofLimits& limits = {}) const {
        return constant_class(compiled, cellspace::whole(space), limits);
    }
};

TEST(ConstantClass, OneBoxIsEnoughWhereNoVoteCanTurnTheOthers) {
    const Compiled three(
        forest({stump(0, 1, {1, 0}, {1, 0}), stump(1, 1, {1, 0}, {1, 0}), stump(2, 1, {1, 0}, {0, 1})},
               model::Combination::majority));
    const ConstantClass answer = three.everywhere();
    EXPECT_EQ(answer.verdict, Verdict::yes);
    EXPECT_EQ(answer.class_index, 0U);
    EXPECT_EQ(answer.boxes, 1U);
}

TEST(ConstantClass, FindsTheOnlyCellOfAnotherClass) {
    const Compiled three(
        forest({stump(0, 1, {1, 0}, {0, 1}), stump(1, 1, {1, 0}, {0, 1}), stump(2, 1, {1, 0}, {0, 1})},
               model::Combination::majority));
    cellspace::Box box = cellspace::whole(three.space);
    EXPECT_EQ(three.everywhere().verdict, Verdict::no);
    box.high[0] = 0;
    box.low[1] = 1;
    const ConstantClass answer = constant_class(three.compiled, box);
    EXPECT_EQ(answer.verdict, Verdict::no);
    EXPECT_EQ(answer.class_index, 0U);
    EXPECT_THAT(answer.other, testing::ElementsAre(0, 1, 1));
}

/// Of two votes each, the smaller class wins; the larger one needs three.
TEST(ConstantClass, TiedVotesGoToTheSmallerClass) {
    const model::Tree zero = stump(0, 1, {1, 0}, {1, 0});
    const model::Tree one = stump(0, 1, {0, 1}, {0, 1});
    const model::Tree open = stump(1, 1, {1, 0}, {0, 1});
    const Compiled to_zero(forest({zero, zero, one, open}, model::Combination::majority));
    EXPECT_EQ(to_zero.everywhere().verdict, Verdict::yes);
    EXPECT_EQ(to_zero.everywhere().class_index, 0U);
    const Compiled to_both(forest({zero, one, one, open}, model::Combination::majority));
    EXPECT_EQ(to_both.everywhere().verdict, Verdict::no);
}

/// Shares of 0.1 + 0.2 against 0.3: equal in real numbers, apart in double, and in another order equal again. Bounds
/// within the rounding must leave it to the rule of prediction.
TEST(ConstantClass, SumsThatRoundApart) {
    const model::Tree tenth = stump(0, 1, {1, 0, 9}, {1, 0, 9});
    const model::Tree fifth = stump(0, 1, {2, 0, 8}, {2, 0, 8});
    const model::Tree three = stump(1, 1, {0, 3, 7}, {0, 3, 7});
    // Classes 0 and 1 are apart by rounding only; a fourth tree takes class 2 out of the race on one side.
    const model::Tree rest = stump(2, 1, {5, 5, 0}, {5, 5, 0});
    for (const auto& trees : {std::vector{tenth, fifth, three, rest}, std::vector{three, fifth, tenth, rest},
                              std::vector{rest, tenth, fifth, three}}) {
        const Compiled four(forest(trees));
        std::vector<double> sums(3, 0.0);
        for (std::size_t t = 0; t < 4; ++t)
            for (std::size_t k = 0; k < 3; ++k) sums[k] += four.compiled.rule().scores(t, NodeId{0})[k];
        const ConstantClass answer = constant_class(four.compiled, cellspace::whole(four.space));
        EXPECT_EQ(answer.verdict, Verdict::yes);
        EXPECT_EQ(answer.class_index, four.compiled.rule().class_of_sums(sums));
    }
}

/// 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1 in double: below the threshold class 0 has the first sum and class 1
/// the second, above it is the other way round, so that rounding alone makes two classes.
TEST(ConstantClass, RoundingAloneMakesTwoClasses) {
    const auto shares = [](double zero, double one) {
        std::vector<double> value(10, 0.75);  // of 10 in all
        value[0] = zero;
        value[1] = one;
        return value;
    };
    const Compiled three(forest({stump(0, 1, shares(1, 3), shares(3, 1)), stump(1, 1, shares(2, 2), shares(2, 2)),
                                 stump(0, 1, shares(3, 1), shares(1, 3))}));
    const ConstantClass answer = three.everywhere();
    EXPECT_EQ(answer.verdict, Verdict::no);
    EXPECT_EQ(answer.class_index, 0U);
    EXPECT_EQ(three.compiled.class_at(answer.other), 1U);
}

/// Many trees of thirds whose difference is far above rounding are settled by bounds, in one box.
TEST(ConstantClass, RoundingMarginsAreSmall) {
    std::vector<model::Tree> trees;
    for (int t = 0; t < 30; ++t) trees.push_back(stump(static_cast<std::uint32_t>(t % 3), t, {2, 1}, {1.5001, 1.5}));
    const Compiled many(forest(trees));
    EXPECT_EQ(many.everywhere().verdict, Verdict::yes);
    EXPECT_EQ(many.everywhere().boxes, 1U);
}

TEST(ConstantClass, OneTreeIsDecidedByItsWeights) {
    const double less = 1.9;
    const double more = std::nextafter(less, 2.0);
    const Compiled one(forest({stump(0, 1, {less, more, 1.5, 1.5}, {0, 3, 1, 2})}));
    EXPECT_EQ(one.everywhere().verdict, Verdict::yes);
    EXPECT_EQ(one.everywhere().class_index, 1U);
    const Compiled two(forest({stump(0, 1, {more, less, 1.5, 1.5}, {0, 3, 1, 2})}));
    EXPECT_EQ(two.everywhere().verdict, Verdict::no);
}

TEST(ConstantClass, StopsAndBudgetsLeaveItUndecided) {
    const Compiled two(forest({stump(0, 1, {1, 0}, {0, 1}), stump(0, 2, {1, 0}, {0, 1}), stump(1, 3, {0, 1}, {1, 0})},
                              model::Combination::majority));
    ProofLimits stopped;
    stopped.stop = [] { return true; };
    EXPECT_EQ(two.everywhere(stopped).verdict, Verdict::undecided);
    ProofLimits one_box;
    one_box.max_boxes = 1;
    EXPECT_EQ(two.everywhere(one_box).verdict, Verdict::undecided);
    EXPECT_EQ(two.everywhere(one_box).boxes, 1U);
    EXPECT_EQ(two.everywhere().verdict, Verdict::no);
}

TEST(ConstantClass, OneProverForManyBoxes) {
    const Compiled three(
        forest({stump(0, 1, {1, 0}, {0, 1}), stump(1, 1, {1, 0}, {0, 1}), stump(2, 1, {1, 0}, {0, 1})},
               model::Combination::majority));
    ConstantClassProver prover(three.compiled);
    const cellspace::Box all = cellspace::whole(three.space);
    for (const std::uint32_t side : {0U, 1U, 0U}) {
        cellspace::Box box = all;
        box.low[0] = box.high[0] = box.low[2] = box.high[2] = side;
        const ConstantClass answer = prover.prove(box);
        EXPECT_EQ(answer.verdict, Verdict::yes);
        EXPECT_EQ(answer.class_index, side);
        EXPECT_EQ(prover.prove(all).verdict, Verdict::no);
    }
}

TEST(ProveEqual, ClassesInAnotherOrder) {
    const Compiled plain(forest({stump(0, 1, {1, 0, 0}, {0, 0, 1})}));
    model::Ensemble turned = forest({stump(0, 1, {0, 1, 0}, {1, 0, 0})});
    const CompiledEnsemble other(turned, plain.space);
    EqualityQuestion question{&plain.compiled, &other, {cellspace::whole(plain.space)}, {2, 0, 1}};
    EXPECT_EQ(prove_equal(question, {}).verdict, Verdict::yes);
    question.first_class_of_second = {0, 2, 1};
    const Equality answer = prove_equal(question, {});
    EXPECT_EQ(answer.verdict, Verdict::no);
    EXPECT_EQ(answer.first_class, 0U);
    EXPECT_EQ(answer.second_class, 1U);
}

/// The same trees need no box, whatever they are.
TEST(ProveEqual, TheSameTreesAreEqualAtOnce) {
    std::vector<model::Tree> trees;
    for (int t = 0; t < 60; ++t) trees.push_back(stump(static_cast<std::uint32_t>(t % 3), t, {2, 1}, {1, 3}));
    const Compiled one(forest(trees));
    const CompiledEnsemble again(one.ensemble, one.space);
    const Equality answer = prove_equal({&one.compiled, &again, {cellspace::whole(one.space)}}, {});
    EXPECT_EQ(answer.verdict, Verdict::yes);
    EXPECT_EQ(answer.boxes, 0U);
}

/// So do the same votes in another order; but not sums that round.
TEST(ProveEqual, ExactSumsDoNotDependOnTheOrder) {
    for (const bool votes : {true, false}) {
        std::vector<model::Tree> trees;
        for (int t = 0; t < 6; ++t) trees.push_back(stump(static_cast<std::uint32_t>(t % 3), t, {1, 9}, {7, 3}));
        const auto combination = votes ? model::Combination::majority : model::Combination::mean;
        const Compiled one(forest(trees, combination));
        std::ranges::reverse(trees);
        const model::Ensemble turned = forest(trees, combination);
        const CompiledEnsemble other(turned, one.space);
        const Equality answer = prove_equal({&one.compiled, &other, {cellspace::whole(one.space)}}, {});
        EXPECT_NE(answer.verdict, Verdict::undecided);
        if (votes) {
            EXPECT_EQ(answer.verdict, Verdict::yes);
        }
        EXPECT_EQ(answer.boxes == 0, votes);
    }
}

TEST(ProveEqual, ASpaceOfOneCell) {
    const Compiled one(forest({{{leaf({1, 0})}}}));
    const model::Ensemble other = forest({{{leaf({0, 1})}}});
    const CompiledEnsemble second(other, one.space);
    ASSERT_TRUE(one.space.axes.empty());
    for (const bool only_cells : {false, true}) {
        Domain domain{cellspace::whole(one.space), only_cells, {}};
        EXPECT_EQ(prove_equal({&one.compiled, &second, domain}, {}).verdict, Verdict::no);
        EXPECT_EQ(prove_equal({&one.compiled, &one.compiled, domain}, {}).verdict, Verdict::yes);
    }
}

}  // namespace
}  // namespace regrove::prove
