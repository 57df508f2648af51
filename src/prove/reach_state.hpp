// What a forest can still say in a box: each tree's topmost open question, and how far a class can fall behind
// others.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "regrove/cellspace/space.hpp"

#include "search_forest.hpp"

namespace regrove::prove {

/// A cut of a box: cells <= `cut` of the axis on the left.
struct Cut {
    std::uint32_t axis = 0;
    std::uint32_t cut = 0;
    double gain = -1;  ///< how much it lifts the bounds; negative: there is no cut
    bool right_is_worse = false;
};

enum class Settled : std::uint8_t { open, wanted, other };

/// A stack of levels: level 0 is the first box, each further one a part of the box below it, cut on one axis. Levels
/// are made once and used again.
class ReachState {
  public:
    explicit ReachState(const SearchForest& forest);

    /// Level 0: no bounds yet.
    void start(const cellspace::Box& box);
    /// Makes level + 1 for `box`, a part of level's box that is smaller on `axis`, and keeps the bounds of trees that
    /// do not ask for it. With `bounded`, the others are bounded anew against the level's class.
    void descend(std::size_t level, const cellspace::Box& box, std::uint32_t axis, bool bounded);
    /// Bounds all trees of a level for the class `wanted`.
    void bound(std::size_t level, const cellspace::Box& box, std::uint32_t wanted);

    /// Whether the bounds of a level leave only `wanted`, or only another class.
    Settled settle(std::size_t level);
    /// The cut, at a question that is open, that lifts the bounds against the strongest rival most. Behind settle()
    /// that said open. Only the questions of the trees `among`, unless it is empty.
    Cut best_cut(std::size_t level, const cellspace::Box& box, std::span<const std::uint32_t> among = {});
    std::uint32_t root(std::size_t level, std::size_t tree) const { return levels_[level].roots[tree]; }

    std::uint32_t class_at(std::span<const std::uint32_t> cell);

  private:
    struct Level {
        std::uint32_t wanted = 0;
        std::vector<std::uint32_t> roots;  ///< of each tree
        /// Of each tree, side (that its root sends cells to) and class k: the least of score(wanted) - score(k) over
        /// the reachable leaves.
        std::vector<double> least;
    };
    /// An open question as the choice of a cut sees it.
    struct Question {
        std::uint32_t axis;
        std::uint32_t first_right;
        double left;  ///< least of the left side, against the rival
        double right;
        bool is_mask;
        double lower() const { return left < right ? left : right; }
    };

    Level& level_at(std::size_t level);
    double* least_of(Level& level, std::size_t tree, std::size_t side) {
        return level.least.data() + (2 * tree + side) * classes_;
    }
    void sink(const SearchTree& tree, std::uint32_t& root, const cellspace::Box& box) const;
    void bound_tree(Level& level, std::size_t t, const cellspace::Box& box);
    std::uint32_t visit(std::size_t t, std::uint32_t from, const cellspace::Box& box, std::uint32_t wanted,
                        double* least);
    void list_question(Level& level, std::size_t t, const cellspace::Box& box);
    Cut rate(const Question& asked) const;

    const SearchForest& forest_;
    std::size_t classes_;
    std::vector<Level> levels_;
    std::uint32_t rival_ = 0;  ///< the class that settle() found strongest
    std::vector<double> sums_;
    std::vector<Question> questions_;
    std::vector<std::uint32_t> open_nodes_;
    std::vector<std::vector<std::uint32_t>> visits_;  ///< trees that share nodes: when a node was met last
    std::uint32_t visit_ = 0;
};

}  // namespace regrove::prove
