// Answering one question of one row.
#include "regrove/infer/route.hpp"

#include <cmath>

#include "regrove/infer/binding.hpp"
#include "regrove/infer/surrogate_answer.hpp"

namespace regrove::infer {

namespace {

using model::Question;
using model::QuestionKind;
using model::Side;
using model::Surrogate;

Side side_of(bool right) { return right ? Side::right : Side::left; }

Side answer_missing(const Question& question, std::span<const double> cells, PathFlags& flags) {
    for (const Surrogate& surrogate : question.surrogates)
        if (const auto side = answer(surrogate, cells)) return *side;
    if (!question.missing_seen) flags.unseen_missing = true;
    return question.missing_side;
}

Side answer_category(const Question& question, double cell, PathFlags& flags) {
    const bool known = cell != k_unknown_category;
    const auto code = known ? static_cast<std::uint32_t>(cell) : 0;
    if (known && model::contains(question.seen_categories, code))
        return side_of(model::contains(question.right_categories, code));
    flags.unseen_category = true;
    return question.heavier_side;
}

}  // namespace

std::optional<Side> answer(const Surrogate& surrogate, std::span<const double> cells) {
    const double cell = cells[index(surrogate.feature)];
    if (std::isnan(cell)) return std::nullopt;
    if (surrogate.kind == QuestionKind::threshold) return side_of((cell > surrogate.threshold) != surrogate.reversed);
    if (cell == k_unknown_category) return std::nullopt;
    const auto code = static_cast<std::uint32_t>(cell);
    if (!model::contains(surrogate.seen_categories, code)) return std::nullopt;
    return side_of(model::contains(surrogate.right_categories, code) != surrogate.reversed);
}

Side answer(const Question& question, std::span<const double> cells, PathFlags& flags) {
    const double cell = cells[index(question.feature)];
    if (std::isnan(cell)) return answer_missing(question, cells, flags);
    if (question.kind == QuestionKind::category) return answer_category(question, cell, flags);
    if (cell < question.training_low || cell > question.training_high) flags.outside_range = true;
    return side_of(cell > question.threshold);
}

NodeId leaf_of(const model::Tree& tree, std::span<const double> cells, PathFlags& flags) {
    NodeId id{0};
    while (!tree.node(id).is_leaf()) {
        const model::Node& node = tree.node(id);
        id = answer(node.question, cells, flags) == Side::left ? node.left : node.right;
    }
    return id;
}

}  // namespace regrove::infer
