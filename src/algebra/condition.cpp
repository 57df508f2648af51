// Comparing, multiplying and asking conditions.
#include "regrove/algebra/condition.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

namespace {

using Set = std::vector<std::uint64_t>;

bool overlap(const Set& first, const Set& second) {
    for (std::size_t word = 0; word < std::min(first.size(), second.size()); ++word)
        if ((first[word] & second[word]) != 0) return true;
    return false;
}

bool is_part(const Set& part, const Set& whole) {
    for (std::size_t word = 0; word < part.size(); ++word)
        if ((part[word] & ~(word < whole.size() ? whole[word] : 0)) != 0) return false;
    return true;
}

Product product_of_sets(const Set& first, const Set& second) {
    if (!overlap(first, second)) return Product::never;
    if (is_part(first, second)) return Product::first;
    return is_part(second, first) ? Product::second : Product::both;
}

Set all_categories(const model::Feature& feature) {
    Set set;
    for (std::uint32_t code = 0; code < feature.categories.size(); ++code) model::insert(set, code);
    return set;
}

}  // namespace

bool holds(const Condition& condition, double cell) {
    switch (condition.kind) {
        case ConditionKind::above:
            return cell > condition.border;  // not for NaN
        case ConditionKind::equals:
            return cell == static_cast<double>(condition.category);
        case ConditionKind::within:
            return cell >= 0 && model::contains(condition.set, static_cast<std::uint32_t>(cell));
        case ConditionKind::missing:
            return std::isnan(cell);
    }
    return false;
}

double canonical_border(double threshold, model::NumericPrecision precision) {
    if (threshold == 0) return 0.0;
    if (precision == model::NumericPrecision::float64 || std::isinf(threshold)) return threshold;
    constexpr double k_largest_float = std::numeric_limits<float>::max();
    if (threshold > k_largest_float) return k_largest_float;
    if (threshold < -k_largest_float) return std::numeric_limits<double>::lowest();  // below it only -inf
    float narrow = static_cast<float>(threshold);
    if (static_cast<double>(narrow) > threshold)
        narrow = std::nextafter(narrow, -std::numeric_limits<float>::infinity());
    return narrow == 0 ? 0.0 : static_cast<double>(narrow);
}

Product product(const Condition& first, const Condition& second) {
    REGROVE_CHECK(first.feature == second.feature);
    if (first == second) return Product::first;
    if (first.kind == ConditionKind::missing || second.kind == ConditionKind::missing) return Product::never;
    if (first.kind == ConditionKind::above) return first.border > second.border ? Product::first : Product::second;
    if (first.kind == ConditionKind::equals && second.kind == ConditionKind::equals) return Product::never;
    if (first.kind == ConditionKind::equals)
        return model::contains(second.set, first.category) ? Product::first : Product::never;
    if (second.kind == ConditionKind::equals)
        return model::contains(first.set, second.category) ? Product::second : Product::never;
    return product_of_sets(first.set, second.set);
}

ConditionTable::ConditionTable(std::vector<Condition> conditions) : conditions_(std::move(conditions)) {
    std::ranges::sort(conditions_, [](const Condition& a, const Condition& b) { return (a <=> b) < 0; });
    const auto twice = std::ranges::unique(conditions_);
    conditions_.erase(twice.begin(), twice.end());
    if (conditions_.size() >= std::numeric_limits<ConditionId>::max())
        throw LimitError("the model asks for more than 2^32 different conditions");
}

ConditionId ConditionTable::find(const Condition& condition) const {
    const auto found = std::lower_bound(conditions_.begin(), conditions_.end(), condition,
                                        [](const Condition& a, const Condition& b) { return (a <=> b) < 0; });
    REGROVE_CHECK(found != conditions_.end() && *found == condition);
    return static_cast<ConditionId>(found - conditions_.begin());
}

std::string condition_text(const Condition& condition, const std::vector<model::Feature>& features) {
    return model::question_text(condition_question(condition, features), features);
}

model::Question condition_question(const Condition& condition, const std::vector<model::Feature>& features) {
    const model::Feature& feature = features[index(condition.feature)];
    model::Question question;
    question.feature = condition.feature;
    const bool numeric = feature.kind == model::FeatureKind::numeric;
    question.kind = numeric ? model::QuestionKind::threshold : model::QuestionKind::category;
    question.threshold = numeric ? std::numeric_limits<double>::infinity() : 0;
    question.missing_seen = true;
    if (!numeric) question.seen_categories = all_categories(feature);
    if (condition.kind == ConditionKind::above) question.threshold = condition.border;
    if (condition.kind == ConditionKind::equals) model::insert(question.right_categories, condition.category);
    if (condition.kind == ConditionKind::within) question.right_categories = condition.set;
    if (condition.kind == ConditionKind::missing) question.missing_side = model::Side::right;
    return question;
}

}  // namespace regrove::algebra
