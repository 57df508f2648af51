// The lines of a node's tooltip: where it is, whom it holds, what it asks, and what happens to values it cannot
// place.
#include "regrove/draw/node_details.hpp"

#include <cmath>
#include <limits>

#include "regrove/core/number_text.hpp"
#include "regrove/draw/clean_text.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/question_words.hpp"

namespace regrove::draw {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return "{" + text + "}";
}

std::string node_name(NodeId id) { return "node " + std::to_string(index(id)); }

std::string side_text(model::Side side) { return side == model::Side::right ? "yes" : "no"; }

// The question in full, numbers exact.
std::string full_question(model::QuestionKind kind, double threshold, const std::vector<std::string>& right,
                          const std::string& name) {
    if (kind == model::QuestionKind::category) {
        if (right.empty()) return name + " is missing";
        return right.size() == 1 ? name + " == " + right.front() : name + " in " + joined(right);
    }
    if (threshold == std::numeric_limits<double>::infinity()) return name + " is missing";
    return name + " > " + to_text(threshold);
}

void add_value(std::string& text, const model::Ensemble& ensemble, const model::Node& node) {
    if (ensemble.combination == model::Combination::sum) {
        text += "\nadds to the score:";
        for (const double value : node.value) text += " " + to_text(value);
        return;
    }
    if (ensemble.task == model::Task::regression) {
        text += "\nmean of " + clean_text(ensemble.label_name) + ": " + to_text(node.value.front());
        text += "\nstandard deviation: " + to_text(std::sqrt(node.impurity));
        return;
    }
    double sum = 0;
    for (const double weight : node.value) sum += weight;
    for (std::size_t i = 0; i < node.value.size(); ++i)
        if (node.value[i] > 0)
            text += "\n" + clean_text(ensemble.classes[i]) + ": " + to_text(node.value[i]) + " (" +
                    percent_text(node.value[i] / sum) + ")";
    text += "\nimpurity: " + to_text(node.impurity);
}

void add_missing(std::string& text, const model::Question& question) {
    text +=
        question.missing_seen ? "\nmissing values go to: " : "\nno missing values in training; they would go to: ";
    text += side_text(question.missing_side);
}

void add_category_sides(std::string& text, const model::Question& question, const model::Feature& feature) {
    text += "\nno: " + joined(side_categories(question, feature, model::Side::left));
    text += "\nyes: " + joined(side_categories(question, feature, model::Side::right));
    text += "\nother categories go to: " + side_text(question.heavier_side);
}

void add_ties(std::string& text, const model::Node& node) {
    if (node.ties_cutting_differently > 0)
        text += "\nother questions of the same gain that cut the rows differently: " +
                std::to_string(node.ties_cutting_differently);
    if (node.ties_cutting_alike > 0)
        text += "\nother questions that cut the rows alike: " + std::to_string(node.ties_cutting_alike);
}

void add_surrogates(std::string& text, const model::Ensemble& ensemble, const model::Question& question) {
    for (const model::Surrogate& surrogate : question.surrogates) {
        const model::Feature& feature = ensemble.features[index(surrogate.feature)];
        model::Question backup;
        backup.right_categories = surrogate.right_categories;
        backup.seen_categories = surrogate.seen_categories;
        text += "\nif missing, ask: " +
                full_question(surrogate.kind, surrogate.threshold,
                              side_categories(backup, feature, model::Side::right), clean_text(feature.name)) +
                (surrogate.reversed ? " (yes means no)" : "") + ", agrees on " + percent_text(surrogate.agreement);
    }
}

void add_question(std::string& text, const model::Ensemble& ensemble, const model::Node& node) {
    const model::Question& question = node.question;
    const model::Feature& feature = ensemble.features[index(question.feature)];
    text +=
        "\nasks: " + full_question(question.kind, question.threshold,
                                   side_categories(question, feature, model::Side::right), clean_text(feature.name));
    text += "\nno: " + node_name(node.left) + ", yes: " + node_name(node.right);
    if (question.kind == model::QuestionKind::category)
        add_category_sides(text, question, feature);
    else if (question.training_low < question.training_high)
        text += "\nseen in training: " + to_text(question.training_low) + " to " + to_text(question.training_high);
    add_missing(text, question);
    text += "\ngain: " + to_text(node.gain);
    add_ties(text, node);
    add_surrogates(text, ensemble, question);
}

}  // namespace

std::string node_details(const model::Ensemble& ensemble, const model::Tree& tree, NodeId id,
                         std::uint32_t leaf_number) {
    const model::Node& node = tree.node(id);
    const double share = tree.nodes.front().weight > 0 ? node.weight / tree.nodes.front().weight : 1;
    std::string text = node_name(id) + (node.is_leaf() ? ", leaf " + std::to_string(leaf_number) : "");
    text +=
        "\nrows: " + count_text(node.rows) + ", weight: " + to_text(node.weight) + " (" + percent_text(share) + ")";
    add_value(text, ensemble, node);
    if (!node.is_leaf()) add_question(text, ensemble, node);
    return text;
}

}  // namespace regrove::draw
