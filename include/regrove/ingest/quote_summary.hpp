// What a range of whole lines does to quotes: a summary under both hypotheses about its start, and its merge.
//
// A line starts either outside quotes, then a record begins there, or inside a quoted field. A rank that holds a
// range of a file cannot know which, so it scans for both; an exclusive scan over the ranks' summaries decides.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "regrove/ingest/dialect.hpp"

namespace regrove::ingest {

constexpr std::uint64_t k_no_record = std::numeric_limits<std::uint64_t>::max();

/// Mergeable; index 0: the range starts outside quotes, 1: inside.
struct QuoteSummary {
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;  ///< line ends
    std::array<bool, 2> ends_inside{false, true};
    /// Offset of the first record start, and the line ends before it; k_no_record when there is none.
    std::array<std::uint64_t, 2> first_record{k_no_record, k_no_record};
    std::array<std::uint64_t, 2> lines_before{};
};

/// `lines` holds whole lines: it ends at a line end (not between CR and LF) or at the end of the file.
QuoteSummary summarise_quotes(std::string_view lines, const Dialect& dialect);

/// The summary of `left` followed by `right`: associative, with QuoteSummary{} as identity.
QuoteSummary merge(const QuoteSummary& left, const QuoteSummary& right);

}  // namespace regrove::ingest
