// Walking a tree in 16-byte steps.
#include "regrove/infer/tree_walk.hpp"

#include <limits>

namespace regrove::infer {

TreeWalk::TreeWalk(const model::Tree& tree) : tree_(&tree) {
    steps_.reserve(tree.nodes.size());
    for (const model::Node& node : tree.nodes) {
        Step step{std::numeric_limits<double>::quiet_NaN(), 0, 0};
        if (!node.is_leaf()) {
            step.feature = index(node.question.feature);
            step.right = index(node.right);
            if (node.question.kind == model::QuestionKind::threshold) step.threshold = node.question.threshold;
        }
        steps_.push_back(step);
    }
}

NodeId TreeWalk::leaf(std::span<const double> cells) const {
    PathFlags ignored;
    std::uint32_t at = 0;
    while (steps_[at].right != 0) {
        const Step& step = steps_[at];
        const double cell = cells[step.feature];
        if (cell > step.threshold)
            at = step.right;
        else if (cell <= step.threshold)
            ++at;
        else
            at = answer(tree_->nodes[at].question, cells, ignored) == model::Side::left ? at + 1 : step.right;
    }
    return NodeId{at};
}

}  // namespace regrove::infer
