// Coefficients fitted anew to the scores of the whole model, once some of its monomials are gone.
//
// Kuralenok et al. 2019 name the sparse re-weighting of monomials as the way on from thresholds (sections 5 and 7). Fitted
// are the model's own scores, not labels: what is kept takes over what was dropped, and nothing is learned twice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/monomial_pairs.hpp"
#include "regrove/core/option_table.hpp"

namespace regrove::algebra {

enum class Reweight : std::uint8_t { none, least_squares, lasso };

struct ReweightOptions {
    Reweight method = Reweight::none;
    /// lasso: what sqrt(eta) of a monomial costs beside half the mean squared error.
    double lasso_penalty = 1e-4;
    /// Monomials at most: pairs take 4 bytes.
    std::uint32_t max_monomials = 8000;
};
void list_options(ReweightOptions& options, OptionTable& table);

/// One score's least-squares problem.
struct ScoreFit {
    std::vector<double> start;  ///< the coefficients as they are
    std::vector<double>
        residual;  ///< a monomial: the sum, over its rows, of what the dropped ones added to the score
};

/// The coefficients v of the first start.size() monomials of `pairs` that minimise
///   1/(2 rows) sum over rows (score(row) - sum of the v that hold)^2 + penalty * sum sqrt(share of rows) |v|
///   + k_hold/2 * sum (v - start)^2,
/// where the score is what `start` and the residual say; monomial `free` (if any) has no penalty. The last term, 10^-4,
/// holds coefficients that rows say nothing about. By cyclic coordinate descent from `start`, in order of the monomials,
/// until a sweep changes no fitted score by more than 10^-6 of the largest start or after 100 sweeps: the same numbers
/// wherever the counts are the same. Time: O(monomials^2) a sweep.
std::vector<double> reweighted(const MonomialPairs& pairs, const ScoreFit& fit, std::uint64_t rows, double penalty,
                               std::size_t free);

}  // namespace regrove::algebra
