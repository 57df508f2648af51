// Both kinds of TreeSHAP equal the Shapley values of their games, computed from the definition over all sets of
// features.
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/algebra/pair_shap.hpp"
#include "regrove/algebra/path_shap.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/exact_sum.hpp"
#include "regrove/core/random.hpp"
#include "regrove/infer/route.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "support/score_ensemble.hpp"
#include "support/shapley.hpp"

namespace regrove::algebra {
namespace {

using Cells = std::vector<double>;

constexpr double k_near = 1e-13;

bool holds(std::uint32_t set, FeatureId feature) { return (set >> index(feature) & 1U) != 0; }

/// The plain recursion: questions about features outside of the set by the children's covers.
double walk(const model::Tree& tree, const std::vector<double>& cover, const Cells& cells, std::uint32_t set,
            const std::function<double(std::size_t)>& leaf, std::size_t node = 0) {
    const model::Node& at = tree.nodes[node];
    if (at.is_leaf()) return leaf(node);
    const auto go = [&](NodeId child) { return walk(tree, cover, cells, set, leaf, index(child)); };
    infer::PathFlags flags;
    if (holds(set, at.question.feature))
        return go(infer::answer(at.question, cells, flags) == model::Side::left ? at.left : at.right);
    const double left = cover[index(at.left)];
    const double both = left + cover[index(at.right)];
    const double chance = both > 0 ? left / both : 0.5;
    return chance * go(at.left) + (1 - chance) * go(at.right);
}

/// One score by the plain recursion.
double path_worth(const model::Ensemble& ensemble, const TreeCovers& covers, const Cells& cells, std::uint32_t set,
                  std::size_t score) {
    const AdditiveScores scores = additive_scores(ensemble);
    double sum = scores.initial[score];
    for (std::size_t t = 0; t < covers.size(); ++t) {
        const TreeScores& own = scores.trees[t];
        if (score < own.first || score >= own.first + own.length) continue;
        sum += walk(ensemble.trees[t], covers[t], cells, set,
                    [&](std::size_t node) { return own.values[node * own.length + score - own.first]; });
    }
    return sum / scores.divisor;
}

/// Children's covers at random, some of them zero, that do not even add up to their parent's.
TreeCovers random_covers(const model::Ensemble& ensemble, std::uint64_t seed) {
    const CounterRandom random(seed, 91);
    std::uint64_t next = 0;
    TreeCovers covers;
    for (const model::Tree& tree : ensemble.trees) {
        covers.emplace_back();
        for (std::size_t i = 0; i < tree.nodes.size(); ++i)
            covers.back().push_back(random.below(next++, 8) == 0 ? 0 : random.uniform(next++));
    }
    return covers;
}

/// Every n-th row of all cells.
std::vector<Cells> some_cells(std::size_t step) {
    const auto all = test::all_cells();
    std::vector<Cells> some;
    for (std::size_t i = step / 2; i < all.size(); i += step) some.push_back(all[i]);
    return some;
}

Cells joined(const std::vector<Cells>& rows) {
    Cells all;
    for (const Cells& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
}

/// phi of all rows, score by score, with zeros for features that are not asked for.
std::vector<std::vector<double>> explain_all(const ShapValues& attribution, const std::vector<Cells>& rows) {
    const std::size_t scores = attribution.scores().count();
    const auto& features = attribution.features();
    std::vector<double> phi(rows.size() * scores * features.size());
    attribution.explain(joined(rows), 0, phi);
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < rows.size() * scores; ++i) {
        all.emplace_back(rows.front().size(), 0.0);
        for (std::size_t p = 0; p < features.size(); ++p)
            all.back()[index(features[p])] = phi[i * features.size() + p];
    }
    return all;
}

/// The score by exact sums minus the base minus all phi.
double remainder_of(const ShapValues& attribution, double score, std::size_t k, const std::vector<double>& phi) {
    ExactSum sum;
    sum.add(score);
    sum.add(-attribution.base()[k]);
    for (const double share : phi) sum.add(-share);
    return std::abs(sum.value());
}

void expect_path_values(const model::Ensemble& ensemble, const TreeCovers& covers, const std::vector<Cells>& rows) {
    const PathShap shap(ensemble, covers);
    const auto players = static_cast<unsigned>(ensemble.features.size());
    const std::uint32_t everyone = (std::uint32_t{1} << players) - 1;
    const std::size_t scores = shap.scores().count();
    const auto phi = explain_all(shap, rows);
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t k = 0; k < scores; ++k) {
            const auto worth = [&](std::uint32_t set) { return path_worth(ensemble, covers, rows[row], set, k); };
            const auto expected = test::shapley_values(players, worth);
            const auto& own = phi[row * scores + k];
            EXPECT_NEAR(shap.base()[k], worth(0), k_near);
            for (unsigned f = 0; f < players; ++f)
                ASSERT_NEAR(own[f], expected[f], k_near) << "row " << row << ", score " << k << ", feature " << f;
            EXPECT_LE(remainder_of(shap, worth(everyone), k, own), shap.remainder_bound()[k]);
        }
}

test::ScoreEnsembleShape score_shape(std::uint64_t seed, bool surrogates) {
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.depth = 5;
    shape.classes = seed % 2 == 0 ? 2 : 3;
    shape.one_score_a_tree = seed % 4 == 1;
    shape.surrogates = surrogates;
    return shape;
}

test::RandomEnsembleShape mean_shape(std::uint64_t seed, bool surrogates) {
    test::RandomEnsembleShape shape;
    shape.seed = seed;
    shape.classes = 3;
    shape.depth = 5;
    shape.leaves = test::LeafStyle::tenths;
    shape.tree_weights = seed % 2 == 0;
    shape.surrogates = surrogates;
    return shape;
}

TEST(PathShap, EqualsTheDefinitionForSums) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const model::Ensemble ensemble = test::score_ensemble(score_shape(seed, false));
        expect_path_values(ensemble, random_covers(ensemble, seed), some_cells(101));
    }
}

TEST(PathShap, EqualsTheDefinitionForMeansOfProbabilities) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const model::Ensemble ensemble = test::random_ensemble(mean_shape(seed, false));
        expect_path_values(ensemble, random_covers(ensemble, seed), some_cells(101));
    }
}

/// A chain of questions, each about the next of `features` numeric features and at last about the first ones again.
model::Ensemble chain(unsigned features, unsigned questions, std::uint64_t seed) {
    const CounterRandom random(seed, 5);
    model::Tree tree;
    for (unsigned q = 0; q < questions; ++q) {
        model::Node node;
        node.question.kind = model::QuestionKind::threshold;
        node.question.feature = FeatureId{q % features};
        node.question.threshold = q < features ? 0.5 : 0.25;
        node.left = NodeId{2 * q + 1};
        node.right = NodeId{2 * q + 2};
        node.value = {0};
        tree.nodes.push_back(node);
        node = {};
        node.value = {random.normal(q)};
        tree.nodes.push_back(node);
    }
    tree.nodes.emplace_back();
    tree.nodes.back().value = {3.5};
    model::EnsembleBuilder builder;
    builder.task(model::Task::regression, "y", {}).features(model::numbered_features(features));
    builder.add_tree(std::move(tree)).sum(model::Link::identity, {0.5});
    return std::move(builder).build();
}

TEST(PathShap, EqualsTheDefinitionOnPathsOfMoreFeaturesThanOneSetOfPointsTakes) {
    for (const unsigned features : {7U, 8U, 9U, 13U}) {
        const model::Ensemble ensemble = chain(features, features + 3, features);
        const CounterRandom random(features, 6);
        std::vector<Cells> rows(3, Cells(features));
        for (std::size_t i = 0; i < rows.size() * features; ++i)
            rows[i / features][i % features] = 0.4 + 0.6 * random.uniform(i);
        rows[0].assign(features, 1);
        expect_path_values(ensemble, random_covers(ensemble, features), rows);
    }
}

TEST(PathShap, StaysWithinItsBoundOnALongPath) {
    const unsigned features = 150;
    const model::Ensemble ensemble = chain(features, 2 * features, 3);
    TreeCovers covers = random_covers(ensemble, 3);
    const PathShap shap(ensemble, covers);
    for (const double cell : {0.0, 0.3, 0.6}) {
        const std::vector<Cells> row{Cells(features, cell)};
        const auto phi = explain_all(shap, row);
        for (const double share : phi[0]) EXPECT_TRUE(std::isfinite(share));
        EXPECT_LE(remainder_of(shap, test::plain_scores(ensemble, row[0])[0], 0, phi[0]), shap.remainder_bound()[0]);
    }
    EXPECT_LT(shap.remainder_bound()[0], 1e-7);
}

TEST(PathShap, OfOneQuestionIsItsLeafAgainstTheMean) {
    model::Ensemble ensemble = chain(1, 1, 0);
    ensemble.trees[0].nodes[1].value = {-1};
    const PathShap shap(ensemble, {{4, 3, 1}});
    EXPECT_EQ(shap.base()[0], 0.5 - 0.75 + 3.5 / 4);
    const auto phi = explain_all(shap, {{0.0}, {1.0}});
    EXPECT_DOUBLE_EQ(phi[0][0], -1.125);
    EXPECT_DOUBLE_EQ(phi[1][0], 3.375);
}

TEST(PathShap, RefusesVotesAndRowsThatSurrogatesDecide) {
    test::RandomEnsembleShape shape;
    shape.combination = model::Combination::majority;
    EXPECT_THROW(additive_scores(test::random_ensemble(shape)), ConfigError);

    const model::Ensemble ensemble = test::score_ensemble(score_shape(4, true));
    ASSERT_FALSE(ensemble.trees[0].nodes[0].question.surrogates.empty());
    const PathShap shap(ensemble, random_covers(ensemble, 1));
    Cells lacking(4, 1);
    lacking[index(ensemble.trees[0].nodes[0].question.feature)] = std::nan("");
    std::vector<double> phi(shap.features().size() * shap.scores().count());
    try {
        shap.explain(lacking, 41, phi);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("row 41 "), std::string::npos) << error.what();
    }
}

double mixed_score(const AdditiveScores& scores, const model::Ensemble& ensemble, const Cells& cells,
                   std::size_t score) {
    double sum = scores.initial[score];
    infer::PathFlags flags;
    for (std::size_t t = 0; t < ensemble.trees.size(); ++t) {
        const TreeScores& own = scores.trees[t];
        if (score < own.first || score >= own.first + own.length) continue;
        const std::size_t leaf = index(infer::leaf_of(ensemble.trees[t], cells, flags));
        sum += own.values[leaf * own.length + score - own.first];
    }
    return sum / scores.divisor;
}

/// The mean score of rows that mix `own` with each background row.
double pair_worth(const AdditiveScores& scores, const model::Ensemble& ensemble, const Cells& own,
                  const std::vector<Cells>& background, std::uint32_t set, std::size_t score) {
    double sum = 0;
    for (Cells mixed : background) {
        for (std::uint32_t f = 0; f < mixed.size(); ++f)
            if (holds(set, FeatureId{f})) mixed[f] = own[f];
        sum += mixed_score(scores, ensemble, mixed, score);
    }
    return sum / static_cast<double>(background.size());
}

void expect_pair_values(const model::Ensemble& ensemble, const std::vector<Cells>& background,
                        const std::vector<Cells>& rows) {
    const PairShap shap(ensemble, joined(background));
    const auto players = static_cast<unsigned>(ensemble.features.size());
    const std::size_t scores = shap.scores().count();
    const auto phi = explain_all(shap, rows);
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t k = 0; k < scores; ++k) {
            const auto worth = [&](std::uint32_t set) {
                return pair_worth(shap.scores(), ensemble, rows[row], background, set, k);
            };
            const auto expected = test::shapley_values(players, worth);
            const auto& own = phi[row * scores + k];
            EXPECT_NEAR(shap.base()[k], worth(0), k_near);
            for (unsigned f = 0; f < players; ++f)
                ASSERT_NEAR(own[f], expected[f], k_near) << "row " << row << ", score " << k << ", feature " << f;
            EXPECT_LE(remainder_of(shap, worth((1U << players) - 1), k, own), shap.remainder_bound()[k]);
        }
}

TEST(PairShap, EqualsTheDefinitionWithSurrogatesAndMissingValues) {
    auto background = some_cells(307);
    background.push_back(background[1]);  // rows that are alike count each
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        expect_pair_values(test::score_ensemble(score_shape(seed, true)), background, some_cells(101));
        expect_pair_values(test::random_ensemble(mean_shape(seed, true)), background, some_cells(401));
    }
}

TEST(PairShap, EqualsTheDefinitionOnALongPath) {
    const model::Ensemble ensemble = chain(9, 12, 8);
    expect_pair_values(ensemble, {Cells(9, 0.3), Cells(9, 0.7), {0.3, 1, 1, 0.1, 1, 1, 1, 0.4, 1}},
                       {Cells(9, 0.6), Cells(9, 0.2), {1, 0.3, 1, 1, 1, 1, 1, 1, 0.2}});
}

TEST(PairShap, OfARowAgainstItselfIsZero) {
    const model::Ensemble ensemble = test::score_ensemble(score_shape(6, true));
    for (const Cells& row : some_cells(503)) {
        const PairShap shap(ensemble, row);
        const auto phi = explain_all(shap, {row});
        for (const double share : phi[0]) EXPECT_EQ(share, 0);
    }
}

}  // namespace
}  // namespace regrove::algebra
