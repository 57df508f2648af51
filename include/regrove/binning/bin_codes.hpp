// The codes of a column whose bins' upper boundaries are known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/binning/key_column.hpp"

namespace regrove::binning {

/// `rows` codes in the narrowest type that holds missing_code, all equal to it.
Codes make_codes(std::uint32_t missing_code, std::size_t rows);

/// Fills the codes of the rows of the range: the number of boundaries (ascending keys) below the value, but at most the
/// last bin; boundaries.size() for "no value". Values of rows that take no part, too. `lowest` (boundaries.size() + 1
/// long) is lowered to the smallest key in each bin among the rows that take part; its last element means nothing.
void encode(const KeyColumn& column, RowRange rows, std::span<const std::uint64_t> boundaries, Codes& codes,
            std::span<std::uint64_t> lowest);

/// A category column's codes as they are, missing ones as `categories`.
Codes encode_categories(const std::vector<std::int32_t>& cells, std::uint32_t categories);

}  // namespace regrove::binning
