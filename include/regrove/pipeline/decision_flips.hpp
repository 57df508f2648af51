// Rows whose decision is another one after a model was simplified, counted by segment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

/// A decision is `answer > cut-off`, where the answer is a number or the probability of class 1; with three classes and more, it is
/// the class itself, and there are no cut-offs.
struct FlipQuestion {
    std::vector<double> cut_offs;
    std::string segment;    ///< column that divides the rows; empty: all rows are one segment
    bool list_rows = true;  ///< whether the rows themselves are wanted
};

struct FlipCount {
    std::string segment;
    double cut_off = 0;  ///< NaN where decisions are classes
    std::uint64_t rows = 0;
    std::uint64_t to_yes = 0;  ///< or to another class
    std::uint64_t to_no = 0;
};

struct FlippedRow {
    std::uint64_t row = 0;  ///< of the whole table, from zero
    std::uint64_t cut_off = 0;
    double before = 0;  ///< the answer; or the class index
    double after = 0;
};

struct DecisionFlips {
    std::vector<FlipCount> counts;  ///< segment by segment in order of their names, cut-offs in the order given
    std::vector<FlippedRow> rows;   ///< by row, then cut-off; on the root only
};

/// The cut-offs in the list: 0.5 for two classes when it is empty. Throws ConfigError where they make no sense or are missing.
std::vector<double> checked_cut_offs(const std::vector<std::string>& texts, const model::Ensemble& model);

/// Throws InputError when the table has no such column; "" is none.
void check_segment(const data::TableShard& rows, const std::string& column);

/// Both polynomials are of `model`'s frame; scores are exact. Collective; throws InputError,
/// agreed, when there is no such column, and LimitError for more than 10,000 segments.
DecisionFlips decision_flips(comm::Communicator& comm, const model::Ensemble& model,
                             const algebra::Polynomial& before, const algebra::Polynomial& after,
                             const data::TableShard& rows, const FlipQuestion& question);

/// CSV: segment, cut_off, rows, flips, to_yes, to_no.
std::string flip_counts_csv(const DecisionFlips& flips);
/// CSV: row, cut_off, before, after; with classes, their names.
std::string flipped_rows_csv(const DecisionFlips& flips, const FlipQuestion& question, const model::Ensemble& model);

}  // namespace regrove::pipeline
