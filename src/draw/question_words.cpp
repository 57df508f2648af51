// Words for a question: the smaller side of a category question is listed, as many names as the line holds.
#include "regrove/draw/question_words.hpp"

#include <limits>

#include "regrove/draw/clean_text.hpp"
#include "regrove/draw/figure_text.hpp"

namespace regrove::draw {
namespace {

constexpr double k_max_category_width = 0.6;  // of the line
constexpr double k_single_line = 0.9;         // longer ones are broken in two

std::string shown_name(const std::string& category, Font font, double max_width) {
    return category.empty() ? "\"\"" : shortened(category, font, max_width * k_max_category_width);
}

// "{normal, fixed, +3 more}" with as many names as `max_width` holds, at least one.
std::string category_set(const std::vector<std::string>& names, Font font, double max_width, bool& complete) {
    std::string set = "{" + shown_name(names.front(), font, max_width);
    for (std::size_t i = 1; i < names.size(); ++i) {
        const std::size_t left_after = names.size() - i - 1;
        const std::string longer = set + ", " + shown_name(names[i], font, max_width);
        const std::string ending = left_after == 0 ? "}" : ", +" + std::to_string(left_after) + " more}";
        if (text_width(longer + ending, font) > max_width) {
            complete = false;
            return set + ", +" + std::to_string(left_after + 1) + " more}";
        }
        set = longer;
    }
    return set + "}";
}

std::string category_predicate(const model::Question& question, const model::Feature& feature, Font font,
                               double max_width, bool& complete) {
    const std::vector<std::string> left = side_categories(question, feature, model::Side::left);
    const std::vector<std::string> right = side_categories(question, feature, model::Side::right);
    if (right.empty()) return "is missing";
    if (left.empty() && question.missing_side == model::Side::left) return "is not missing";
    const bool negative = !left.empty() && left.size() < right.size();
    const std::vector<std::string>& listed = negative ? left : right;
    if (listed.size() == 1) return (negative ? "≠ " : "= ") + shown_name(listed.front(), font, max_width);
    const std::string words = negative ? "not in " : "in ";
    return words + category_set(listed, font, max_width - text_width(words, font), complete);
}

std::string predicate(const model::Node& node, const model::Feature& feature, Font font, double max_width,
                      bool& complete) {
    const model::Question& question = node.question;
    if (question.kind == model::QuestionKind::category)
        return category_predicate(question, feature, font, max_width, complete);
    if (question.threshold == std::numeric_limits<double>::infinity()) return "is missing";
    const bool single = feature.precision == model::NumericPrecision::float32;
    return "> " +
           threshold_text(question.threshold, {question.training_low, question.training_high, node.rows, single});
}

}  // namespace

std::vector<std::string> side_categories(const model::Question& question, const model::Feature& feature,
                                         model::Side side) {
    std::vector<std::string> names;
    for (std::uint32_t code = 0; code < feature.categories.size(); ++code) {
        const bool seen = question.seen_categories.empty() || model::contains(question.seen_categories, code);
        const bool right = model::contains(question.right_categories, code);
        if (seen && right == (side == model::Side::right)) names.push_back(clean_text(feature.categories[code]));
    }
    return names;
}

QuestionWords question_words(const model::Node& node, const std::vector<model::Feature>& features, Font font,
                             double max_width) {
    const model::Feature& feature = features[index(node.question.feature)];
    const std::string name = clean_text(feature.name);
    QuestionWords words;
    const std::string tail = predicate(node, feature, font, max_width, words.complete);
    if (text_width(name + " " + tail, font) <= max_width * k_single_line) {
        words.lines = {name + " " + tail};
        return words;
    }
    words.lines = {shortened(name, font, max_width), shortened(tail, font, max_width)};
    words.complete = words.complete && words.lines[0] == name && words.lines[1] == tail;
    return words;
}

}  // namespace regrove::draw
