// A model's polynomial, and counts of its monomials, by all ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

/// algebra::to_polynomial with the trees shared out: each rank converts a range of them, a hash of each monomial names the
/// rank that adds up its coefficients, and all ranks receive the whole. The model must be the same on all ranks. The
/// same on any number of ranks, because the sums are of integers. Bytes a rank sends: its trees' monomials, and its share
/// of the result to every other rank. Collective; throws LimitError, agreed.
algebra::Polynomial ensemble_polynomial(comm::Communicator& comm, const model::Ensemble& ensemble,
                                        const algebra::PolynomialOptions& options);

/// The rows of all ranks for which each monomial holds (see algebra::count_rows); the polynomial is the same on all
/// ranks. Bytes a rank sends: 8 a monomial. Collective; throws InputError, agreed, when columns do not fit.
std::vector<std::uint64_t> monomial_counts(comm::Communicator& comm, const algebra::Polynomial& polynomial,
                                           const data::TableShard& shard);

}  // namespace regrove::dist
