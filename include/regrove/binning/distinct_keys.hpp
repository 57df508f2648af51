// The distinct values of a column, as long as they are few.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/binning/key_column.hpp"

namespace regrove::binning {

/// The distinct keys of the rows that take part, ascending; reading stops when there are more than `limit`, and then the
/// result holds limit + 1 of them.
std::vector<std::uint64_t> distinct_keys(const KeyColumn& column, RowRange rows, std::size_t limit);

/// Sorts and drops repeats.
void make_distinct(std::vector<std::uint64_t>& keys);

}  // namespace regrove::binning
