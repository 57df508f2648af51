// Branch and bound over boxes: a forest against one class, against the leaves of a tree, or against another forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "budget.hpp"
#include "reach_state.hpp"
#include "shared_subtrees.hpp"

namespace regrove::prove {

enum class Outcome : std::uint8_t {
    proven,
    found,  ///< a cell that speaks against it
    out,    ///< of the budget
};

/// The box that a search is in; the cell that it found. Cut and put back in place.
struct Place {
    cellspace::Box box;
    std::vector<std::uint32_t> found;
};

/// An axis of the box narrowed to low .. high, until the end of the scope.
class Narrowed {
  public:
    Narrowed(cellspace::Box& box, std::uint32_t axis, std::uint32_t low, std::uint32_t high)
        : box_(box), axis_(axis), low_(box.low[axis]), high_(box.high[axis]) {
        box.low[axis] = low;
        box.high[axis] = high;
    }
    ~Narrowed() {
        box_.low[axis_] = low_;
        box_.high[axis_] = high_;
    }
    Narrowed(const Narrowed&) = delete;
    Narrowed& operator=(const Narrowed&) = delete;

  private:
    cellspace::Box& box_;
    std::uint32_t axis_;
    std::uint32_t low_;
    std::uint32_t high_;
};

/// Whether a forest has one class in a box.
class ClassSearch {
  public:
    ClassSearch(ReachState& state, Place& place, Budget& budget) : state_(state), place_(place), budget_(budget) {}

    /// `level` is bounded for the class.
    Outcome run(std::size_t level);
    /// The same, the box being counted.
    Outcome settle(std::size_t level);

  private:
    ReachState& state_;
    Place& place_;
    Budget& budget_;
};

/// Whether a forest has on each leaf of a tree that leaf's class.
class LeafWalk {
  public:
    /// `guide` is a single tree; `wanted`: the forest's class for each of the guide's.
    LeafWalk(const SearchForest& guide, std::span<const std::uint32_t> wanted, ReachState& state, Place& place,
             Budget& budget)
        : guide_(guide), wanted_(wanted), state_(state), place_(place), budget_(budget) {}

    /// From a node of the guide that the place's box reaches.
    Outcome run(std::uint32_t node);

  private:
    Outcome walk(std::size_t level, std::uint32_t node);

    const SearchForest& guide_;
    std::span<const std::uint32_t> wanted_;
    ReachState& state_;
    Place& place_;
    Budget& budget_;
};

/// Whether two forests have the same class everywhere in a box.
class JointSearch {
  public:
    /// `first_class`: the first forest's class for each of the second's. `shared` is null when it is not the same
    /// number.
    JointSearch(ReachState& first, ReachState& second, std::span<const std::uint32_t> first_class,
                const SharedSubtrees* shared, Place& place, Budget& budget)
        : first_(first),
          second_(second),
          first_class_(first_class),
          shared_(shared),
          place_(place),
          budget_(budget) {}

    Outcome run();
    /// Cuts at most `depth` times and puts the boxes that are not settled then into `parts`.
    Outcome cut_into_parts(std::size_t depth, std::vector<cellspace::Box>& parts);

  private:
    Outcome look(std::size_t level, bool low_corner_is_new);
    Outcome cut(std::size_t level);
    Cut choose_cut(std::size_t level);
    Outcome settle(std::size_t level);

    ReachState& first_;
    ReachState& second_;
    std::span<const std::uint32_t> first_class_;
    const SharedSubtrees* shared_;
    Place& place_;
    Budget& budget_;
    std::vector<std::uint32_t> apart_;  ///< trees that are not the same in the box
    std::vector<cellspace::Box>* parts_ = nullptr;
    std::size_t depth_ = 0;
    std::uint32_t first_wanted_ = 0;  ///< of the low corner of the box
    std::uint32_t second_wanted_ = 0;
};

}  // namespace regrove::prove
