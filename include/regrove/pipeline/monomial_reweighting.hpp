// A pruned polynomial whose coefficients are fitted anew to the scores of the whole one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/reweighting.hpp"
#include "regrove/pipeline/monomial_levels.hpp"

namespace regrove::pipeline {

/// Fits at any of some levels of one polynomial: rows are counted once, for the level that keeps most. The valued polynomial must
/// outlive it.
class MonomialReweighting {
  public:
    /// `levels` must keep at most options.max_monomials each. Collective; throws InputError and LimitError, agreed.
    MonomialReweighting(comm::Communicator& comm, const ValuedPolynomial& valued,
                        std::span<const algebra::PruningLevel> levels, const data::TableShard& training,
                        const algebra::ReweightOptions& options);

    /// New coefficients in the places of the polynomial's own, zeros where the level or the penalty drops: the same on all
    /// ranks. No communication.
    std::vector<Int128> coefficients_at(const algebra::PruningLevel& level) const;

  private:
    std::vector<double> fitted(std::size_t kept, std::size_t score) const;

    const ValuedPolynomial* valued_;
    algebra::ReweightOptions options_;
    std::vector<std::uint32_t> places_;  ///< by falling eta, the constant first
    algebra::MonomialPairs pairs_;
    std::vector<double> residual_;  ///< a place, for each score
};

/// Those of the levels that keep few enough monomials to be fitted anew. Throws LimitError, naming the options, when none does.
std::vector<algebra::PruningLevel> levels_to_reweight(std::span<const algebra::PruningLevel> levels,
                                                      const algebra::ReweightOptions& options);

}  // namespace regrove::pipeline
