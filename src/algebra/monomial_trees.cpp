// A path to the right a monomial.
#include "regrove/algebra/monomial_trees.hpp"

#include <algorithm>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/check.hpp"

namespace regrove::algebra {

model::Tree monomial_tree(const Polynomial& polynomial, std::size_t monomial, const std::vector<double>& value) {
    model::Tree tree;
    const std::vector<double> zeros(value.size(), 0.0);
    for (const ConditionId id : polynomial.monomial(monomial)) {
        const auto place = static_cast<std::uint32_t>(tree.nodes.size());
        model::Node inner;
        inner.question = condition_question(polynomial.conditions[id], polynomial.frame.features);
        inner.left = NodeId{place + 1};
        inner.right = NodeId{place + 2};
        inner.value = zeros;
        tree.nodes.push_back(std::move(inner));
        tree.nodes.emplace_back().value = zeros;
    }
    tree.nodes.emplace_back().value = value;
    return tree;
}

std::vector<std::vector<double>> coefficient_parts(const Polynomial& polynomial,
                                                   std::span<const Int128> coefficient) {
    std::vector<std::vector<double>> rows;
    for (std::size_t k = 0; k < coefficient.size(); ++k) {
        std::vector<double> parts = exact_parts(coefficient[k], polynomial.unit_exponent);
        if (!has_exact_sum(polynomial))
            parts = {to_double(coefficient[k], polynomial.unit_exponent) / polynomial.divisor};
        if (parts.size() > rows.size()) rows.resize(parts.size(), std::vector<double>(coefficient.size(), 0.0));
        for (std::size_t i = 0; i < parts.size(); ++i) rows[i][k] = parts[i];
    }
    return rows;
}

model::Ensemble summing_frame(const Polynomial& polynomial) {
    model::Ensemble ensemble = polynomial.frame;
    REGROVE_CHECK(!ensemble.has_class_weights());
    ensemble.combination = model::Combination::sum;
    ensemble.initial_scores.assign(polynomial.scores, 0.0);
    return ensemble;
}

model::Ensemble monomial_trees(const Polynomial& polynomial) {
    model::Ensemble ensemble = summing_frame(polynomial);
    for (std::size_t m = 0; m < polynomial.size(); ++m) {
        auto parts = coefficient_parts(polynomial, polynomial.coefficient(m));
        if (polynomial.is_constant(m) && !parts.empty()) {
            ensemble.initial_scores = parts.front();
            parts.erase(parts.begin());
        }
        for (const std::vector<double>& part : parts) ensemble.trees.push_back(monomial_tree(polynomial, m, part));
    }
    if (ensemble.trees.empty()) {
        model::Tree nothing;
        nothing.nodes.emplace_back().value.assign(polynomial.scores, 0.0);
        ensemble.trees.push_back(std::move(nothing));
    }
    return ensemble;
}

}  // namespace regrove::algebra
