// Pairs of monomials and sums of residuals over the rows of all ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/monomial_pairs.hpp"
#include "regrove/comm/communicator.hpp"

namespace regrove::dist {

/// algebra::count_pairs over all ranks. Bytes a rank sends: at most 8 monomials^2 and 8 more a monomial. Collective; throws
/// InputError, agreed, when columns do not fit, and LimitError for 2^32 rows and more.
algebra::MonomialPairs monomial_pairs(comm::Communicator& comm, const algebra::Polynomial& polynomial,
                                      algebra::MonomialPlaces monomials, const data::TableShard& shard);

/// For each of the monomials and each score, the sum of `values` (rows x scores, finite) over the rows that it holds for, on all
/// ranks. Values are rounded to a grid that their largest and the number of rows fix, at worst 2^-62 times rows of the largest, so
/// that sums are the same in any order. Bytes a rank sends: 8 a sum. Collective; throws InputError, agreed.
std::vector<double> sums_over_rows(comm::Communicator& comm, const algebra::Polynomial& polynomial,
                                   algebra::MonomialPlaces monomials, std::span<const double> values,
                                   const data::TableShard& shard);

}  // namespace regrove::dist
