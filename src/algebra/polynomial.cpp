// Sorting, adding up and evaluating monomials.
#include "regrove/algebra/polynomial.hpp"

#include <algorithm>
#include <numeric>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/check.hpp"

namespace regrove::algebra {

namespace {

std::vector<std::size_t> sorted_order(const Polynomial& polynomial) {
    std::vector<std::size_t> order(polynomial.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(polynomial.monomial(a), polynomial.monomial(b));
    });
    return order;
}

bool is_zero(std::span<const Int128> coefficient) {
    return std::ranges::all_of(coefficient, [](const Int128 number) { return number == 0; });
}

Polynomial like(const Polynomial& polynomial) {
    Polynomial empty;
    empty.frame = polynomial.frame;
    empty.conditions = polynomial.conditions;
    empty.scores = polynomial.scores;
    empty.unit_exponent = polynomial.unit_exponent;
    empty.divisor = polynomial.divisor;
    return empty;
}

/// Leaves out conditions that no monomial has; the order of those left is the same, so monomials stay sorted.
void drop_unused_conditions(Polynomial& polynomial) {
    std::vector<ConditionId> place(polynomial.conditions.size(), 0);
    for (const ConditionId id : polynomial.ids) place[id] = 1;
    std::vector<Condition> used;
    for (ConditionId id = 0; id < place.size(); ++id) {
        if (place[id] == 0) continue;
        place[id] = static_cast<ConditionId>(used.size());
        used.push_back(polynomial.conditions[id]);
    }
    for (ConditionId& id : polynomial.ids) id = place[id];
    polynomial.conditions = ConditionTable(std::move(used));
}

}  // namespace

void MonomialList::push_back(std::span<const ConditionId> monomial, std::span<const Int128> coefficient) {
    REGROVE_CHECK(coefficient.size() == scores);
    ids.insert(ids.end(), monomial.begin(), monomial.end());
    first.push_back(ids.size());
    coefficients.insert(coefficients.end(), coefficient.begin(), coefficient.end());
}

Polynomial as_sum(Polynomial polynomial) {
    model::Ensemble& frame = polynomial.frame;
    if (!frame.has_class_weights()) return polynomial;
    frame.combination = model::Combination::sum;
    frame.link = model::Link::shares;
    frame.tree_weights.clear();
    polynomial.divisor = 1;
    return polynomial;
}

Polynomial normalised(const Polynomial& polynomial) {
    Polynomial result = like(polynomial);
    const std::vector<std::size_t> order = sorted_order(polynomial);
    std::vector<Int128> sum(polynomial.scores);
    for (std::size_t begin = 0; begin < order.size();) {
        std::ranges::fill(sum, Int128{0});
        std::size_t end = begin;
        for (; end < order.size() &&
               std::ranges::equal(polynomial.monomial(order[begin]), polynomial.monomial(order[end]));
             ++end)
            for (std::uint32_t k = 0; k < polynomial.scores; ++k)
                sum[k] = add_exactly(sum[k], polynomial.coefficient(order[end])[k]);
        if (!is_zero(sum)) result.push_back(polynomial.monomial(order[begin]), sum);
        begin = end;
    }
    drop_unused_conditions(result);
    return result;
}

std::vector<Int128> scores_at(const Polynomial& polynomial, std::span<const double> cells) {
    std::vector<std::uint8_t> truth(polynomial.conditions.size());
    for (ConditionId id = 0; id < truth.size(); ++id) {
        const Condition& condition = polynomial.conditions[id];
        truth[id] = holds(condition, cells[index(condition.feature)]) ? 1 : 0;
    }
    std::vector<Int128> scores(polynomial.scores, 0);
    for (std::size_t m = 0; m < polynomial.size(); ++m) {
        if (!std::ranges::all_of(polynomial.monomial(m), [&](ConditionId id) { return truth[id] != 0; })) continue;
        for (std::uint32_t k = 0; k < polynomial.scores; ++k)
            scores[k] = add_exactly(scores[k], polynomial.coefficient(m)[k]);
    }
    return scores;
}

Polynomial selected(const Polynomial& polynomial, std::span<const std::uint8_t> kept) {
    Polynomial result = like(polynomial);
    for (std::size_t m = 0; m < polynomial.size(); ++m)
        if (kept[m] != 0) result.push_back(polynomial.monomial(m), polynomial.coefficient(m));
    drop_unused_conditions(result);
    return result;
}

model::Ensemble asking_ensemble(const Polynomial& polynomial) {
    model::Ensemble ensemble = polynomial.frame;
    for (const Condition& condition : polynomial.conditions.all()) {
        model::Tree tree;
        tree.nodes.resize(3);
        tree.nodes[0].question = condition_question(condition, ensemble.features);
        tree.nodes[0].left = NodeId{1};
        tree.nodes[0].right = NodeId{2};
        ensemble.trees.push_back(std::move(tree));
    }
    return ensemble;
}

std::string monomial_text(const Polynomial& polynomial, std::size_t monomial) {
    std::string text;
    for (const ConditionId id : polynomial.monomial(monomial))
        text += (text.empty() ? "" : " & ") + condition_text(polynomial.conditions[id], polynomial.frame.features);
    return text.empty() ? "1" : text;
}

}  // namespace regrove::algebra
