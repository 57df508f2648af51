// Each rule of the model: what is accepted, and the message for what is not.
#include "regrove/model/ensemble_builder.hpp"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/model/hand_made.hpp"

namespace regrove::model {
namespace {

using testing::HasSubstr;

using Change = std::function<void(Ensemble&)>;

void expect_refused(const Change& change, const std::string& words) {
    Ensemble ensemble = patients();
    change(ensemble);
    try {
        validate(ensemble);
        ADD_FAILURE() << "accepted, expected: " << words;
    } catch (const FormatError& error) {
        EXPECT_THAT(error.what(), HasSubstr(words));
    }
}

void expect_accepted(const Change& change) {
    Ensemble ensemble = patients();
    change(ensemble);
    EXPECT_NO_THROW(validate(ensemble));
}

Node& node(Ensemble& e, std::size_t i) { return e.trees[0].nodes[i]; }

EnsembleBuilder patients_builder() {
    EnsembleBuilder builder;
    builder.task(Task::classification, "disease", {"No", "Yes"}).features(patients().features);
    return builder;
}

TEST(EnsembleBuilder, BuildsWhatWasPushed) {
    EnsembleBuilder builder = patients_builder();
    builder.provenance("method", "first").provenance("method", "cart").add_tree(two_questions());
    Ensemble built = std::move(builder).build();
    EXPECT_EQ(built.provenance.at("method"), "cart");
    built.provenance.clear();
    EXPECT_EQ(built, patients());
    EXPECT_EQ(built.total_tree_weight(), 1);
}

TEST(EnsembleBuilder, KeepsTheWeightsOfTheTrees) {
    EnsembleBuilder builder = patients_builder();
    builder.add_tree(two_questions()).add_tree(two_questions()).tree_weights({0.5, 2});
    const Ensemble built = std::move(builder).build();
    EXPECT_EQ(built.tree_weights, (std::vector<double>{0.5, 2}));
    EXPECT_EQ(built.total_tree_weight(), 2.5);
}

TEST(EnsembleBuilder, DropsEmptyWordsOfSets) {
    Tree tree = two_questions();
    tree.nodes[0].question.right_categories.resize(3, 0);
    tree.nodes[0].question.seen_categories.resize(2, 0);
    EnsembleBuilder builder = patients_builder();
    builder.add_tree(tree);
    EXPECT_EQ(std::move(builder).build().trees[0], two_questions());
}

TEST(EnsembleBuilder, ChecksOnBuild) { EXPECT_THROW(static_cast<void>(patients_builder().build()), FormatError); }

TEST(Validate, LabelsAndFeatures) {
    expect_accepted([](Ensemble&) {});
    expect_refused([](Ensemble& e) { e.classes.clear(); }, "needs the names of its classes");
    expect_refused([](Ensemble& e) { e.classes[1] = "No"; }, "class 'No' appears twice");
    expect_refused([](Ensemble& e) { e.task = Task::regression; }, "regression model has no classes");
    expect_refused([](Ensemble& e) { e.features[1].name.clear(); }, "feature 1 has no name");
    expect_refused([](Ensemble& e) { e.features[1].name = "vessels"; }, "feature 'vessels' appears twice");
    expect_refused([](Ensemble& e) { e.features[0].categories = {"x"}; }, "numeric feature 'vessels'");
    expect_refused([](Ensemble& e) { e.features[1].categories[2] = "fixed"; }, "category 'fixed' appears twice");
    expect_refused([](Ensemble& e) { e.trees.clear(); }, "no trees");
    expect_refused([](Ensemble& e) { e.trees.emplace_back(); }, "tree 1: has no nodes");
}

TEST(Validate, TreeWeights) {
    expect_accepted([](Ensemble& e) { e.tree_weights = {0.25}; });
    expect_refused([](Ensemble& e) { e.tree_weights = {1, 1}; }, "there are 2 tree weights for 1 trees");
    for (const double bad : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
        expect_refused([&](Ensemble& e) { e.tree_weights = {bad}; },
                       "tree 0: its weight must be finite and above zero");
    expect_refused(
        [](Ensemble& e) {
            e.trees.push_back(e.trees[0]);
            e.tree_weights = {1.7e308, 1.7e308};
        },
        "the sum of the tree weights");
}

TEST(Validate, PreOrder) {
    expect_refused([](Ensemble& e) { node(e, 0).left = NodeId{2}; }, "tree 0, node 0: the left child");
    expect_refused([](Ensemble& e) { std::swap(node(e, 0).right, node(e, 1).right); }, "node 2: the nodes are not");
    expect_refused([](Ensemble& e) { node(e, 1).right = NodeId{77}; }, "not in pre-order");
    expect_refused([](Ensemble& e) { node(e, 1).right = k_no_node; }, "not in pre-order");
    expect_refused([](Ensemble& e) { e.trees[0].nodes.pop_back(); }, "node 3: the tree ends before");
    expect_refused([](Ensemble& e) { e.trees[0].nodes.push_back(leaf({1, 1})); }, "node 4: nodes follow");
    expect_refused([](Ensemble& e) { node(e, 4).left = NodeId{0}; }, "node 4: a leaf has no children");
    expect_refused([](Ensemble& e) { node(e, 4) = inner(ask(0, 1), 5); }, "node 4: the left child");
}

TEST(Validate, NodeFigures) {
    expect_refused([](Ensemble& e) { node(e, 1).weight = -1; }, "node 1: weight");
    expect_refused([](Ensemble& e) { node(e, 1).impurity = NAN; }, "node 1: impurity");
    expect_refused([](Ensemble& e) { node(e, 1).gain = INFINITY; }, "node 1: gain");
    expect_refused([](Ensemble& e) { node(e, 2).value = {1}; }, "node 2: value has 1 numbers, expected 2");
    expect_refused([](Ensemble& e) { node(e, 2).value[0] = NAN; }, "node 2: value must be finite");
    expect_refused([](Ensemble& e) { node(e, 2).value[0] = -1; }, "node 2: class weights");
    expect_refused([](Ensemble& e) { node(e, 2).value = {1.7e308, 1.7e308}; }, "node 2: the sum");
    expect_refused([](Ensemble& e) { node(e, 2).question.missing_seen = true; }, "node 2: a leaf asks nothing");
    expect_refused([](Ensemble& e) { node(e, 2).gain = 0.1; }, "node 2: a leaf has no gain");
    expect_refused([](Ensemble& e) { node(e, 2).ties_cutting_alike = 1; }, "node 2: a leaf has no ties");
}

TEST(Validate, ThresholdQuestions) {
    const auto question = [](Ensemble& e) -> Question& { return node(e, 1).question; };
    expect_accepted([&](Ensemble& e) { question(e).threshold = INFINITY; });
    expect_accepted([&](Ensemble& e) {
        question(e).training_low = -INFINITY;
        question(e).training_high = INFINITY;
    });
    expect_refused([&](Ensemble& e) { question(e).feature = FeatureId{2}; }, "feature 2, but there are 2");
    expect_refused([&](Ensemble& e) { question(e).feature = FeatureId{1}; }, "threshold for category feature");
    expect_refused([&](Ensemble& e) { question(e).threshold = NAN; }, "node 1: threshold");
    expect_refused([&](Ensemble& e) { question(e).threshold = -INFINITY; }, "node 1: threshold");
    expect_refused([&](Ensemble& e) { question(e).seen_categories = bits({0}); }, "no sets of categories");
    expect_refused([&](Ensemble& e) { question(e).training_low = 4; }, "training range");
    expect_refused([&](Ensemble& e) { question(e).training_low = NAN; }, "training range");
    expect_refused([&](Ensemble& e) { question(e).missing_side = Side::right; }, "heavier side");
    expect_accepted([&](Ensemble& e) {
        question(e).missing_side = Side::right;
        question(e).missing_seen = true;
    });
}

TEST(Validate, CategoryQuestions) {
    const auto question = [](Ensemble& e) -> Question& { return node(e, 0).question; };
    expect_refused([&](Ensemble& e) { question(e).feature = FeatureId{0}; }, "categories for numeric feature");
    expect_refused([&](Ensemble& e) { question(e).threshold = 1; }, "has no threshold");
    expect_refused([&](Ensemble& e) { question(e).training_high = 1; }, "has no training range");
    expect_refused([&](Ensemble& e) { insert(question(e).seen_categories, 3); }, "beyond the 3");
    expect_refused([&](Ensemble& e) { insert(question(e).seen_categories, 64); }, "beyond the 3");
    expect_refused([&](Ensemble& e) { insert(question(e).seen_categories, 500); }, "beyond the 3");
    expect_refused([&](Ensemble& e) { question(e).seen_categories.push_back(0); }, "empty word");
    expect_refused([&](Ensemble& e) { question(e).seen_categories = bits({0, 1}); }, "did not see here");
    expect_refused([&](Ensemble& e) { question(e).seen_categories.clear(); }, "did not see here");
    expect_accepted([&](Ensemble& e) { question(e).right_categories.clear(); });
}

TEST(Validate, SetsOfExactlyOneWord) {
    const auto with_dictionary = [](Ensemble& e, std::uint32_t size) {
        e.features[1].categories.clear();
        for (std::uint32_t c = 0; c < size; ++c) e.features[1].categories.push_back(std::to_string(c));
        node(e, 0).question.seen_categories = bits({2, 63});
    };
    expect_accepted([&](Ensemble& e) { with_dictionary(e, 64); });
    expect_accepted([&](Ensemble& e) { with_dictionary(e, 65); });
    expect_refused([&](Ensemble& e) { with_dictionary(e, 63); }, "beyond the 63");
}

TEST(Validate, Surrogates) {
    Surrogate surrogate;
    surrogate.feature = FeatureId{0};
    surrogate.threshold = 1;
    surrogate.agreement = 0.8;
    const auto with = [&](Ensemble& e, const std::function<void(Surrogate&)>& change) {
        node(e, 0).question.surrogates = {surrogate};
        change(node(e, 0).question.surrogates[0]);
    };
    expect_accepted([&](Ensemble& e) { with(e, [](Surrogate&) {}); });
    expect_refused([&](Ensemble& e) { with(e, [](Surrogate& s) { s.agreement = 1.5; }); }, "agreement");
    expect_refused([&](Ensemble& e) { with(e, [](Surrogate& s) { s.agreement = NAN; }); }, "agreement");
    expect_refused([&](Ensemble& e) { with(e, [](Surrogate& s) { s.feature = FeatureId{1}; }); }, "another feature");
    expect_refused([&](Ensemble& e) { with(e, [](Surrogate& s) { s.feature = FeatureId{9}; }); }, "feature 9");
    expect_refused([&](Ensemble& e) { with(e, [](Surrogate& s) { s.kind = QuestionKind::leaf; }); }, "a question");
    expect_refused([&](Ensemble& e) { with(e, [](Surrogate& s) { s.kind = QuestionKind::category; }); },
                   "categories for numeric");
}

TEST(Validate, RegressionTree) {
    Ensemble ensemble = patients();
    ensemble.task = Task::regression;
    ensemble.classes.clear();
    ensemble.trees = {Tree{{leaf({-3.5})}}};
    EXPECT_NO_THROW(validate(ensemble));
}

Ensemble boosted_patients() {
    Ensemble ensemble = patients();
    for (Node& each : ensemble.trees[0].nodes) each.value = {-0.5};
    ensemble.combination = Combination::sum;
    ensemble.link = Link::logistic;
    ensemble.initial_scores = {-1.25};
    return ensemble;
}

void expect_boosted(const Change& change, const std::string& words) {
    Ensemble ensemble = boosted_patients();
    change(ensemble);
    if (words.empty()) {
        EXPECT_NO_THROW(validate(ensemble));
        return;
    }
    try {
        validate(ensemble);
        ADD_FAILURE() << "accepted, expected: " << words;
    } catch (const FormatError& error) {
        EXPECT_THAT(error.what(), HasSubstr(words));
    }
}

TEST(EnsembleBuilder, BuildsSums) {
    EnsembleBuilder builder = patients_builder();
    builder.sum(Link::logistic, {-1.25}).add_tree(boosted_patients().trees[0]);
    const Ensemble built = std::move(builder).build();
    EXPECT_EQ(built, boosted_patients());
    EXPECT_EQ(built.scores(), 1U);
    EXPECT_EQ(built.outputs(), 2U);
    EXPECT_EQ(built.value_length(), 1U);
    EXPECT_FALSE(built.has_class_weights());
    EXPECT_TRUE(patients().has_class_weights());
}

TEST(Validate, Sums) {
    expect_boosted([](Ensemble&) {}, "");
    expect_boosted([](Ensemble& e) { e.tree_outputs = {0}; }, "");
    expect_boosted([](Ensemble& e) { e.tree_outputs = {1}; }, "tree 0: adds to score 1, but there are 1");
    expect_boosted([](Ensemble& e) { e.tree_outputs = {0, 0}; }, "there are 2 tree outputs for 1 trees");
    expect_boosted([](Ensemble& e) { e.initial_scores.clear(); }, "there are 0 initial scores for 1 raw scores");
    expect_boosted([](Ensemble& e) { e.initial_scores = {NAN}; }, "initial scores must be finite");
    expect_boosted([](Ensemble& e) { e.tree_weights = {1}; }, "has no tree weights");
    expect_boosted([](Ensemble& e) { e.classes.emplace_back("Maybe"); }, "for two classes, not 3");
    for (const Link link : {Link::identity, Link::exponential})
        expect_boosted([&](Ensemble& e) { e.link = link; }, "is not for classification");
    expect_boosted([](Ensemble& e) { node(e, 2).value = {1, 2}; }, "node 2: value has 2 numbers, expected 1");
    expect_refused([](Ensemble& e) { e.initial_scores = {0}; }, "are for models that sum");
    expect_refused([](Ensemble& e) { e.link = Link::softmax; }, "are for models that sum");
    expect_refused([](Ensemble& e) { e.tree_outputs = {0}; }, "are for models that sum");
}

TEST(Validate, SumsOfSeveralScoresAndOfNumbers) {
    const auto three_classes = [](Ensemble& e) {
        e.classes.emplace_back("Maybe");
        e.link = Link::softmax;
        e.initial_scores = {0, 0, 0};
    };
    expect_boosted(three_classes, "node 0: value has 1 numbers, expected 3");
    expect_boosted([&](Ensemble& e) { three_classes(e), e.tree_outputs = {2}; }, "");
    expect_boosted([&](Ensemble& e) { three_classes(e), e.tree_outputs = {3}; }, "adds to score 3, but there are 3");
    expect_boosted(
        [&](Ensemble& e) {
            three_classes(e);
            for (Node& each : e.trees[0].nodes) each.value = {-1, 1.7e308, 1.7e308};
        },
        "");
    const auto numbers = [](Ensemble& e) {
        e.task = Task::regression;
        e.classes.clear();
    };
    for (const Link link : {Link::identity, Link::logistic, Link::exponential})
        expect_boosted([&](Ensemble& e) { numbers(e), e.link = link; }, "");
    expect_boosted([&](Ensemble& e) { numbers(e), e.link = Link::softmax; }, "'softmax' is not for regression");
}

}  // namespace
}  // namespace regrove::model
