// What of every tree can still be reached in a box, and what it can add to the difference of two classes' scores.
//
// Boxes are entered and left like a stack: entering a side of a cut looks again only at the trees that ask its axis, from
// the deepest question above all their reachable leaves, and remembers what it changes. Nothing is allocated after the
// first walks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::bornagain {

/// Cells <= cell of an axis of the space go left.
struct CellCut {
    std::uint32_t axis = 0;
    std::uint32_t cell = 0;
};

class ReachState {
  public:
    explicit ReachState(const cellspace::CompiledEnsemble& ensemble);

    /// Starts with a box; differences are those of the scores of other classes less that of `own_class`.
    void begin(const cellspace::Box& box, std::uint32_t own_class);
    /// Goes to a side of a cut inside the box.
    void enter(const CellCut& cut, bool right);
    /// Undoes the last enter().
    void leave();

    const cellspace::Box& box() const { return box_; }
    std::uint32_t own_class() const { return own_class_; }

    /// Whether prediction nowhere in the box says `other` rather than the own class, as far as bounds tell.
    bool excludes(std::uint32_t other) const;
    /// Whether `other` beats the own class everywhere in the box, as far as bounds tell.
    bool loses_to(std::uint32_t other) const;
    /// Upper bound on the sum of differences of a class.
    double most(std::uint32_t other) const;
    /// Whether every tree has one answer left: then the box has one class, which class_here() says exactly.
    bool is_settled() const { return open_trees_ == 0; }
    std::uint32_t class_here() const;
    /// The topmost open question of the tree that can change the difference of `other` most; some tree must be open.
    CellCut widest_cut(std::uint32_t other) const;
    /// Marks the cells of the box behind which some open question changes its answer: marks[axis][cell], of as many
    /// cells as the axis has.
    void mark_open_cuts(std::vector<std::vector<std::uint8_t>>& marks);

  private:
    struct TreeState {
        std::uint32_t top = 0;     ///< the step at which its reachable part begins
        std::uint32_t answer = 0;  ///< one reachable answer
        bool is_open = false;      ///< there are others
    };
    /// Of one tree's reachable answers, for one class.
    struct Range {
        double least_difference = 0;
        double most_difference = 0;
        double least_score = 0;
        double most_score = 0;
    };
    struct Saved {
        std::uint32_t tree = 0;
        TreeState state;
    };
    struct Entered {
        CellCut cut;
        bool right = false;
        std::uint32_t border = 0;  ///< of the box before
        std::size_t saved = 0;     ///< length of the trail before
    };
    struct TreeTable {
        std::vector<double> scores;            ///< answers x classes
        std::vector<std::uint32_t> answer_of;  ///< by step: equal scores, equal number
    };

    void look_at(std::uint32_t tree);
    template <class Visit>
    void walk(std::uint32_t tree, std::uint32_t top, const Visit& visit);
    void widen(std::uint32_t tree, std::uint32_t answer, bool is_first);
    bool goes_left(const cellspace::CompiledTree& tree, const cellspace::Step& step) const {
        return tree.some_left(step, box_.low[step.axis], box_.high[step.axis]);
    }
    bool goes_right(const cellspace::CompiledTree& tree, const cellspace::Step& step) const {
        return tree.some_right(step, box_.low[step.axis], box_.high[step.axis]);
    }
    double least(std::uint32_t other) const;
    bool rounds_below(std::uint32_t other) const;
    Range& range(std::uint32_t tree, std::uint32_t k) { return ranges_[std::size_t{tree} * classes_ + k]; }
    const Range& range(std::uint32_t tree, std::uint32_t k) const {
        return ranges_[std::size_t{tree} * classes_ + k];
    }

    const cellspace::CompiledEnsemble& ensemble_;
    std::uint32_t classes_;
    std::uint32_t trees_;
    double margin_ = 0;     ///< sums of differences this far from zero are decided whatever was rounded
    bool is_exact_ = true;  ///< all scores are integers whose sums no double rounds
    std::vector<TreeTable> tables_;
    std::vector<std::vector<std::uint32_t>> asking_;  ///< by axis: the trees that ask for it

    cellspace::Box box_;
    std::uint32_t own_class_ = 0;
    std::uint32_t open_trees_ = 0;
    std::vector<TreeState> states_;
    std::vector<Range> ranges_;  ///< trees x classes
    std::vector<Saved> trail_;
    std::vector<Range> trail_ranges_;
    std::vector<Entered> entered_;
    std::vector<std::uint32_t> to_do_;
    std::vector<std::uint32_t> seen_;  ///< by step: the walk that met it, since paths can meet again
    std::uint32_t walks_ = 0;
    mutable std::vector<double> sums_;
};

}  // namespace regrove::bornagain
