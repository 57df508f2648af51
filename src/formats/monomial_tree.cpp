// A path to the right with a leaf of zeros on each left.
#include "monomial_tree.hpp"

#include <limits>

namespace regrove::formats {

model::Tree monomial_tree(const MonomialLine& line) {
    model::Tree tree;
    const std::vector<double> zeros(line.coefficient.size(), 0.0);
    for (const model::Question& question : line.questions) {
        const auto id = static_cast<std::uint32_t>(tree.nodes.size());
        model::Node inner;
        inner.question = question;
        inner.left = NodeId{id + 1};
        inner.right = NodeId{id + 2};
        inner.value = zeros;
        tree.nodes.push_back(std::move(inner));
        tree.nodes.emplace_back().value = zeros;
    }
    tree.nodes.emplace_back().value = line.coefficient;
    return tree;
}

std::optional<MonomialLine> monomial_of(const model::Tree& tree) {
    MonomialLine line;
    for (const model::Node& node : tree.nodes)
        if (!node.is_leaf()) line.questions.push_back(node.question);
    line.coefficient = tree.nodes.back().value;
    if (tree.nodes.size() != 2 * line.questions.size() + 1 || monomial_tree(line) != tree) return std::nullopt;
    return line;
}

model::Question plain_condition(FeatureId feature, const model::Feature& of) {
    model::Question question;
    question.feature = feature;
    question.missing_seen = true;
    if (of.kind == model::FeatureKind::numeric) {
        question.kind = model::QuestionKind::threshold;
        question.threshold = std::numeric_limits<double>::infinity();
        return question;
    }
    question.kind = model::QuestionKind::category;
    for (std::uint32_t code = 0; code < of.categories.size(); ++code) model::insert(question.seen_categories, code);
    return question;
}

}  // namespace regrove::formats
