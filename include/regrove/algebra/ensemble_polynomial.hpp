// From trees to the polynomial: bottom up, each node is left + question * (right - left).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/algebra/question_terms.hpp"
#include "regrove/core/option_table.hpp"

namespace regrove::algebra {

struct PolynomialOptions {
    std::uint64_t max_tree_monomials = 1'000'000;
    std::uint64_t max_monomials = 20'000'000;
    /// Leaves are rounded to multiples of 2^-round_bits, which changes a score by at most trees * 2^-(round_bits + 1);
    /// 0: not rounded, exact.
    std::uint32_t round_bits = 0;
    std::uint32_t max_set = k_expanded_set;  ///< see question_terms
};
void list_options(PolynomialOptions& options, OptionTable& table);

/// What all trees of a model share in the conversion: the same on every rank that has the model.
struct PolynomialPlan {
    Polynomial empty;  ///< frame, conditions, unit; no monomials
};

/// Throws LimitError when the leaves span more bits than exact sums have; says which option rounds them.
PolynomialPlan plan_polynomial(const model::Ensemble& ensemble, const PolynomialOptions& options);

/// The sum of trees [begin, end), in parallel over trees; the initial scores go with tree 0. Throws LimitError naming the
/// tree and the option when it has too many monomials.
Polynomial trees_polynomial(const model::Ensemble& ensemble, const PolynomialPlan& plan, std::size_t begin,
                            std::size_t end, const PolynomialOptions& options);

/// The whole model's. What the model divides by (Polynomial::divisor) stays outside.
Polynomial to_polynomial(const model::Ensemble& ensemble, const PolynomialOptions& options);

/// LimitError when a polynomial of so many monomials is more than the option allows.
void check_monomials(std::uint64_t monomials, const PolynomialOptions& options);

}  // namespace regrove::algebra
