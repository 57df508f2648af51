// What can be read off an ensemble: the length of its values and the words of its questions.
#include "regrove/model/ensemble.hpp"

#include <bit>
#include <cmath>

#include "regrove/core/number_text.hpp"

namespace regrove::model {

namespace {

/// A float32 feature's threshold is shown as that float where it is one: 0.1, not 0.10000000149011612.
std::string threshold_text(double threshold, NumericPrecision precision) {
    const auto narrow = static_cast<float>(threshold);
    const bool is_float = static_cast<double>(narrow) == threshold;
    return precision == NumericPrecision::float32 && is_float ? to_text(narrow) : to_text(threshold);
}

std::string category_list(const std::vector<std::uint64_t>& set, const std::vector<std::string>& names) {
    std::string list;
    for (std::uint32_t c = 0; c < names.size(); ++c) {
        if (!contains(set, c)) continue;
        if (!list.empty()) list += ", ";
        list += names[c];
    }
    return list;
}

}  // namespace

std::uint32_t Ensemble::outputs() const {
    return task == Task::classification ? static_cast<std::uint32_t>(classes.size()) : 1U;
}

std::uint32_t Ensemble::scores() const {
    return combination == Combination::sum && link == Link::logistic ? 1U : outputs();
}

std::uint32_t Ensemble::value_length() const {
    if (combination != Combination::sum) return outputs();
    return tree_outputs.empty() ? scores() : 1U;
}

double Ensemble::total_tree_weight() const {
    if (tree_weights.empty()) return static_cast<double>(trees.size());
    double total = 0;
    for (const double weight : tree_weights) total += weight;
    return total;
}

std::vector<Feature> numbered_features(std::size_t count) {
    std::vector<Feature> features(count);
    for (std::size_t f = 0; f < count; ++f) features[f].name = "f" + std::to_string(f);
    return features;
}

std::string question_text(const Question& question, const std::vector<Feature>& features) {
    if (question.kind == QuestionKind::leaf) return {};
    const Feature& feature = features[index(question.feature)];
    if (question.kind == QuestionKind::threshold) {
        if (std::isinf(question.threshold)) return feature.name + " is missing";
        return feature.name + " > " + threshold_text(question.threshold, feature.precision);
    }
    const std::string list = category_list(question.right_categories, feature.categories);
    if (list.empty()) return feature.name + " is missing";
    int members = 0;
    for (const std::uint64_t word : question.right_categories) members += std::popcount(word);
    if (members == 1) return feature.name + " == " + list;
    return feature.name + " in {" + list + "}";
}

}  // namespace regrove::model
