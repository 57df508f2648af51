// The sorted sweep: one pass over a column's order finds the best threshold question of every open node.
//
// The rows of all open nodes come in ascending order of the column's value, mixed; each node keeps the statistics of what
// it has seen (its left side) and takes a candidate whenever its value changes. Source: SLIQ (Mehta, Agrawal and Rissanen
// 1996) and ScalParC (Joshi, Karypis and Kumar 1998). Time: one update an entry, one evaluation a distinct value a node.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "regrove/train/exact_score.hpp"
#include "regrove/train/target.hpp"

namespace regrove::train {

/// Key of a row that takes no part: its node is closed, or it has no value.
constexpr std::uint32_t k_closed_key = 0xffffffffU;

/// Bits that a key keeps for the class; the slot stands above them. Regression: none.
int class_bits(const StatisticsLayout& layout);

/// Consecutive entries of a run, ascending by value.
struct EntryBlock {
    std::size_t count = 0;
    const std::uint32_t* keys = nullptr;    ///< slot << class_bits | class, or k_closed_key
    const std::uint32_t* codes = nullptr;   ///< dense ranks of the values within the run, from zero
    const std::int64_t* targets = nullptr;  ///< regression only
    const std::int64_t* weights = nullptr;  ///< weighted tables only
    std::uint64_t first_position = 0;       ///< place of the first entry in the run
};

/// A place in a run: which rank holds it and where.
struct RunPlace {
    std::int32_t holder = -1;  ///< -1: none
    std::uint64_t position = 0;
};

/// What a node finds beyond the end of this rank's run: the next higher value of the column among its rows.
struct NextValue {
    RunPlace place;          ///< holder -1: no further value
    std::uint64_t code = 0;  ///< global
};

/// A node's best question about one column, or about any once merged.
struct SplitCandidate {
    ExactScore score;
    std::uint64_t code =
        0;              ///< numeric: global dense rank of the last value that goes left; category: see category_split
    RunPlace left_end;  ///< last entry of the left side
    RunPlace right_begin;  ///< first entry of the right side; holder -1: none, everything with a value goes left
    std::int64_t left_weight = 0;
    std::int64_t right_weight = 0;
    std::uint32_t feature = 0;
    bool valid = false;
    bool missing_right = false;
    bool reversed = false;  ///< surrogates: agrees better with right for left
};

/// Higher score, then smaller feature, then smaller threshold: a total order on the candidates of a node.
bool precedes(const SplitCandidate& x, const SplitCandidate& y);
/// Keeps the preceding one; associative and commutative.
void merge_candidate(SplitCandidate& into, const SplitCandidate& from);

/// A candidate whose score equals the best of its slot and column.
struct TiedCandidate {
    std::uint32_t slot = 0;
    SplitCandidate candidate;
};

/// What a sweep must know of the open nodes for one column. Arrays are slots x layout.size() unless said otherwise.
struct SweepInput {
    std::uint32_t slots = 0;
    std::uint32_t feature = 0;
    std::int32_t rank = 0;
    std::uint64_t first_code = 0;           ///< global code of the run's code zero
    std::span<const std::int64_t> valued;   ///< totals of the rows with a value
    std::span<const std::int64_t> before;   ///< statistics in lower ranks' runs; empty: zeros
    std::span<const std::int64_t> missing;  ///< totals of the rows without a value; empty: none
    std::span<const NextValue> next;        ///< a slot each; empty: none
    bool missing_as_question = false;       ///< "has no value" is a candidate, too
    bool parent_term_of_valued = false;     ///< surrogate rule: gains count valued rows only
    std::uint64_t min_rows_leaf = 1;
};

struct SweepResult {
    std::vector<SplitCandidate> best;  ///< a slot each
    std::vector<TiedCandidate> ties;   ///< with the best of the same slot; includes none of the bests
};

class NumericSweep {
  public:
    virtual ~NumericSweep() = default;
    virtual void consume(const EntryBlock& block) = 0;
    virtual SweepResult finish() = 0;
};

/// The sweep for a criterion; `entropy` and the spans of `input` must outlive it.
std::unique_ptr<NumericSweep> make_numeric_sweep(const StatisticsLayout& layout, Criterion criterion, bool weighted,
                                                 const EntropyTerms& entropy, const SweepInput& input);

}  // namespace regrove::train
