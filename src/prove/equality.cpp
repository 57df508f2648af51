// The two are brought into one form, cut into parts, and the parts are proven.
#include "regrove/prove/equality.hpp"

#include <algorithm>
#include <numeric>

#include "regrove/core/check.hpp"

#include "box_search.hpp"
#include "part_run.hpp"

namespace regrove::prove {

namespace {

using cellspace::Box;
using cellspace::CompiledEnsemble;

/// Parts of about so many even pieces of the work; more than a few threads need, so that uneven ones do not matter.
constexpr double k_tree_parts = 1024;
constexpr std::size_t k_cuts_into_parts = 9;
constexpr std::uint32_t k_no_cell = 0xFFFFFFFF;  ///< the last cell of an axis that has none

std::vector<std::uint32_t> identity(std::uint32_t classes) {
    std::vector<std::uint32_t> map(classes);
    std::iota(map.begin(), map.end(), 0U);
    return map;
}

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& map) {
    std::vector<std::uint32_t> back(map.size());
    for (std::uint32_t k = 0; k < map.size(); ++k) back[map[k]] = k;
    return back;
}

/// A node of the guiding tree and a box that reaches it.
struct TreePart {
    std::uint32_t node;
    Box box;
};

/// Cuts a tree into parts of at most a certain number of leaves, in the order of a walk.
class TreeParts {
  public:
    explicit TreeParts(const SearchTree& tree) : tree_(tree), leaves_(tree.nodes.size(), 1) {
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            const SearchNode& node = tree.nodes[i];
            if (!node.is_leaf()) leaves_[i] = leaves_[node.left] + leaves_[node.right];
        }
    }

    std::vector<TreePart> cut(Box box) {
        most_leaves_ = std::max(1.0, leaves_[tree_.root] / k_tree_parts);
        walk(tree_.root, box);
        return std::move(parts_);
    }

  private:
    void walk(std::uint32_t id, Box& box) {
        const SearchNode& node = tree_.nodes[id];
        if (node.is_leaf() || leaves_[id] <= most_leaves_) {
            parts_.push_back({id, box});
            return;
        }
        const std::uint32_t end = box.high[node.axis] + 1;
        for (std::uint32_t low = box.low[node.axis]; low < end;) {
            const std::uint32_t high = tree_.same_answer_until(node, low, end - 1);
            const Narrowed part(box, node.axis, low, high);
            walk(tree_.goes_right(node, low) ? node.right : node.left, box);
            low = high + 1;
        }
    }

    const SearchTree& tree_;
    std::vector<double> leaves_;
    double most_leaves_ = 1;
    std::vector<TreePart> parts_;
};

PartAnswer against_tree(const SearchForest& forest, const SearchForest& tree,
                        const std::vector<std::uint32_t>& forest_class_of_tree, const Box& box,
                        const ProofLimits& limits) {
    const std::vector<TreePart> parts = TreeParts(tree.trees().front()).cut(box);
    return run_parts(parts.size(), most_boxes(limits), limits, [&](std::size_t part, Budget& budget) {
        ReachState state(forest);
        Place place{parts[part].box, {}};
        PartAnswer answer;
        answer.outcome = LeafWalk(tree, forest_class_of_tree, state, place, budget).run(parts[part].node);
        answer.found = std::move(place.found);
        return answer;
    });
}

PartAnswer jointly(const SearchForest& first, const SearchForest& second,
                   const std::vector<std::uint32_t>& first_class_of_second, const Box& box,
                   const ProofLimits& limits) {
    const SharedSubtrees subtrees(first, second);
    const SharedSubtrees* const shared = first_class_of_second == identity(first.classes()) ? &subtrees : nullptr;
    const auto search = [&](const Box& part, Budget& budget, std::vector<Box>* parts) {
        ReachState one(first);
        ReachState other(second);
        Place place{part, {}};
        JointSearch joint(one, other, first_class_of_second, shared, place, budget);
        PartAnswer answer;
        answer.outcome = parts == nullptr ? joint.run() : joint.cut_into_parts(k_cuts_into_parts, *parts);
        answer.boxes = budget.boxes();
        answer.found = std::move(place.found);
        return answer;
    };
    std::vector<Box> parts;
    Budget budget(limits, most_boxes(limits));
    PartAnswer start = search(box, budget, &parts);
    if (start.outcome != Outcome::proven) return start;
    PartAnswer rest = run_parts(parts.size(), most_boxes(limits) - start.boxes, limits,
                                [&](std::size_t part, Budget& own) { return search(parts[part], own, nullptr); });
    rest.boxes += start.boxes;
    return rest;
}

PartAnswer at_cells(const EqualityQuestion& question, const std::vector<std::uint32_t>& first_class_of_second,
                    const ProofLimits& limits) {
    const std::size_t axes = question.domain.box.low.size();
    const auto& cells = question.domain.cells;
    Budget budget(limits, most_boxes(limits));
    PartAnswer answer;
    answer.outcome = Outcome::proven;
    // A space without axes has one cell.
    for (std::size_t at = 0; at + axes <= cells.size() && answer.outcome == Outcome::proven;
         at += std::max(axes, std::size_t{1})) {
        const std::span<const std::uint32_t> cell(cells.data() + at, axes);
        if (!budget.spend()) {
            answer.outcome = Outcome::out;
        } else if (question.first->class_at(cell) != first_class_of_second[question.second->class_at(cell)]) {
            answer.outcome = Outcome::found;
            answer.found.assign(cell.begin(), cell.end());
        }
        if (axes == 0) break;
    }
    answer.boxes = budget.boxes();
    return answer;
}

PartAnswer everywhere(const EqualityQuestion& question, const std::vector<std::uint32_t>& first_class_of_second,
                      const ProofLimits& limits) {
    const SearchForest first(*question.first);
    const SearchForest second(*question.second);
    const Box& box = question.domain.box;
    if (first.is_same_as(second) && first_class_of_second == identity(first.classes()))
        return {Outcome::proven, 0, {}};
    if (second.trees().size() == 1) return against_tree(first, second, first_class_of_second, box, limits);
    if (first.trees().size() == 1) return against_tree(second, first, inverse(first_class_of_second), box, limits);
    return jointly(first, second, first_class_of_second, box, limits);
}

}  // namespace

Equality prove_equal(const EqualityQuestion& question, const ProofLimits& limits) {
    auto classes = question.first_class_of_second;
    if (classes.empty()) classes = identity(question.second->classes());
    REGROVE_CHECK(classes.size() == question.second->classes() && classes.size() == question.first->classes());
    // An axis without cells (a dictionary without categories) would make every claim true.
    const Box& box = question.domain.box;
    for (std::size_t axis = 0; axis < box.low.size(); ++axis)
        REGROVE_CHECK(box.low[axis] <= box.high[axis] && box.high[axis] < k_no_cell);
    const PartAnswer answer =
        question.domain.only_cells ? at_cells(question, classes, limits) : everywhere(question, classes, limits);
    Equality result;
    result.boxes = answer.boxes;
    if (answer.outcome == Outcome::out) return result;
    result.verdict = answer.outcome == Outcome::proven ? Verdict::yes : Verdict::no;
    if (result.verdict == Verdict::yes) return result;
    result.cell = answer.found;
    result.first_class = question.first->class_at(result.cell);
    result.second_class = question.second->class_at(result.cell);
    REGROVE_CHECK(result.first_class != classes[result.second_class]);
    return result;
}

}  // namespace regrove::prove
