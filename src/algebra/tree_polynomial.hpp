// One tree's polynomial over a pool of monomials.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "regrove/algebra/monomial_pool.hpp"
#include "regrove/algebra/question_terms.hpp"
#include "regrove/core/int128.hpp"

namespace regrove::algebra {

/// Monomials with coefficients; by rising id, none twice, none zero.
struct PoolPolynomial {
    std::vector<MonomialId> monomials;
    std::vector<Int128> coefficients;  ///< `scores` each
};

struct TreeRequest {
    const model::Tree& tree;
    const std::vector<model::Feature>& features;
    const ConditionTable& table;
    std::uint32_t scores;
    /// Writes what a leaf adds to each score.
    std::function<void(std::size_t node, Int128* into)> leaf;
    std::uint32_t max_set;
    std::uint64_t max_monomials;
};

/// Throws LimitError when some node's polynomial has more than max_monomials.
PoolPolynomial tree_polynomial(const TreeRequest& request, MonomialPool& pool);

}  // namespace regrove::algebra
