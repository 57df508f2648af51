// I(x = last) = 1 - I(x is missing) - the other indicators of the feature.
#include "seen_space.hpp"

#include <algorithm>

#include "regrove/algebra/monomial_pool.hpp"

namespace regrove::algebra {

namespace {

std::vector<bool> features_with_missing(std::size_t features, std::span<const model::Ensemble* const> models) {
    std::vector<bool> missing(features, false);
    for (const model::Ensemble* model : models)
        for (const model::Tree& tree : model->trees)
            for (const model::Node& node : tree.nodes)
                if (!node.is_leaf() && node.question.missing_seen) missing[index(node.question.feature)] = true;
    return missing;
}

bool is_last(const Condition& condition, const std::vector<model::Feature>& features) {
    return condition.kind == ConditionKind::equals &&
           condition.category + 1 == features[index(condition.feature)].categories.size();
}

/// The other indicators of a last category's feature are needed, too.
ConditionTable with_all_categories(const Polynomial& polynomial) {
    std::vector<Condition> conditions(polynomial.conditions.all().begin(), polynomial.conditions.all().end());
    for (const Condition& condition : polynomial.conditions.all()) {
        if (!is_last(condition, polynomial.frame.features)) continue;
        conditions.push_back({condition.feature, ConditionKind::missing, 0, 0, {}});
        for (std::uint32_t code = 0; code < condition.category; ++code)
            conditions.push_back({condition.feature, ConditionKind::equals, 0, code, {}});
    }
    return ConditionTable(std::move(conditions));
}

struct Term {
    MonomialId monomial;
    int sign;
};

class Substitution {
  public:
    Substitution(const Polynomial& polynomial, const ConditionTable& table, const std::vector<bool>& missing)
        : polynomial_(polynomial), table_(table), missing_(missing), pool_(table) {}

    Polynomial run() {
        Polynomial result = polynomial_;
        static_cast<MonomialList&>(result) = {};
        result.scores = polynomial_.scores;
        result.conditions = table_;
        for (std::size_t m = 0; m < polynomial_.size(); ++m) add(m, result);
        return normalised(result);
    }

  private:
    void add(std::size_t m, Polynomial& result) {
        std::vector<Term> terms{{MonomialPool::k_one, 1}};
        for (const ConditionId id : polynomial_.monomial(m)) terms = times(terms, polynomial_.conditions[id]);
        for (const Term& term : terms) {
            std::vector<Int128> coefficient;
            for (const Int128 number : polynomial_.coefficient(m))
                coefficient.push_back(term.sign < 0 ? -number : number);
            result.push_back(pool_.conditions(term.monomial), coefficient);
        }
    }

    std::vector<Term> times(const std::vector<Term>& terms, const Condition& condition) {
        const bool never = condition.kind == ConditionKind::missing && !missing_[index(condition.feature)];
        if (never) return {};
        std::vector<Term> products;
        if (!is_last(condition, polynomial_.frame.features)) {
            append(products, terms, condition, 1);
            return products;
        }
        products = terms;
        if (missing_[index(condition.feature)])
            append(products, terms, {condition.feature, ConditionKind::missing, 0, 0, {}}, -1);
        for (std::uint32_t code = 0; code < condition.category; ++code)
            append(products, terms, {condition.feature, ConditionKind::equals, 0, code, {}}, -1);
        return products;
    }

    void append(std::vector<Term>& products, const std::vector<Term>& terms, const Condition& condition, int sign) {
        const ConditionId id = table_.find(condition);
        for (const Term& term : terms) {
            const MonomialId product = pool_.times(term.monomial, id);
            if (product != MonomialPool::k_never) products.push_back({product, sign * term.sign});
        }
    }

    const Polynomial& polynomial_;
    const ConditionTable& table_;
    const std::vector<bool>& missing_;
    MonomialPool pool_;
};

}  // namespace

Polynomial on_seen_space(const Polynomial& polynomial, std::span<const model::Ensemble* const> models) {
    const std::vector<bool> missing = features_with_missing(polynomial.frame.features.size(), models);
    const ConditionTable table = with_all_categories(polynomial);
    return Substitution(polynomial, table, missing).run();
}

}  // namespace regrove::algebra
