// Children come after their parent, so walking the nodes backwards meets them first.
#include "tree_polynomial.hpp"

#include <algorithm>
#include <numeric>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/error.hpp"

namespace regrove::algebra {

namespace {

class Builder {
  public:
    Builder(const TreeRequest& request, MonomialPool& pool) : request_(request), pool_(pool) {}

    PoolPolynomial run() {
        const auto& nodes = request_.tree.nodes;
        std::vector<PoolPolynomial> open(nodes.size());
        for (std::size_t i = nodes.size(); i-- > 0;) {
            if (nodes[i].is_leaf()) {
                open[i] = leaf(i);
                continue;
            }
            PoolPolynomial& left = open[index(nodes[i].left)];
            PoolPolynomial& right = open[index(nodes[i].right)];
            open[i] = joined(nodes[i].question, left, right);
            left = {};
            right = {};
        }
        return std::move(open[0]);
    }

  private:
    PoolPolynomial leaf(std::size_t node) const {
        PoolPolynomial constant{{MonomialPool::k_one}, std::vector<Int128>(request_.scores, 0)};
        request_.leaf(node, constant.coefficients.data());
        return summed(constant);
    }

    PoolPolynomial joined(const model::Question& question, const PoolPolynomial& left, const PoolPolynomial& right) {
        PoolPolynomial difference = right;
        append(difference, left, -1);
        difference = summed(difference);
        PoolPolynomial all = left;
        for (const QuestionTerm& term : question_terms(question, request_.features, request_.max_set))
            append_product(all, difference, term);
        return summed(all);
    }

    void append(PoolPolynomial& all, const PoolPolynomial& more, std::int32_t sign) const {
        all.monomials.insert(all.monomials.end(), more.monomials.begin(), more.monomials.end());
        for (const Int128 number : more.coefficients) all.coefficients.push_back(sign < 0 ? -number : number);
    }

    void append_product(PoolPolynomial& all, const PoolPolynomial& factor, const QuestionTerm& term) {
        std::vector<ConditionId> ids;
        for (const Condition& condition : term.conditions) ids.push_back(request_.table.find(condition));
        for (std::size_t m = 0; m < factor.monomials.size(); ++m) {
            MonomialId product = factor.monomials[m];
            for (std::size_t i = 0; i < ids.size() && product != MonomialPool::k_never; ++i)
                product = pool_.times(product, ids[i]);
            if (product == MonomialPool::k_never) continue;
            all.monomials.push_back(product);
            for (std::uint32_t k = 0; k < request_.scores; ++k) {
                const Int128 number = factor.coefficients[m * request_.scores + k];
                all.coefficients.push_back(term.sign < 0 ? -number : number);
            }
        }
    }

    /// Sorted by id, equal ones added up, zeros dropped.
    PoolPolynomial summed(const PoolPolynomial& parts) const {
        std::vector<std::uint32_t> order(parts.monomials.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, {}, [&](std::uint32_t i) { return parts.monomials[i]; });
        PoolPolynomial sum;
        std::vector<Int128> own(request_.scores);
        for (std::size_t begin = 0; begin < order.size();) {
            const MonomialId monomial = parts.monomials[order[begin]];
            std::ranges::fill(own, Int128{0});
            for (; begin < order.size() && parts.monomials[order[begin]] == monomial; ++begin)
                for (std::uint32_t k = 0; k < request_.scores; ++k)
                    own[k] = add_exactly(own[k], parts.coefficients[order[begin] * request_.scores + k]);
            if (std::ranges::all_of(own, [](const Int128 number) { return number == 0; })) continue;
            sum.monomials.push_back(monomial);
            sum.coefficients.insert(sum.coefficients.end(), own.begin(), own.end());
        }
        if (sum.monomials.size() > request_.max_monomials) throw LimitError("too many monomials");
        return sum;
    }

    const TreeRequest& request_;
    MonomialPool& pool_;
};

}  // namespace

PoolPolynomial tree_polynomial(const TreeRequest& request, MonomialPool& pool) {
    return Builder(request, pool).run();
}

}  // namespace regrove::algebra
