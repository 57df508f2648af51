// Right = above + missing * (where missing values go), with the surrogates asked one after the other.
#include "regrove/algebra/question_terms.hpp"

#include <bit>
#include <cmath>
#include <iterator>

namespace regrove::algebra {

namespace {

using model::Feature;
using model::Question;
using model::QuestionKind;
using model::Side;
using Terms = std::vector<QuestionTerm>;
using Set = std::vector<std::uint64_t>;

std::uint32_t members(const Set& set) {
    int count = 0;
    for (const std::uint64_t word : set) count += std::popcount(word);
    return static_cast<std::uint32_t>(count);
}

QuestionTerm constant(std::int32_t value) { return {value, {}}; }

Condition missing_of(FeatureId feature) { return {feature, ConditionKind::missing, 0, 0, {}}; }

void append(Terms& terms, Terms more) {
    terms.insert(terms.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Terms negated(Terms terms) {
    for (QuestionTerm& term : terms) term.sign = -term.sign;
    return terms;
}

Terms times(const Terms& first, const Terms& second) {
    Terms terms;
    for (const QuestionTerm& a : first)
        for (const QuestionTerm& b : second) {
            QuestionTerm term{a.sign * b.sign, a.conditions};
            term.conditions.insert(term.conditions.end(), b.conditions.begin(), b.conditions.end());
            terms.push_back(std::move(term));
        }
    return terms;
}

class TermWriter {
  public:
    TermWriter(const std::vector<Feature>& features, std::uint32_t max_set)
        : features_(features), max_set_(max_set) {}

    Terms question(const Question& question) const {
        Terms right = question.kind == QuestionKind::threshold ? above(question.feature, question.threshold)
                                                               : category(question);
        const Terms missing{{1, {missing_of(question.feature)}}};
        append(right, times(missing, missing_side(question, 0)));
        return right;
    }

  private:
    Terms above(FeatureId feature, double threshold) const {
        if (std::isinf(threshold)) return {};  // no number is above it
        const double border = canonical_border(threshold, features_[index(feature)].precision);
        return {{1, {{feature, ConditionKind::above, border, 0, {}}}}};
    }

    /// I(x in set), of known codes.
    Terms within(FeatureId feature, const Set& set) const {
        const std::uint32_t count = members(set);
        if (count > max_set_) return {{1, {{feature, ConditionKind::within, 0, 0, set}}}};
        Terms terms;
        const auto codes = static_cast<std::uint32_t>(features_[index(feature)].categories.size());
        for (std::uint32_t code = 0; code < codes; ++code)
            if (model::contains(set, code)) terms.push_back({1, {{feature, ConditionKind::equals, 0, code, {}}}});
        return terms;
    }

    /// Where the value is there: the right set, or all but those that go left.
    Terms category(const Question& question) const {
        if (question.heavier_side == Side::left) return within(question.feature, question.right_categories);
        Set left = question.seen_categories;
        for (std::size_t word = 0; word < question.right_categories.size(); ++word)
            left[word] &= ~question.right_categories[word];
        while (!left.empty() && left.back() == 0) left.pop_back();
        Terms terms{constant(1), {-1, {missing_of(question.feature)}}};
        append(terms, negated(within(question.feature, left)));
        return terms;
    }

    /// Whether a surrogate can be answered: the value is there, and training saw it at the node.
    Terms can_answer(const model::Surrogate& surrogate) const {
        if (surrogate.kind == QuestionKind::category) return within(surrogate.feature, surrogate.seen_categories);
        return {constant(1), {-1, {missing_of(surrogate.feature)}}};
    }

    /// Answered, and to the right.
    Terms answers_right(const model::Surrogate& surrogate) const {
        Terms plain = surrogate.kind == QuestionKind::threshold
                          ? above(surrogate.feature, surrogate.threshold)
                          : within(surrogate.feature, surrogate.right_categories);
        if (!surrogate.reversed) return plain;
        Terms reversed = can_answer(surrogate);
        append(reversed, negated(std::move(plain)));
        return reversed;
    }

    /// Where a row goes whose value is missing, from surrogate `next` on.
    Terms missing_side(const Question& question, std::size_t next) const {
        if (next == question.surrogates.size())
            return question.missing_side == Side::right ? Terms{constant(1)} : Terms{};
        const model::Surrogate& surrogate = question.surrogates[next];
        Terms terms = answers_right(surrogate);
        const Terms rest = missing_side(question, next + 1);
        append(terms, rest);
        append(terms, negated(times(can_answer(surrogate), rest)));
        return terms;
    }

    const std::vector<Feature>& features_;
    std::uint32_t max_set_;
};

}  // namespace

std::vector<QuestionTerm> question_terms(const Question& question, const std::vector<Feature>& features,
                                         std::uint32_t max_set) {
    return TermWriter(features, max_set).question(question);
}

ConditionTable condition_table(const model::Ensemble& ensemble, std::uint32_t max_set) {
    std::vector<Condition> conditions;
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes) {
            if (node.is_leaf()) continue;
            for (const QuestionTerm& term : question_terms(node.question, ensemble.features, max_set))
                conditions.insert(conditions.end(), term.conditions.begin(), term.conditions.end());
        }
    return ConditionTable(std::move(conditions));
}

}  // namespace regrove::algebra
