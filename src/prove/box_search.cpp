// Recursion is as deep as the cuts of a box: at most one for each hyperplane.
#include "box_search.hpp"

#include "regrove/core/check.hpp"

namespace regrove::prove {

Outcome ClassSearch::run(std::size_t level) {
    if (!budget_.spend()) return Outcome::out;
    return settle(level);
}

Outcome ClassSearch::settle(std::size_t level) {
    cellspace::Box& box = place_.box;
    const Settled settled = state_.settle(level);
    if (settled == Settled::wanted) return Outcome::proven;
    if (settled == Settled::other) {
        place_.found = box.low;
        return Outcome::found;
    }
    const Cut cut = state_.best_cut(level, box);
    REGROVE_CHECK(cut.gain >= 0);
    for (const bool right : {cut.right_is_worse, !cut.right_is_worse}) {
        const Narrowed half(box, cut.axis, right ? cut.cut + 1 : box.low[cut.axis],
                            right ? box.high[cut.axis] : cut.cut);
        state_.descend(level, box, cut.axis, true);
        const Outcome outcome = run(level + 1);
        if (outcome != Outcome::proven) return outcome;
    }
    return Outcome::proven;
}

Outcome LeafWalk::run(std::uint32_t node) {
    state_.start(place_.box);
    return walk(0, node);
}

Outcome LeafWalk::walk(std::size_t level, std::uint32_t id) {
    const SearchTree& tree = guide_.trees().front();
    const SearchNode& node = tree.nodes[id];
    cellspace::Box& box = place_.box;
    if (node.is_leaf()) {
        state_.bound(level, box, wanted_[guide_.class_of(node)]);
        return ClassSearch(state_, place_, budget_).run(level);
    }
    const std::uint32_t end = box.high[node.axis] + 1;
    for (std::uint32_t low = box.low[node.axis]; low < end;) {
        const std::uint32_t high = tree.same_answer_until(node, low, end - 1);
        const std::uint32_t child = tree.goes_right(node, low) ? node.right : node.left;
        if (high - low == box.high[node.axis] - box.low[node.axis]) return walk(level, child);
        const Narrowed part(box, node.axis, low, high);
        state_.descend(level, box, node.axis, false);
        const Outcome outcome = walk(level + 1, child);
        if (outcome != Outcome::proven) return outcome;
        low = high + 1;
    }
    return Outcome::proven;
}

Outcome JointSearch::run() {
    first_.start(place_.box);
    second_.start(place_.box);
    return look(0, true);
}

Outcome JointSearch::cut_into_parts(std::size_t depth, std::vector<cellspace::Box>& parts) {
    parts_ = &parts;
    depth_ = depth;
    const Outcome outcome = run();
    parts_ = nullptr;
    return outcome;
}

/// Compares the two at the box's low corner, unless that is the corner of the box before.
Outcome JointSearch::look(std::size_t level, bool low_corner_is_new) {
    if (!budget_.spend()) return Outcome::out;
    if (!low_corner_is_new) return settle(level);
    const auto& corner = place_.box.low;
    const std::uint32_t first = first_.class_at(corner);
    const std::uint32_t second = second_.class_at(corner);
    if (first != first_class_[second]) {
        place_.found = corner;
        return Outcome::found;
    }
    if (level == 0 || first != first_wanted_) {
        first_.bound(level, place_.box, first);
        second_.bound(level, place_.box, second);
    }
    first_wanted_ = first;
    second_wanted_ = second;
    return settle(level);
}

Outcome JointSearch::settle(std::size_t level) {
    const bool first_done = first_.settle(level) == Settled::wanted;
    const bool second_done = second_.settle(level) == Settled::wanted;
    if (first_done && second_done) return Outcome::proven;
    apart_.clear();
    if (shared_ != nullptr && shared_->all_same(first_, second_, level, apart_)) return Outcome::proven;
    if (parts_ != nullptr && (level == depth_ || first_done || second_done)) {
        parts_->push_back(place_.box);
        return Outcome::proven;
    }
    if (first_done) return ClassSearch(second_, place_, budget_).settle(level);
    if (second_done) return ClassSearch(first_, place_, budget_).settle(level);
    return cut(level);
}

/// First at the questions of trees that are not the same in both: behind them there may be nothing left to prove.
Cut JointSearch::choose_cut(std::size_t level) {
    const auto better = [&](std::span<const std::uint32_t> among) {
        const Cut one = first_.best_cut(level, place_.box, among);
        const Cut other = second_.best_cut(level, place_.box, among);
        return one.gain >= other.gain ? one : other;
    };
    const Cut among_others = apart_.empty() ? Cut{} : better(apart_);
    return among_others.gain >= 0 ? among_others : better({});
}

Outcome JointSearch::cut(std::size_t level) {
    cellspace::Box& box = place_.box;
    const Cut best = choose_cut(level);
    REGROVE_CHECK(best.gain >= 0);
    const std::uint32_t first_wanted = first_wanted_;
    const std::uint32_t second_wanted = second_wanted_;
    for (const bool right : {false, true}) {
        const Narrowed half(box, best.axis, right ? best.cut + 1 : box.low[best.axis],
                            right ? box.high[best.axis] : best.cut);
        first_.descend(level, box, best.axis, true);
        second_.descend(level, box, best.axis, true);
        first_wanted_ = first_wanted;
        second_wanted_ = second_wanted;
        const Outcome outcome = look(level + 1, right);
        if (outcome != Outcome::proven) return outcome;
    }
    return Outcome::proven;
}

}  // namespace regrove::prove
