// Small ensembles for the tests of the drawing room: five patients by hand, and trees of a wanted shape.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::draw::testing {

inline model::Node leaf(std::vector<double> value) {
    model::Node node;
    for (const double weight : value) node.weight += weight;
    node.rows = static_cast<std::uint64_t>(node.weight);
    node.value = std::move(value);
    return node;
}

inline model::Question category_question(std::uint32_t feature, std::vector<std::uint32_t> right,
                                         std::vector<std::uint32_t> seen) {
    model::Question question;
    question.kind = model::QuestionKind::category;
    question.feature = FeatureId{feature};
    for (const std::uint32_t code : right) model::insert(question.right_categories, code);
    for (const std::uint32_t code : seen) model::insert(question.seen_categories, code);
    return question;
}

inline model::Question threshold_question(std::uint32_t feature, double threshold, double low, double high) {
    model::Question question;
    question.kind = model::QuestionKind::threshold;
    question.feature = FeatureId{feature};
    question.threshold = threshold;
    question.training_low = low;
    question.training_high = high;
    return question;
}

// Puts `question` on the node at `at`, whose children are at `left` and `right`.
inline void ask(model::Tree& tree, std::uint32_t at, model::Question question, std::uint32_t left,
                std::uint32_t right) {
    tree.nodes[at].question = std::move(question);
    tree.nodes[at].left = NodeId{left};
    tree.nodes[at].right = NodeId{right};
}

inline model::Ensemble five_patients() {
    model::Ensemble ensemble;
    ensemble.label_name = "disease";
    ensemble.classes = {"No", "Yes"};
    model::Feature test{"stress_test", model::FeatureKind::category, {}, {"fixed", "normal", "reversable"}};
    ensemble.features = {std::move(test), {"vessels", model::FeatureKind::numeric, {}, {}}};
    model::Tree tree;
    tree.nodes = {leaf({2, 3}), leaf({2, 1}), leaf({1, 1}), leaf({1, 0}), leaf({0, 2})};
    ask(tree, 0, category_question(0, {2}, {0, 1, 2}), 1, 4);
    ask(tree, 1, category_question(0, {1}, {0, 1}), 2, 3);
    tree.nodes[0].impurity = 0.48;
    tree.nodes[0].gain = 0.2133;
    tree.nodes[0].ties_cutting_alike = 1;
    ensemble.trees = {std::move(tree)};
    return ensemble;
}

// A tree of `leaves` leaves in pre-order, each inner node dividing its leaves as `divide(leaves, random)` says; node
// values count the leaves of even and odd number below.
template <class Divide>
model::Tree shaped_tree(std::uint32_t leaves, Divide divide) {
    struct Open {
        std::uint32_t begin, end, parent;
        bool right;
    };
    model::Tree tree;
    std::vector<Open> open{{0, leaves, 0, false}};
    while (!open.empty()) {
        const Open now = open.back();
        open.pop_back();
        const auto at = static_cast<std::uint32_t>(tree.nodes.size());
        const std::uint32_t count = now.end - now.begin;
        const double odd = now.end / 2 - now.begin / 2;
        tree.nodes.push_back(leaf({count - odd, odd}));
        if (at > 0) (now.right ? tree.nodes[now.parent].right : tree.nodes[now.parent].left) = NodeId{at};
        if (count == 1) continue;
        const std::uint32_t middle = now.begin + divide(count);
        tree.nodes[at].question = threshold_question(0, middle - 0.5, now.begin, now.end - 1);
        open.push_back({middle, now.end, at, true});
        open.push_back({now.begin, middle, at, false});
    }
    return tree;
}

inline model::Ensemble around(model::Tree tree) {
    model::Ensemble ensemble;
    ensemble.label_name = "parity";
    ensemble.classes = {"even", "odd"};
    ensemble.features = {{"position", model::FeatureKind::numeric, {}, {}}};
    ensemble.trees = {std::move(tree)};
    return ensemble;
}

inline model::Tree random_tree(std::uint32_t leaves, unsigned seed) {
    std::mt19937 random(seed);
    return shaped_tree(leaves,
                       [&](std::uint32_t count) { return 1 + static_cast<std::uint32_t>(random() % (count - 1)); });
}

// Every question parts one leaf from the rest, which lies to the right: depth leaves - 1.
inline model::Tree comb(std::uint32_t leaves) {
    return shaped_tree(leaves, [](std::uint32_t) { return 1U; });
}

inline model::Tree balanced_tree(std::uint32_t leaves) {
    return shaped_tree(leaves, [](std::uint32_t count) { return count / 2; });
}

inline model::Ensemble golf_regression() {
    model::Ensemble ensemble;
    ensemble.task = model::Task::regression;
    ensemble.label_name = "Num_Players";
    ensemble.features = {{"Outlook", model::FeatureKind::category, {}, {"sunny", "overcast", "rainy"}}};
    model::Tree tree;
    tree.nodes.resize(3);
    const double means[] = {39.75, 35.5, 46.25};
    const std::uint64_t rows[] = {14, 10, 4};
    for (std::size_t i = 0; i < 3; ++i) {
        tree.nodes[i].rows = rows[i];
        tree.nodes[i].weight = static_cast<double>(rows[i]);
        tree.nodes[i].impurity = 16;
        tree.nodes[i].value = {means[i]};
    }
    ask(tree, 0, category_question(0, {1}, {0, 1, 2}), 1, 2);
    ensemble.trees = {std::move(tree)};
    return ensemble;
}

}  // namespace regrove::draw::testing
