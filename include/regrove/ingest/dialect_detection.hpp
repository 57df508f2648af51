// Guesses the delimiter and the header of a text from its first records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "regrove/ingest/dialect.hpp"
#include "regrove/ingest/missing_markers.hpp"
#include "regrove/ingest/piece_fields.hpp"

namespace regrove::ingest {

/// The first records of `head`, at most `count`. An open record at the end of `head` is kept only if `complete`.
std::vector<FirstRecordFields> first_records(std::string_view head, const Dialect& dialect, std::size_t count,
                                             bool complete);

/// The delimiter under which most of the first records have the same number of fields (at least two); ties go to tab,
/// semicolon, bar, comma, space in this order. ',' when there is one column only.
char detect_delimiter(std::string_view head, const Dialect& dialect, bool complete);

enum class HeaderGuess : std::uint8_t {
    row,            ///< the first record holds numbers, or texts that occur again below
    header,         ///< its texts stand over numbers, or there is nothing below
    likely_header,  ///< all is text, and no text of the first record occurs again in its column
};
HeaderGuess detect_header(const std::vector<FirstRecordFields>& records, const Dialect& dialect,
                          const MissingMarkers& missing);

/// The most frequent number of fields of the records behind the first, or of the first when it is alone; 0 when there
/// is none. Ties go to the first record's number.
std::size_t usual_field_count(const std::vector<FirstRecordFields>& records);

}  // namespace regrove::ingest
