// The search for the exact quantiles of one column spread over ranks: rounds that count keys by ever longer prefixes.
//
// Each round is local -> merge -> advance. Locally a rank counts the next digit of the keys that begin with a prefix
// still asked about (or, when few rows are left, collects those keys); the caller adds the tables of all ranks (or puts
// the keys behind each other); advance then keeps the longer prefixes that hold a wanted place. Only integers are
// added, so the outcome does not depend on how rows are spread.
//
// Glossary:
//   place    the number of a row in the order of the values of all ranks, from one
//   stretch  the rows whose keys begin with one prefix; stretches are in ascending order of the prefix
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/key_column.hpp"

namespace regrove::binning {

/// The sizes of a search; the outcome does not depend on them.
struct QuantileSizes {
    unsigned first_digit_bits = 16;
    unsigned digit_bits = 8;
    /// Most counts of a table; digits get shorter when there are many stretches.
    std::size_t most_counts = std::size_t{1} << 20U;
    /// Keys are collected instead of counted when there are this many times fewer of them than counts; zero: never.
    std::uint64_t collect_factor = 8;

    /// Most counts that a table for at most `max_bin` stretches has.
    std::size_t table_bound(std::uint32_t max_bin) const;
};

class QuantileSearch {
  public:
    /// For the places ceil((j+1) * n / max_bin), j = 0 .. max_bin-1, of the n rows with a value; n is at most
    /// `row_bound`, the same on all ranks.
    QuantileSearch(unsigned key_bits, std::uint32_t max_bin, std::uint64_t row_bound,
                   const QuantileSizes& sizes = {});

    bool done() const { return done_; }
    /// The distinct keys at the wanted places, ascending; complete when done.
    const std::vector<std::uint64_t>& boundaries() const { return prefixes_; }

    /// What the round asks for: keys, or a table of this many counts.
    bool wants_keys() const;
    std::size_t table_size() const { return prefixes_.size() << digit_bits_; }

    /// Adds the rows of the range to the table (table_size() long).
    void count(const KeyColumn& column, RowRange rows, std::span<std::uint64_t> table) const;
    /// The keys of the range that are in a stretch, in any order.
    std::vector<std::uint64_t> collect(const KeyColumn& column, RowRange rows) const;

    /// End a round with what all ranks counted or collected.
    void advance(std::span<const std::uint64_t> table);
    void advance_by_keys(std::vector<std::uint64_t> keys);

  private:
    template <class Take>
    void visit_stretches(const KeyColumn& column, RowRange rows, Take take) const;
    std::uint64_t prefix_of(std::uint64_t key) const {
        // A shift by 64 bits is undefined.
        return prefix_bits_ == 0 ? 0 : key >> (key_bits_ - prefix_bits_);
    }
    void want_places(std::uint64_t rows);
    void choose_digit();

    QuantileSizes sizes_;
    std::uint32_t max_bin_;
    unsigned key_bits_;
    unsigned prefix_bits_ = 0;
    unsigned digit_bits_ = 0;
    bool done_ = false;
    std::vector<std::uint64_t> places_;    ///< ascending, distinct; known after the first round
    std::vector<std::uint64_t> prefixes_;  ///< of the stretches: their first prefix_bits_ bits as a number
    std::vector<std::uint64_t> below_;     ///< rows before each stretch
    std::uint64_t rows_left_;              ///< rows in all stretches, or a bound of them
};

}  // namespace regrove::binning
