// The distinct integers of a column, and which of them each row holds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/data/table.hpp"

namespace regrove::data {

/// Ascending. May stop looking when there are more than `most`. Values are int32 or int64 within 2^62, none missing. Time
/// O(rows) when they lie
/// close together, else O(rows log most).
std::vector<std::int64_t> distinct_integers(const ColumnValues& values, std::size_t most);

/// The place of each row's integer in `integers` (ascending, all of the column among them).
void places_of_integers(const ColumnValues& values, std::span<const std::int64_t> integers,
                        std::span<std::uint32_t> places);

}  // namespace regrove::data
