// Small hand-made trees that the model's tests share.
#pragma once

#include <initializer_list>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::model {

inline std::vector<std::uint64_t> bits(std::initializer_list<std::uint32_t> categories) {
    std::vector<std::uint64_t> set;
    for (const auto c : categories) insert(set, c);
    return set;
}

inline Question ask(std::uint32_t feature, double threshold) {
    Question question;
    question.kind = QuestionKind::threshold;
    question.feature = FeatureId{feature};
    question.threshold = threshold;
    question.training_high = 3;
    return question;
}

/// A question for stress_test, feature 1 of patients().
inline Question ask_for(std::initializer_list<std::uint32_t> right, std::initializer_list<std::uint32_t> seen) {
    Question question;
    question.kind = QuestionKind::category;
    question.feature = FeatureId{1};
    question.right_categories = bits(right);
    question.seen_categories = bits(seen);
    return question;
}

inline Node inner(Question question, std::uint32_t right) {
    Node node;
    node.question = std::move(question);
    node.right = NodeId{right};
    node.value = {1, 1};
    return node;
}

inline Node leaf(std::vector<double> value) {
    Node node;
    node.value = std::move(value);
    return node;
}

/// stress_test in {reversable} ? node 4 : (vessels > 0.5 ? node 3 : node 2)
inline Tree two_questions() {
    Tree tree{{inner(ask_for({2}, {0, 1, 2}), 4), inner(ask(0, 0.5), 3), leaf({1, 1}), leaf({1, 0}), leaf({0, 2})}};
    tree.nodes[0].left = NodeId{1};
    tree.nodes[1].left = NodeId{2};
    return tree;
}

inline Ensemble patients() {
    Ensemble ensemble;
    ensemble.label_name = "disease";
    ensemble.classes = {"No", "Yes"};
    ensemble.features = {
        {"vessels", FeatureKind::numeric, NumericPrecision::float64, {}},
        {"stress_test", FeatureKind::category, NumericPrecision::float64, {"normal", "fixed", "reversable"}}};
    ensemble.trees = {two_questions()};
    return ensemble;
}

}  // namespace regrove::model
