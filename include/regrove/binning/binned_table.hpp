// A table as small integers: each feature's values replaced by the number of the bin that they fall into.
//
// Glossary of the module:
//   bin    numeric features: a range of values that are not told apart; bins are numbered in ascending order of value
//          category features: a category, numbered as in the dictionary
//   code   a bin's number; the code after the last bin (Bins::missing_code) stands for "no value"
//   exact  every distinct value has a bin of its own
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace regrove::binning {

/// The bins of one feature. They depend on the rows of all ranks, never on how those are spread.
struct Bins {
    bool category = false;
    std::uint32_t count = 0;  ///< without the one for "no value"
    /// Numeric features: smallest and largest value of the table in each bin, ascending. Equal when the bin holds one
    /// value.
    std::vector<double> low;
    std::vector<double> high;

    std::uint32_t missing_code() const { return count; }
    friend bool operator==(const Bins&, const Bins&) = default;
};

/// The codes of one feature, in the narrowest type that holds Bins::missing_code().
using Codes = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

/// Column by column: bins[f] and codes[f] belong to feature f; a code for each row.
struct BinnedTable {
    std::vector<Bins> bins;
    std::vector<Codes> codes;
    std::size_t rows = 0;
};

}  // namespace regrove::binning
