// Models that use every feature of the model module, for the tests that run over every format.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/model/ensemble_builder.hpp"

namespace regrove::formats {

struct NamedModel {
    std::string name;
    model::Ensemble ensemble;
};

inline model::Node sample_leaf(std::vector<double> value, std::uint64_t rows) {
    model::Node node;
    node.rows = rows;
    node.weight = static_cast<double>(rows) * 0.1;
    node.impurity = 1.0 / 3.0;
    node.value = std::move(value);
    return node;
}

inline model::Node sample_inner(model::Question question, std::uint32_t left, std::uint32_t right) {
    model::Node node;
    node.question = std::move(question);
    node.left = NodeId{left};
    node.right = NodeId{right};
    node.rows = std::numeric_limits<std::uint64_t>::max();
    node.weight = 1e22;
    node.impurity = 0.48;
    node.gain = 0.1 + 0.2;
    node.ties_cutting_differently = 3;
    node.ties_cutting_alike = 1;
    node.value = {2.5, 0};
    return node;
}

inline model::Question sample_threshold(std::uint32_t feature, double threshold) {
    model::Question question;
    question.kind = model::QuestionKind::threshold;
    question.feature = FeatureId{feature};
    question.threshold = threshold;
    question.training_low = -std::numeric_limits<double>::infinity();
    question.training_high = std::numeric_limits<double>::denorm_min();
    return question;
}

inline model::Question sample_categories(std::uint32_t feature, std::vector<std::uint64_t> right,
                                         std::vector<std::uint64_t> seen) {
    model::Question question;
    question.kind = model::QuestionKind::category;
    question.feature = FeatureId{feature};
    question.right_categories = std::move(right);
    question.seen_categories = std::move(seen);
    return question;
}

inline std::vector<model::Feature> sample_features() {
    model::Feature city{"city \"of\" birth\n", model::FeatureKind::category, model::NumericPrecision::float64, {}};
    for (int c = 0; c < 70; ++c) city.categories.push_back("Z\xc3\xbcrich " + std::to_string(c));
    return {{"age", model::FeatureKind::numeric, model::NumericPrecision::float32, {}},
            {"height", model::FeatureKind::numeric, model::NumericPrecision::float64, {}},
            city};
}

/// Every kind of question, with surrogates, missing rules, extreme thresholds and ties.
inline model::Ensemble sample_classifier() {
    constexpr double k_inf = std::numeric_limits<double>::infinity();
    model::Question root = sample_categories(2, {0, 1U << 3}, {0b1011, 1U << 3});
    root.missing_seen = true;
    root.missing_side = model::Side::right;
    model::Surrogate by_age;
    by_age.feature = FeatureId{0};
    by_age.threshold = 0.1F;
    by_age.reversed = true;
    by_age.agreement = 2.0 / 3.0;
    root.surrogates = {by_age};
    model::Question height = sample_threshold(1, std::numeric_limits<double>::denorm_min());
    model::Surrogate by_city;
    by_city.feature = FeatureId{2};
    by_city.kind = model::QuestionKind::category;
    by_city.right_categories = {1};
    by_city.seen_categories = {3};
    by_city.agreement = 1;
    height.surrogates = {by_age, by_city};
    model::Question missing = sample_threshold(1, k_inf);
    missing.missing_seen = true;
    missing.missing_side = model::Side::right;
    missing.heavier_side = model::Side::left;

    model::Tree tree;
    tree.nodes = {sample_inner(root, 1, 6),      sample_inner(height, 2, 3), sample_leaf({1, 0}, 10),
                  sample_inner(missing, 4, 5),   sample_leaf({0, 0.1}, 3),   sample_leaf({5e-324, 1e300}, 7),
                  sample_leaf({123456789, 2}, 1)};
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "sick?", {"no", "yes, \\ very"}).features(sample_features());
    builder.provenance("method", "cart").provenance("seed", "42").add_tree(tree);
    return std::move(builder).build();
}

inline model::Ensemble sample_regressor() {
    model::EnsembleBuilder builder;
    builder.task(model::Task::regression, "", {}).features(sample_features());
    for (const double threshold : {-0.0, -1.7976931348623157e308, 16777217.0}) {
        model::Tree tree;
        tree.nodes = {sample_inner(sample_threshold(1, threshold), 1, 2), sample_leaf({-0.0}, 1),
                      sample_leaf({2.2250738585072011e-308}, 2)};
        tree.nodes[0].value = {-1e-5};
        builder.add_tree(tree);
    }
    return std::move(builder).build();
}

inline model::Ensemble sample_stump() {
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "y", {"only"});
    builder.add_tree({{sample_leaf({0}, 0)}});
    return std::move(builder).build();
}

/// Two trees, a vote each.
inline model::Ensemble sample_voters() {
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "y", {"a", "b"}).features(sample_features());
    builder.combination(model::Combination::majority);
    for (const double threshold : {0.5, 2.0}) {
        builder.add_tree(
            {{sample_inner(sample_threshold(1, threshold), 1, 2), sample_leaf({1, 2}, 3), sample_leaf({5, 0}, 5)}});
    }
    return std::move(builder).build();
}

inline model::Ensemble sample_weighed_voters() {
    model::Ensemble ensemble = sample_voters();
    ensemble.tree_weights = {0.1, 3};
    return ensemble;
}

/// Four trees of three classes' scores.
inline model::Ensemble sample_boosted() {
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "y", {"a", "b", "c"}).features(sample_features());
    builder.sum(model::Link::softmax, {0.1, -2, -0.0}, {0, 1, 2, 0});
    for (const double threshold : {0.5, 2.0, 3.0, 0.1}) {
        model::Tree tree{{sample_inner(sample_threshold(1, threshold), 1, 2), sample_leaf({-0.0625}, 3),
                          sample_leaf({1e-300}, 5)}};
        tree.nodes[0].value = {0.01};
        builder.add_tree(std::move(tree));
    }
    return std::move(builder).build();
}

/// Votes about numbers without names, as BA-Trees' forests are.
inline model::Ensemble sample_numbered_voters() {
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "", {"0", "1", "2"}).features(model::numbered_features(2));
    builder.features_by_position(true).combination(model::Combination::majority);
    builder.provenance("method", "BA-Trees RF").provenance("ba_trees.dataset", "samples");
    builder.provenance("ba_trees.ensemble", "RF");
    const auto one_leaf = [](std::size_t k) {
        model::Node node;
        node.weight = 1;
        node.value = {0, 0, 0};
        node.value[k] = 1;
        return node;
    };
    for (const double threshold : {0.1, 1e300}) {
        model::Node root;
        root.question = sample_threshold(1, threshold);
        root.question.training_high = std::numeric_limits<double>::infinity();
        root.question.missing_side = root.question.heavier_side = model::Side::right;
        root.left = NodeId{1};
        root.right = NodeId{2};
        root.weight = 2;
        root.value = {1, 0, 1};
        builder.add_tree({{root, one_leaf(0), one_leaf(2)}});
    }
    builder.add_tree({{one_leaf(1)}});
    return std::move(builder).build();
}

/// Four monomials of one score: none of its conditions, a border, a set with a missing value, both.
inline model::Ensemble sample_polynomial() {
    model::Question above = sample_threshold(1, 0.1);
    above.training_low = above.training_high = 0;
    above.missing_seen = true;
    model::Question missing = above;
    missing.threshold = std::numeric_limits<double>::infinity();
    missing.missing_side = model::Side::right;
    const std::vector<std::uint64_t> all{~std::uint64_t{0}, (std::uint64_t{1} << 6) - 1};
    model::Question within = sample_categories(2, {2, 1U << 3}, all);
    within.missing_seen = true;
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "y", {"a", "b"}).features(sample_features());
    builder.provenance("form", "polynomial").sum(model::Link::logistic, {-0.25});
    for (const std::vector<model::Question>& monomial :
         std::vector<std::vector<model::Question>>{{}, {above}, {missing, within}, {above, within}}) {
        model::Tree tree;
        for (const model::Question& question : monomial) {
            const auto id = static_cast<std::uint32_t>(tree.nodes.size());
            model::Node& inner = tree.nodes.emplace_back();
            inner.question = question;
            inner.left = NodeId{id + 1};
            inner.right = NodeId{id + 2};
            inner.value = {0};
            tree.nodes.emplace_back().value = {0};
        }
        tree.nodes.emplace_back().value = {1e-300 * static_cast<double>(tree.nodes.size())};
        builder.add_tree(std::move(tree));
    }
    return std::move(builder).build();
}

inline std::vector<NamedModel> sample_models() {
    return {{"classifier", sample_classifier()},
            {"regressor", sample_regressor()},
            {"stump", sample_stump()},
            {"voters", sample_voters()},
            {"weighed voters", sample_weighed_voters()},
            {"boosted", sample_boosted()},
            {"numbered voters", sample_numbered_voters()}};
}

/// Those that a format can hold: all, those that are sums of monomials, or those whose whole content is classes of votes
/// about numbers.
inline std::vector<NamedModel> sample_models_of(std::string_view format) {
    if (format == "regrove-polynomial") return {{"polynomial", sample_polynomial()}};
    if (format == "ba-trees-text") return {{"numbered voters", sample_numbered_voters()}};
    return sample_models();
}

}  // namespace regrove::formats
