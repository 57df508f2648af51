// Everything that rows have to say is in the trees' covariances.
#include "regrove/algebra/tree_trade.hpp"

#include <algorithm>

#include "regrove/algebra/fixed_point.hpp"

namespace regrove::algebra {

namespace {

/// For each monomial of the plan's order, the tree that it is in.
std::vector<std::uint32_t> trees_of(const SymmetricPlan& plan) {
    std::vector<std::uint32_t> trees;
    std::uint32_t tree = 0;
    for (const SymmetricGroup& group : plan.groups) trees.insert(trees.end(), group.monomials.size(), tree++);
    for (std::size_t i = 0; i < plan.tail.size(); ++i) trees.push_back(tree++);
    return trees;
}

/// 1 for each monomial in a tree of that mark; the constant goes with those that stay.
std::vector<std::uint8_t> monomials_of(const Polynomial& polynomial, const SymmetricPlan& plan,
                                       const TreeTrade& trade, std::uint8_t mark) {
    const std::vector<std::uint32_t> places = places_of(plan);
    const std::vector<std::uint32_t> trees = trees_of(plan);
    std::vector<std::uint8_t> chosen(polynomial.size(), mark);
    for (std::size_t i = 0; i < places.size(); ++i) chosen[places[i]] = trade.kept[trees[i]] == mark ? 1 : 0;
    return chosen;
}

/// The marked monomials, with `sign` times the shift in the constant.
Polynomial with_monomials(const Polynomial& polynomial, const std::vector<std::uint8_t>& chosen,
                          const std::vector<double>& shift, int sign) {
    Polynomial result = polynomial;
    static_cast<MonomialList&>(result) = MonomialList{};
    result.scores = polynomial.scores;
    std::vector<Int128> constant;
    for (const double by : shift)
        constant.push_back(sign * to_fixed(by * polynomial.divisor, polynomial.unit_exponent));
    result.push_back({}, constant);
    for (std::size_t m = 0; m < polynomial.size(); ++m)
        if (chosen[m] != 0) result.push_back(polynomial.monomial(m), polynomial.coefficient(m));
    return normalised(result);
}

/// What trees add to the scores: their means, and the sum over scores of their covariances.
class TreeMoments {
  public:
    TreeMoments(const Polynomial& polynomial, const SymmetricPlan& plan, const MonomialPairs& pairs,
                std::uint64_t rows)
        : polynomial_(polynomial),
          places_(places_of(plan)),
          tree_of_(trees_of(plan)),
          trees_(plan.groups.size() + plan.tail.size()),
          means_(trees_ * polynomial.scores, 0),
          covariances_(trees_ * trees_, 0) {
        for (std::uint32_t k = 0; k < polynomial.scores; ++k) add_score(k, pairs, static_cast<double>(rows));
    }

    std::size_t trees() const { return trees_; }
    double mean(std::size_t tree, std::uint32_t score) const { return means_[tree * polynomial_.scores + score]; }
    const double* covariances(std::size_t tree) const { return covariances_.data() + tree * trees_; }

  private:
    void add_score(std::uint32_t k, const MonomialPairs& pairs, double rows) {
        std::vector<double> weight;
        for (const std::uint32_t place : places_)
            weight.push_back(to_double(polynomial_.coefficient(place)[k], polynomial_.unit_exponent) /
                             polynomial_.divisor);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const auto with = pairs.with(i);
            means_[tree_of_[i] * polynomial_.scores + k] += weight[i] * with[i] / rows;
            double* const row = covariances_.data() + tree_of_[i] * trees_;
            for (std::size_t j = 0; j < places_.size(); ++j)
                row[tree_of_[j]] += weight[i] * weight[j] * with[j] / rows;
        }
        for (std::size_t s = 0; s < trees_; ++s)
            for (std::size_t t = 0; t < trees_; ++t) covariances_[s * trees_ + t] -= mean(s, k) * mean(t, k);
    }

    const Polynomial& polynomial_;
    std::vector<std::uint32_t> places_;
    std::vector<std::uint32_t> tree_of_;
    std::size_t trees_;
    std::vector<double> means_;  ///< a tree, for each score
    std::vector<double> covariances_;
};

}  // namespace

std::vector<std::uint32_t> places_of(const SymmetricPlan& plan) {
    std::vector<std::uint32_t> places;
    for (const SymmetricGroup& group : plan.groups)
        for (const std::size_t m : group.monomials) places.push_back(static_cast<std::uint32_t>(m));
    for (const std::size_t m : plan.tail) places.push_back(static_cast<std::uint32_t>(m));
    return places;
}

TreeTrade trade_trees(const Polynomial& polynomial, const SymmetricPlan& plan, const MonomialPairs& pairs,
                      std::uint64_t rows, double cost_of_a_tree) {
    const TreeMoments moments(polynomial, plan, pairs, rows);
    const std::size_t trees = moments.trees();
    TreeTrade trade;
    trade.kept.assign(trees, 1);
    trade.shift.assign(polynomial.scores, 0);
    std::vector<double> with_dropped(trees, 0);  // covariance with the sum of those dropped
    for (;;) {
        std::size_t best = trees;
        double least = cost_of_a_tree;
        for (std::size_t t = 0; t < trees; ++t) {
            if (trade.kept[t] == 0) continue;
            const double growth = moments.covariances(t)[t] + 2 * with_dropped[t];
            if (growth >= least) continue;
            least = growth;
            best = t;
        }
        if (best == trees) break;
        trade.kept[best] = 0;
        trade.squared_error += least;
        for (std::size_t t = 0; t < trees; ++t) with_dropped[t] += moments.covariances(best)[t];
        for (std::uint32_t k = 0; k < polynomial.scores; ++k) trade.shift[k] += moments.mean(best, k);
    }
    trade.squared_error = std::max(trade.squared_error, 0.0);
    return trade;
}

Polynomial traded(const Polynomial& polynomial, const SymmetricPlan& plan, const TreeTrade& trade) {
    return with_monomials(polynomial, monomials_of(polynomial, plan, trade, 1), trade.shift, 1);
}

Polynomial traded_away(const Polynomial& polynomial, const SymmetricPlan& plan, const TreeTrade& trade) {
    return with_monomials(polynomial, monomials_of(polynomial, plan, trade, 0), trade.shift, -1);
}

}  // namespace regrove::algebra
