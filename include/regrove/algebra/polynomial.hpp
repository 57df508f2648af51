// The polynomial of an ensemble as a value: sorted monomials with exact integer coefficients.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/condition.hpp"
#include "regrove/core/int128.hpp"

namespace regrove::algebra {

/// Monomials as flat lists.
struct MonomialList {
    std::uint32_t scores = 1;
    std::vector<std::uint64_t> first{0};  ///< monomial m has ids[first[m]] .. ids[first[m + 1] - 1], sorted
    std::vector<ConditionId> ids;
    std::vector<Int128> coefficients;  ///< monomial by monomial, `scores` each

    std::size_t size() const { return first.size() - 1; }
    std::span<const ConditionId> monomial(std::size_t m) const {
        return {ids.data() + first[m], ids.data() + first[m + 1]};
    }
    std::span<const Int128> coefficient(std::size_t m) const { return {coefficients.data() + m * scores, scores}; }
    bool is_constant(std::size_t m) const { return first[m] == first[m + 1]; }
    void push_back(std::span<const ConditionId> monomial, std::span<const Int128> coefficient);
    friend bool operator==(const MonomialList&, const MonomialList&) = default;
};

/// Monomials in lexicographic order of their ids, the empty one first when it is there; none twice. Its value at a row:
/// for each score, the sum of the coefficients of the monomials that hold, times 2^unit_exponent, divided by `divisor`.
struct Polynomial : MonomialList {
    model::Ensemble frame;  ///< without trees
    ConditionTable conditions;
    int unit_exponent = 0;
    double divisor = 1;  ///< the trees' total weight for means and votes, 1 for sums
    friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

/// The same function with monomials sorted, equal ones added up, zeros dropped, and only the conditions that are used.
/// Throws LimitError when a sum leaves 128 bits.
Polynomial normalised(const Polynomial& polynomial);

/// Of a classification forest, whose trees vote or have class probabilities: the sums of these over the trees, not divided
/// by their number, which are scores of Link::shares. Others as they are.
Polynomial as_sum(Polynomial polynomial);

/// The scores in units, before the divisor, at a row's cells (as infer::Binding fills them).
std::vector<Int128> scores_at(const Polynomial& polynomial, std::span<const double> cells);

/// Those monomials m with kept[m] != 0.
Polynomial selected(const Polynomial& polynomial, std::span<const std::uint8_t> kept);

/// An ensemble with one tree a condition, so that infer::Binding knows which features are asked for and how.
model::Ensemble asking_ensemble(const Polynomial& polynomial);

/// "age > 30 & sex == female"; "1" for the empty monomial.
std::string monomial_text(const Polynomial& polynomial, std::size_t monomial);

}  // namespace regrove::algebra
