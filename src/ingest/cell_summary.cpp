// Sums, extremes and earliest places, all independent of the order in which summaries meet.
#include "regrove/ingest/cell_summary.hpp"

#include <algorithm>

namespace regrove::ingest {

void merge(CellSummary& into, const CellSummary& from) {
    into.cells += from.cells;
    into.missing += from.missing;
    into.integers += from.integers;
    into.big_integers += from.big_integers;
    into.lossy_integers += from.lossy_integers;
    into.reals += from.reals;
    into.float64_only += from.float64_only;
    into.codes += from.codes;
    into.comma_texts += from.comma_texts;
    into.other_texts += from.other_texts;
    into.point_marks += from.point_marks;
    into.comma_marks += from.comma_marks;
    into.infinities += from.infinities;
    into.overflows += from.overflows;
    into.low_integer = std::min(into.low_integer, from.low_integer);
    into.high_integer = std::max(into.high_integer, from.high_integer);
    into.low = std::min(into.low, from.low);
    into.high = std::max(into.high, from.high);
    into.first_text = std::min(into.first_text, from.first_text);
    into.first_infinity = std::min(into.first_infinity, from.first_infinity);
    into.first_overflow = std::min(into.first_overflow, from.first_overflow);
    into.first_lossy_integer = std::min(into.first_lossy_integer, from.first_lossy_integer);
    into.first_point_mark = std::min(into.first_point_mark, from.first_point_mark);
}

}  // namespace regrove::ingest
