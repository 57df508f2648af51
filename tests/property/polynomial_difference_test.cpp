// Equality of scores decided by polynomials, against all cells of random pairs of ensembles.
#include <algorithm>

#include <gtest/gtest.h>

#include "regrove/algebra/score_difference.hpp"

#include "support/score_ensemble.hpp"

namespace regrove::algebra {
namespace {

/// Whether exact scores agree at every cell, among those that training could have seen unless `with_unseen`.
bool equal_by_force(const model::Ensemble& first, const model::Ensemble& second, bool with_unseen) {
    std::vector<bool> missing(4, with_unseen);
    for (const model::Ensemble* model : {&first, &second})
        for (const model::Tree& tree : model->trees)
            for (const model::Node& node : tree.nodes)
                if (!node.is_leaf() && node.question.missing_seen) missing[index(node.question.feature)] = true;
    const auto inside = [&](const std::vector<double>& cells) {
        for (std::size_t f = 0; f < 4; ++f) {
            if (std::isnan(cells[f]) && !missing[f]) return false;
            if (f >= 2 && cells[f] == -1 && !with_unseen) return false;
        }
        return true;
    };
    for (const auto& cells : test::all_cells())
        if (inside(cells) && test::exact_scores(first, cells) != test::exact_scores(second, cells)) return false;
    return true;
}

void expect_decided(const model::Ensemble& first, const model::Ensemble& second, bool with_unseen) {
    const ScoreDifference found = score_difference({first, second, {}, with_unseen}, {});
    EXPECT_EQ(found.equal(), equal_by_force(first, second, with_unseen));
    ASSERT_EQ(found.equal(), !found.point.has_value());
    if (found.equal()) return;
    const auto first_scores = test::plain_scores(first, found.point->cells);
    const auto second_scores = test::plain_scores(second, found.point->cells);
    EXPECT_EQ(found.point->first_scores, first_scores);
    EXPECT_EQ(found.point->second_scores, second_scores);
}

test::ScoreEnsembleShape shape_of(std::uint64_t seed) {
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 1 + seed % 3;
    shape.depth = 1 + static_cast<unsigned>(seed % 3);
    shape.surrogates = seed % 2 == 0;
    shape.leaves = test::LeafNumbers::quarters;
    return shape;
}

TEST(PolynomialDifference, RandomPairsAreDecidedAsByForce) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        expect_decided(test::score_ensemble(shape_of(seed)), test::score_ensemble(shape_of(seed + 1000)),
                       seed % 2 == 0);
    }
}

/// Every leaf split by a question whose sides agree, and the trees turned round.
model::Ensemble rewritten(model::Ensemble ensemble) {
    std::ranges::reverse(ensemble.trees);
    for (model::Tree& tree : ensemble.trees) {
        model::Tree grown;
        std::vector<std::uint32_t> place;
        for (const model::Node& node : tree.nodes) {
            place.push_back(static_cast<std::uint32_t>(grown.nodes.size()));
            grown.nodes.push_back(node);
            if (!node.is_leaf()) continue;
            const std::uint32_t at = place.back();
            model::Question& question = grown.nodes[at].question;
            question.kind = model::QuestionKind::threshold;
            question.feature = FeatureId{0};
            question.threshold = 0.5;
            grown.nodes[at].left = NodeId{at + 1};
            grown.nodes[at].right = NodeId{at + 2};
            for (int side = 0; side < 2; ++side) grown.nodes.emplace_back().value = node.value;
        }
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            if (tree.nodes[i].is_leaf()) continue;
            grown.nodes[place[i]].left = NodeId{place[index(tree.nodes[i].left)]};
            grown.nodes[place[i]].right = NodeId{place[index(tree.nodes[i].right)]};
        }
        tree = std::move(grown);
    }
    model::validate(ensemble);
    return ensemble;
}

TEST(PolynomialDifference, AnotherFormOfAModelIsEqualUntilOneLeafMovesByOneUlp) {
    int moved = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        test::ScoreEnsembleShape shape = shape_of(seed);
        shape.leaves = test::LeafNumbers::doubles;
        shape.classes = seed % 2 == 0 ? 2 : 3;
        const model::Ensemble ensemble = test::score_ensemble(shape);
        model::Ensemble other = rewritten(ensemble);
        EXPECT_TRUE(score_difference({ensemble, other, {}, true}, {}).equal());
        double& leaf = other.trees.back().nodes.back().value[0];
        leaf = std::nextafter(leaf, 9.0);
        expect_decided(ensemble, other, true);
        moved += score_difference({ensemble, other, {}, true}, {}).equal() ? 0 : 1;
    }
    EXPECT_GT(moved, 10) << "most last leaves can be reached";
}

/// The same model with its categories in another order, one feature elsewhere, and one known as float64 instead.
TEST(PolynomialDifference, FeaturesAndCategoriesAreMatchedByName) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const model::Ensemble ensemble = test::score_ensemble(shape_of(seed));
        model::Ensemble other = ensemble;
        std::swap(other.features[0], other.features[3]);
        std::ranges::reverse(other.features[2].categories);
        const auto moved = [](FeatureId f) { return index(f) % 3 == 0 ? FeatureId{3 - index(f)} : f; };
        const auto turned = [](const std::vector<std::uint64_t>& set) {
            std::uint64_t bits = 0;
            for (std::uint32_t c = 0; c < 4; ++c)
                if (model::contains(set, c)) bits |= std::uint64_t{1} << (3 - c);
            return bits == 0 ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{bits};
        };
        const auto change = [&](auto& asked) {
            asked.feature = moved(asked.feature);
            if (index(asked.feature) != 2) return;
            asked.right_categories = turned(asked.right_categories);
            asked.seen_categories = turned(asked.seen_categories);
        };
        for (model::Tree& tree : other.trees)
            for (model::Node& node : tree.nodes) {
                if (node.is_leaf()) continue;
                change(node.question);
                for (model::Surrogate& surrogate : node.question.surrogates) change(surrogate);
            }
        model::validate(other);
        EXPECT_TRUE(score_difference({ensemble, other, {}, true}, {}).equal());
        EXPECT_TRUE(score_difference({other, ensemble, {}, false}, {}).equal());
    }
}

/// x > 0.1 as a float32 feature and as a float64 feature whose border is where rounding to float changes.
TEST(PolynomialDifference, RoundedFeaturesMeetWideOnes) {
    const auto stump = [](double threshold, model::NumericPrecision precision) {
        model::EnsembleBuilder builder;
        builder.task(model::Task::regression, "y", {}).features({{"x", model::FeatureKind::numeric, precision, {}}});
        model::Tree tree;
        tree.nodes.resize(3);
        tree.nodes[0].question.kind = model::QuestionKind::threshold;
        tree.nodes[0].question.feature = FeatureId{0};
        tree.nodes[0].question.threshold = threshold;
        tree.nodes[0].left = NodeId{1};
        tree.nodes[0].right = NodeId{2};
        tree.nodes[0].value = tree.nodes[1].value = {0};
        tree.nodes[2].value = {1};
        builder.add_tree(std::move(tree)).sum(model::Link::identity, {0});
        return std::move(builder).build();
    };
    using model::NumericPrecision;
    for (const float border : {0.1F, -0.1F, 3.0F, std::numeric_limits<float>::denorm_min(), 0.0F,
                               std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()}) {
        const model::Ensemble narrow = stump(border, NumericPrecision::float32);
        double low = border;  // rounds to at most `border`
        double high = std::min(border + std::abs(border * 1e-6) + 1e-44, 1e39);
        for (int i = 0; i < 2200; ++i) {
            const double middle = low + (high - low) / 2;
            (static_cast<float>(middle) > border ? high : low) = middle;
        }
        EXPECT_TRUE(score_difference({narrow, stump(low, NumericPrecision::float64), {}, true}, {}).equal())
            << border;
        const ScoreDifference other =
            score_difference({narrow, stump(std::nextafter(low, -1e300), NumericPrecision::float64), {}, true}, {});
        ASSERT_FALSE(other.equal()) << border;
        EXPECT_EQ(other.point->cells[0], low);
    }
}

}  // namespace
}  // namespace regrove::algebra
