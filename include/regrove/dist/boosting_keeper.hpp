// Who keeps the state of a boosting run between its rounds, so that it can be stopped and taken up again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// The watched metric after one round, over the rows of all ranks.
struct LearningPoint {
    std::uint64_t round = 0;  ///< from 1; goes on from the continued model's rounds
    double training = 0;
    double validation = 0;  ///< NaN without validation rows
};

/// All that a run needs to go on after a round: scores are added up anew from the trees, in the same order and so to the same
/// bits, and draws are keyed by the round's number.
struct BoostingState {
    model::Ensemble ensemble;        ///< all trees so far, a continued model's among them
    std::uint64_t rounds_grown = 0;  ///< by this run, before it was stopped and since
    std::vector<LearningPoint> points;
    std::uint64_t best_round = 0;  ///< early stopping; zero: none yet
    double best = 0;
};

class BoostingKeeper {
  public:
    virtual ~BoostingKeeper() = default;
    /// What to go on from, the same on every rank; null: begin.
    virtual const BoostingState* resumed() const = 0;
    /// After each round; `make_state` is local and is called where the state is to be written. True: stop here. Collective.
    virtual bool stop_after(std::uint64_t rounds_grown, const std::function<BoostingState()>& make_state) = 0;
};

}  // namespace regrove::dist
