// LambdaMART against a plain loop over all pairs, and the pair loss with weights held still by finite differences.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/objective/objective.hpp"

#include "unit/objective/labelled_case.hpp"

namespace regrove::objective {
namespace {

/// A pair and what swapping its two rows would change of the group's NDCG.
struct Pair {
    std::size_t better;
    std::size_t worse;
    double weight;
};

/// Places counted for each row by itself, so nothing is sorted.
std::size_t place(const LabelledCase& given, std::size_t row, std::size_t begin, std::size_t end) {
    std::size_t before = 0;
    for (std::size_t other = begin; other < end; ++other)
        before +=
            given.scores[other] > given.scores[row] || (given.scores[other] == given.scores[row] && other < row);
    return before;
}

double discount(std::size_t place, std::size_t truncation) {
    return place < truncation ? 1 / std::log2(static_cast<double>(place) + 2) : 0;
}

double ideal(const LabelledCase& given, std::size_t begin, std::size_t end, std::size_t truncation) {
    double total = 0;
    for (std::size_t row = begin; row < end; ++row) {
        std::size_t before = 0;
        for (std::size_t other = begin; other < end; ++other)
            before +=
                given.labels[other] > given.labels[row] || (given.labels[other] == given.labels[row] && other < row);
        total += (std::exp2(given.labels[row]) - 1) * discount(before, truncation);
    }
    return total;
}

std::vector<Pair> all_pairs(const LabelledCase& given, std::size_t truncation) {
    std::vector<Pair> pairs;
    for (std::size_t g = 0; g + 1 < given.group_begins.size(); ++g) {
        const std::size_t begin = given.group_begins[g];
        const std::size_t end = given.group_begins[g + 1];
        const double best = ideal(given, begin, end, truncation);
        for (std::size_t a = begin; a < end; ++a) {
            for (std::size_t b = begin; b < end; ++b) {
                if (!(given.labels[a] > given.labels[b])) continue;
                const double change = (std::exp2(given.labels[a]) - std::exp2(given.labels[b])) *
                                      std::abs(discount(place(given, a, begin, end), truncation) -
                                               discount(place(given, b, begin, end), truncation));
                pairs.push_back({a, b, given.weights[begin] * change / best});
            }
        }
    }
    return pairs;
}

double pair_loss(const std::vector<Pair>& pairs, const std::vector<double>& scores) {
    double total = 0;
    for (const Pair& pair : pairs)
        total += pair.weight * std::log1p(std::exp(scores[pair.worse] - scores[pair.better]));
    return total;
}

TEST(Lambdamart, DerivativesOfThePairLossWithWeightsHeldStill) {
    for (const std::uint32_t truncation : {1U, 3U, 100U}) {
        const ObjectiveRow& row = find_objective("lambdamart");
        ObjectiveOptions options;
        options.truncation = truncation;
        const auto objective = make(row, options);
        LabelledCase given = random_case(row, 80, 3);
        given.scores[1] = given.scores[0];  // a tie
        std::vector<double> gradient(80, 7);
        std::vector<double> hessian(80, 7);
        all_derivatives(*objective, given.rows(), given.scores, {gradient, hessian});
        const std::vector<Pair> pairs = all_pairs(given, truncation);
        double sum = 0;
        for (std::size_t i = 0; i < 80; ++i) {
            const auto shifted = [&](double shift) {
                std::vector<double> scores = given.scores;
                scores[i] += shift;
                return pair_loss(pairs, scores);
            };
            EXPECT_NEAR(gradient[i], (shifted(1e-5) - shifted(-1e-5)) / 2e-5, 1e-7) << i;
            EXPECT_NEAR(hessian[i], (shifted(1e-3) - 2 * shifted(0) + shifted(-1e-3)) / 1e-6, 1e-5) << i;
            sum += gradient[i];
        }
        EXPECT_NEAR(sum, 0, 1e-12) << "what one row of a pair gains the other loses";
    }
}

TEST(Lambdamart, ByHand) {
    // Relevance 1 above 0, in the wrong order: places 0 and 1, discounts 1 and 1 / log2(3), the best DCG is 1.
    const std::vector<double> labels{0, 1};
    const std::vector<std::uint64_t> groups{0, 2};
    std::vector<double> gradient(2);
    std::vector<double> hessian(2);
    const auto objective = make(find_objective("lambdamart"));
    objective->derivatives({labels, {}, groups}, std::vector<double>{2, 2}, {gradient, hessian}, 0, 1);
    const double change = 1 - 1 / std::log2(3);
    EXPECT_NEAR(gradient[0], 0.5 * change, 1e-15);
    EXPECT_NEAR(gradient[1], -0.5 * change, 1e-15);
    EXPECT_NEAR(hessian[0], 0.25 * change, 1e-15);
    EXPECT_EQ(hessian[1], hessian[0]);
}

TEST(Lambdamart, NothingToLearnFromGroupsOfOneRelevance) {
    const std::vector<double> labels{2, 2, 0, 0, 1};
    const std::vector<std::uint64_t> groups{0, 2, 4, 4, 5};
    std::vector<double> gradient(5, 9);
    std::vector<double> hessian(5, 9);
    const auto objective = make(find_objective("lambdamart"));
    all_derivatives(*objective, {labels, {}, groups}, std::vector<double>{1, 2, 3, 4, 5}, {gradient, hessian});
    EXPECT_EQ(gradient, std::vector<double>(5, 0.0));
    EXPECT_EQ(hessian, std::vector<double>(5, 0.0));
}

}  // namespace
}  // namespace regrove::objective
