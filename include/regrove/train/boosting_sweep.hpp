// The sorted sweep of boosting: one pass over a column's order finds the best threshold of every open node.
//
// The rows of all open nodes come in ascending order of the column's value, mixed; each node keeps the sums of what it has
// seen (its left side) and judges a division whenever its value changes. Scores and ties are those of boosting_split: of
// equal scores the smaller threshold, then "missing goes left". Source: exact greedy search, Chen and Guestrin 2016,
// algorithm 1, for all nodes of a level at once as in SLIQ (Mehta, Agrawal and Rissanen 1996).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "regrove/train/boosting_judge.hpp"
#include "regrove/train/numeric_sweep.hpp"

namespace regrove::train {

/// Slot of a row that takes no part: its node is closed, or it was not drawn.
constexpr std::uint32_t k_closed_slot = 0xffffffffU;

/// Consecutive rows of a column's order, ascending by value.
struct GradientBlock {
    std::size_t count = 0;
    const std::uint32_t* slots = nullptr;
    const std::uint32_t* codes = nullptr;  ///< dense ranks of the values within the run, from zero
    const std::int64_t* gradients = nullptr;
    const std::int64_t* hessians = nullptr;
    std::uint64_t first_position = 0;  ///< place of the first row in the run
};

/// A node's best threshold of one column, while its value is only known by its place. Can be sent as it is.
struct ThresholdCandidate {
    double score = -std::numeric_limits<double>::infinity();  ///< of both sides
    GradientSums left;
    std::uint64_t code = 0;  ///< global dense rank of the last value that goes left
    RunPlace left_end;       ///< last row of the left side
    RunPlace right_begin;    ///< first row of the right side; holder -1: all values go left
    std::uint32_t feature = 0;
    std::uint8_t valid = 0;
    std::uint8_t missing_right = 0;
    std::uint8_t missing_seen = 0;
};

/// Higher score, then smaller feature, then smaller threshold: a total order on the candidates of a node.
bool precedes(const ThresholdCandidate& a, const ThresholdCandidate& b);

/// What a sweep must know of the open nodes for one column.
struct BoostingSweepInput {
    const BoostingSplitRules* rules = nullptr;
    std::span<const BoostingNodeView> nodes;  ///< a slot each
    std::uint32_t feature = 0;
    std::int32_t rank = 0;
    std::uint64_t first_code = 0;           ///< global code of the run's code zero
    std::span<const GradientSums> before;   ///< a slot: sums in lower ranks' runs; empty: zeros
    std::span<const GradientSums> missing;  ///< a slot: sums of rows without a value; empty: none
    std::span<const NextValue> next;        ///< a slot; empty: none
};

/// Time O(rows) with one judgement a distinct value and node; memory about 200 bytes a slot.
class BoostingSweep {
  public:
    explicit BoostingSweep(const BoostingSweepInput& input);
    void consume(const GradientBlock& block);
    /// A slot each.
    std::vector<ThresholdCandidate> finish();

  private:
    /// What is touched for every row.
    struct State {
        GradientSums left;  ///< without the rows that have no value
        std::uint64_t last_position = 0;
        std::uint32_t last_code = 0;
        bool any = false;
        bool filtered = false;   ///< a product tells most divisions that cannot be better
        double least_score = 0;  ///< scores below it are surely not better; filtered only
    };

    void change_value(std::uint32_t slot, const RunPlace& right);
    void judge(std::uint32_t slot, const GradientSums& left, const RunPlace& right, bool missing_right);
    bool surely_worse(const State& state, const GradientSums& all) const;

    BoostingSweepInput input_;
    double gradient_unit_;
    double hessian_unit_;
    double lambda_;
    std::vector<DivisionJudge> judges_;
    std::vector<State> states_;
    std::vector<ThresholdCandidate> best_;
};

}  // namespace regrove::train
