// Counts votes over some hundred records; every guess can be overruled by an option.
#include "regrove/ingest/dialect_detection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "regrove/ingest/number_cell.hpp"

namespace regrove::ingest {
namespace {

constexpr std::size_t k_delimiter_records = 200;

struct Agreement {
    std::size_t fields = 0;
    std::size_t records = 0;
};

/// The most frequent number of fields among records [from, end).
Agreement most_frequent(const std::vector<FirstRecordFields>& records, std::size_t from) {
    std::map<std::size_t, std::size_t> counts;
    for (std::size_t i = from; i < records.size(); ++i) ++counts[records[i].fields.size()];
    Agreement best;
    for (const auto& [fields, count] : counts)
        if (count > best.records) best = {fields, count};
    return best;
}

bool is_number(const std::string& text, const Dialect& dialect) {
    return read_number(text, dialect.decimal_mark).kind != NumberKind::none;
}

/// What the cells below the first record look like in one column.
struct Below {
    bool any = false;
    bool only_numbers = true;
    bool any_quoted = false;
    bool repeats_first = false;
};

Below look_below(const std::vector<FirstRecordFields>& records, std::size_t column, const Dialect& dialect,
                 const MissingMarkers& missing) {
    Below below;
    for (std::size_t i = 1; i < records.size(); ++i) {
        if (column >= records[i].fields.size()) continue;
        const std::string& text = records[i].fields[column];
        if (missing.is_missing(text)) continue;
        below.any = true;
        below.only_numbers = below.only_numbers && is_number(text, dialect);
        below.any_quoted = below.any_quoted || records[i].quoted[column];
        below.repeats_first = below.repeats_first || text == records[0].fields[column];
    }
    return below;
}

}  // namespace

std::vector<FirstRecordFields> first_records(std::string_view head, const Dialect& dialect, std::size_t count,
                                             bool complete) {
    std::vector<FirstRecordFields> records;
    while (records.size() < count) {
        FirstRecordFields record = read_first_record(head, dialect);
        if (record.bytes == 0 || (record.open_quote && !complete)) break;
        head.remove_prefix(record.bytes);
        records.push_back(std::move(record));
    }
    return records;
}

char detect_delimiter(std::string_view head, const Dialect& dialect, bool complete) {
    char best = ',';
    // The best share of agreeing records, as a fraction: a wrong delimiter also cuts quoted records into more lines.
    std::size_t most = 0;
    std::size_t most_of = 1;
    for (const char candidate : {'\t', ';', '|', ',', ' '}) {
        Dialect tried = dialect;
        tried.delimiter = candidate;
        const auto records = first_records(head, tried, k_delimiter_records, complete);
        const Agreement agreement = most_frequent(records, 0);
        if (agreement.fields < 2 || agreement.records * most_of <= most * records.size()) continue;
        most = agreement.records;
        most_of = records.size();
        best = candidate;
    }
    return best;
}

HeaderGuess detect_header(const std::vector<FirstRecordFields>& records, const Dialect& dialect,
                          const MissingMarkers& missing) {
    if (records.empty()) return HeaderGuess::row;
    const FirstRecordFields& first = records.front();
    std::size_t header_votes = 0;
    std::size_t row_votes = 0;
    bool all_new = true;
    std::set<std::string_view> distinct;
    for (std::size_t column = 0; column < first.fields.size(); ++column) {
        const std::string& text = first.fields[column];
        if (missing.is_missing(text)) continue;
        const Below below = look_below(records, column, dialect, missing);
        all_new = all_new && !below.repeats_first && distinct.insert(text).second;
        const bool numbers_below = below.any && below.only_numbers;
        if (!is_number(text, dialect)) {
            header_votes += numbers_below ? 1 : 0;
        } else if (first.quoted[column] && numbers_below && !below.any_quoted) {
            ++header_votes;  // "1","2" over 1,2: a quoted name
        } else {
            ++row_votes;
        }
    }
    if (header_votes != row_votes) return header_votes > row_votes ? HeaderGuess::header : HeaderGuess::row;
    if (row_votes > 0 || !all_new || distinct.empty()) return HeaderGuess::row;
    return records.size() == 1 ? HeaderGuess::header : HeaderGuess::likely_header;
}

std::size_t usual_field_count(const std::vector<FirstRecordFields>& records) {
    if (records.empty()) return 0;
    const Agreement most = most_frequent(records, records.size() > 1 ? 1 : 0);
    const std::size_t first = records.front().fields.size();
    std::size_t as_first = 0;
    for (std::size_t i = 1; i < records.size(); ++i) as_first += records[i].fields.size() == first ? 1U : 0U;
    return as_first == most.records ? first : most.fields;
}

}  // namespace regrove::ingest
