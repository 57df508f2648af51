// Attributions of a model's polynomial: what the kinds `nu` and `shapley` share.
#pragma once

#include <string>
#include <vector>

#include "regrove/algebra/attribution.hpp"
#include "regrove/algebra/polynomial.hpp"
#include "regrove/pipeline/explanation.hpp"

#include "explain_kinds.hpp"

namespace regrove::jobs {

struct CountedPolynomial {
    algebra::Polynomial polynomial;
    std::vector<std::uint64_t> counts;  ///< a monomial: rows of all ranks that it holds for
    std::uint64_t rows = 0;             ///< of all ranks
};

/// Collective; throws LimitError and InputError (no rows), agreed.
CountedPolynomial count_polynomial(const ExplainRequest& request);

/// Subjects, columns and facts; the words of the kind are left to it.
pipeline::Explanation attribution_explanation(const ExplainRequest& request, const CountedPolynomial& counted,
                                              algebra::Credit credit);

}  // namespace regrove::jobs
