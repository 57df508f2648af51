// Trees that do not ask for the axis of a cut keep their bounds; the others are walked again over what is reachable.
#include "reach_state.hpp"

#include <algorithm>
#include <limits>

#include "regrove/core/check.hpp"

namespace regrove::prove {

namespace {

constexpr std::uint32_t k_several_rows = 0xFFFFFFFF;
constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// Where a question about categories changes its answer nearest to the middle of the interval: the last cell before.
std::uint32_t change_near_middle(const SearchTree& tree, const SearchNode& node, std::uint32_t low,
                                 std::uint32_t high) {
    const std::uint32_t middle = low + (high - low - 1) / 2;
    for (std::uint32_t away = 0;; ++away) {
        const auto changes_behind = [&](std::uint32_t c) {
            return tree.goes_right(node, c) != tree.goes_right(node, c + 1);
        };
        if (middle + away < high && changes_behind(middle + away)) return middle + away;
        if (middle >= low + away && changes_behind(middle - away)) return middle - away;
        REGROVE_CHECK(middle + away < high || middle >= low + away);
    }
}

}  // namespace

ReachState::ReachState(const SearchForest& forest)
    : forest_(forest), classes_(forest.classes()), sums_(classes_), visits_(forest.trees().size()) {
    for (std::size_t t = 0; t < visits_.size(); ++t)
        if (forest.trees()[t].shares_nodes) visits_[t].assign(forest.trees()[t].nodes.size(), 0);
    questions_.reserve(visits_.size());
}

ReachState::Level& ReachState::level_at(std::size_t level) {
    const std::size_t trees = forest_.trees().size();
    while (levels_.size() <= level) {
        Level& made = levels_.emplace_back();
        made.roots.resize(trees);
        made.least.resize(2 * trees * classes_);
    }
    return levels_[level];
}

void ReachState::start(const cellspace::Box& box) {
    Level& first = level_at(0);
    for (std::size_t t = 0; t < first.roots.size(); ++t) {
        first.roots[t] = forest_.trees()[t].root;
        sink(forest_.trees()[t], first.roots[t], box);
    }
}

/// Moves a root down past questions that have one answer in the box.
void ReachState::sink(const SearchTree& tree, std::uint32_t& root, const cellspace::Box& box) const {
    for (;;) {
        const SearchNode& node = tree.nodes[root];
        if (node.is_leaf()) return;
        const Sides sides = tree.sides(node, box.low[node.axis], box.high[node.axis]);
        if (sides == Sides::both) return;
        root = sides == Sides::left ? node.left : node.right;
    }
}

void ReachState::descend(std::size_t level, const cellspace::Box& box, std::uint32_t axis, bool bounded) {
    level_at(level + 1);
    const Level& above = levels_[level];
    Level& below = levels_[level + 1];
    below.wanted = above.wanted;
    below.roots = above.roots;
    if (bounded) below.least = above.least;
    for (std::size_t t = 0; t < below.roots.size(); ++t) {
        const SearchTree& tree = forest_.trees()[t];
        if (!tree.asks(axis) || tree.nodes[below.roots[t]].is_leaf()) continue;
        sink(tree, below.roots[t], box);
        if (bounded) bound_tree(below, t, box);
    }
}

void ReachState::bound(std::size_t level, const cellspace::Box& box, std::uint32_t wanted) {
    Level& own = level_at(level);
    own.wanted = wanted;
    for (std::size_t t = 0; t < own.roots.size(); ++t) bound_tree(own, t, box);
}

/// A tree whose reachable leaves all say the same becomes that leaf.
void ReachState::bound_tree(Level& level, std::size_t t, const cellspace::Box& box) {
    const SearchTree& tree = forest_.trees()[t];
    const SearchNode& root = tree.nodes[level.roots[t]];
    double* const left = least_of(level, t, 0);
    double* const right = least_of(level, t, 1);
    if (root.is_leaf()) {
        visit(t, level.roots[t], box, level.wanted, left);
        std::copy_n(left, classes_, right);
        return;
    }
    const std::uint32_t one = visit(t, root.left, box, level.wanted, left);
    const std::uint32_t other = visit(t, root.right, box, level.wanted, right);
    if (one == other || one == k_several_rows || other == k_several_rows) {
        if (one != other || one == k_several_rows) return;
        level.roots[t] = one;
    } else if (tree.nodes[one].row == tree.nodes[other].row) {
        level.roots[t] = one;
    }
}

/// Writes the least of score(wanted) - score(k) over the leaves reachable from a node; returns one of these leaves if
/// all say the same.
std::uint32_t ReachState::visit(std::size_t t, std::uint32_t from, const cellspace::Box& box, std::uint32_t wanted,
                                double* least) {
    const SearchTree& tree = forest_.trees()[t];
    std::fill_n(least, classes_, k_infinity);
    std::vector<std::uint32_t>& met = visits_[t];
    if (++visit_ == 0) {
        for (auto& nodes : visits_) std::ranges::fill(nodes, 0U);
        visit_ = 1;
    }
    std::uint32_t only = k_several_rows;
    bool several = false;
    open_nodes_.assign(1, from);
    while (!open_nodes_.empty()) {
        const std::uint32_t id = open_nodes_.back();
        open_nodes_.pop_back();
        if (!met.empty()) {
            if (met[id] == visit_) continue;
            met[id] = visit_;
        }
        const SearchNode& node = tree.nodes[id];
        if (!node.is_leaf()) {
            const Sides sides = tree.sides(node, box.low[node.axis], box.high[node.axis]);
            if ((sides & Sides::right) != 0) open_nodes_.push_back(node.right);
            if ((sides & Sides::left) != 0) open_nodes_.push_back(node.left);
            continue;
        }
        if (only == k_several_rows)
            only = id;
        else
            several = several || tree.nodes[only].row != node.row;
        const auto scores = tree.scores(node);
        for (std::size_t k = 0; k < classes_; ++k) least[k] = std::min(least[k], scores[wanted] - scores[k]);
    }
    return several ? k_several_rows : only;
}

Settled ReachState::settle(std::size_t level) {
    Level& own = levels_[level];
    const std::size_t trees = own.roots.size();
    std::ranges::fill(sums_, 0.0);
    bool all_leaves = true;
    for (std::size_t t = 0; t < trees; ++t) {
        const double* const left = least_of(own, t, 0);
        const double* const right = least_of(own, t, 1);
        for (std::size_t k = 0; k < classes_; ++k) sums_[k] += std::min(left[k], right[k]);
        all_leaves = all_leaves && forest_.trees()[t].nodes[own.roots[t]].is_leaf();
    }
    bool wins = true;
    rival_ = own.wanted;
    for (std::uint32_t k = 0; k < classes_; ++k) {
        if (k == own.wanted) continue;
        wins = wins && forest_.wins(own.wanted, k, sums_[k]);
        if (rival_ == own.wanted || sums_[k] < sums_[rival_]) rival_ = k;
    }
    if (wins) return Settled::wanted;
    if (!all_leaves) return Settled::open;
    std::ranges::fill(sums_, 0.0);
    for (std::size_t t = 0; t < trees; ++t) {
        const SearchTree& tree = forest_.trees()[t];
        const auto scores = tree.scores(tree.nodes[own.roots[t]]);
        for (std::size_t k = 0; k < classes_; ++k) sums_[k] += scores[k];
    }
    return forest_.class_of_sums(sums_) == own.wanted ? Settled::wanted : Settled::other;
}

void ReachState::list_question(Level& level, std::size_t t, const cellspace::Box& box) {
    const SearchTree& tree = forest_.trees()[t];
    const SearchNode& root = tree.nodes[level.roots[t]];
    if (root.is_leaf()) return;
    Question asked{root.axis, root.first_right, least_of(level, t, 0)[rival_], least_of(level, t, 1)[rival_],
                   root.mask != 0};
    if (asked.is_mask)
        asked.first_right = change_near_middle(tree, root, box.low[root.axis], box.high[root.axis]) + 1;
    questions_.push_back(asked);
}

/// How the sum of the trees' bounds rises on both sides of the cut at a question.
Cut ReachState::rate(const Question& asked) const {
    double left = 0;
    double right = 0;
    for (const Question& other : questions_) {
        if (other.axis != asked.axis || (other.is_mask && &other != &asked)) continue;
        const double lower = other.lower();
        if (other.first_right >= asked.first_right) left += other.left - lower;
        if (other.first_right <= asked.first_right) right += other.right - lower;
    }
    return {asked.axis, asked.first_right - 1, left + right + 8 * std::min(left, right), left > right};
}

Cut ReachState::best_cut(std::size_t level, const cellspace::Box& box, std::span<const std::uint32_t> among) {
    questions_.clear();
    if (among.empty())
        for (std::size_t t = 0; t < visits_.size(); ++t) list_question(levels_[level], t, box);
    for (const std::uint32_t t : among) list_question(levels_[level], t, box);
    Cut best;
    for (const Question& asked : questions_) {
        const Cut cut = rate(asked);
        const bool before = cut.axis < best.axis || (cut.axis == best.axis && cut.cut < best.cut);
        if (cut.gain > best.gain || (cut.gain == best.gain && before)) best = cut;
    }
    return best;
}

std::uint32_t ReachState::class_at(std::span<const std::uint32_t> cell) {
    std::ranges::fill(sums_, 0.0);
    for (const SearchTree& tree : forest_.trees()) {
        const auto scores = tree.scores(tree.leaf_at(cell));
        for (std::size_t k = 0; k < classes_; ++k) sums_[k] += scores[k];
    }
    return forest_.class_of_sums(sums_);
}

}  // namespace regrove::prove
