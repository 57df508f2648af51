// Whether an ensemble says one class in all cells of a box: an exact proof, or two cells that disagree.
//
// Branch and bound: a box is done when bounds on the differences of the classes' scores exclude all classes but one;
// else it is cut at a question of the tree that can change the closest difference most. Where bounds do not decide for
// rounding's sake, boxes are cut until every tree has one answer, and prediction's own rule decides.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "purity_reach.hpp"

namespace regrove::bornagain {

enum class Purity : std::uint8_t { pure, impure, undecided };

struct PurityResult {
    Purity purity = Purity::undecided;
    std::uint32_t class_index = 0;          ///< of the box's low corner
    std::vector<std::uint32_t> other_cell;  ///< impure: a cell of another class
};

struct PurityBudget {
    std::uint64_t boxes = 0;     ///< looked at, at most; zero: no limit
    std::function<bool()> ends;  ///< asked now and then; true leaves the question undecided
};

/// Asks about many boxes of one ensemble, which must outlive it; one thread at a time.
class PurityProver {
  public:
    explicit PurityProver(const cellspace::CompiledEnsemble& ensemble) : ensemble_(ensemble), state_(ensemble) {}

    PurityResult prove(const cellspace::Box& box, const PurityBudget& budget = {});
    ReachState& state() { return state_; }
    std::uint64_t boxes() const { return boxes_; }  ///< looked at so far

  private:
    Purity search();
    Purity search_sides(std::uint32_t other);
    bool is_spent();

    const cellspace::CompiledEnsemble& ensemble_;
    ReachState state_;
    const PurityBudget* budget_ = nullptr;
    std::uint64_t last_box_ = 0;
    std::uint64_t boxes_ = 0;
    std::vector<std::uint32_t> other_cell_;
};

}  // namespace regrove::bornagain
