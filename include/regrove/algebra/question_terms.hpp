// A question as a small polynomial of conditions: 1 where it sends a row right, 0 where left.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/algebra/condition.hpp"

namespace regrove::algebra {

/// sign * the product of the conditions; conditions of one feature may stand beside each other.
struct QuestionTerm {
    std::int32_t sign = 1;
    std::vector<Condition> conditions;
};

/// Categories in sets of up to this many stand alone, one indicator each; larger sets are one condition.
constexpr std::uint32_t k_expanded_set = 32;

/// `max_set`: see k_expanded_set; UINT32_MAX expands all, which makes polynomials unique. Answers as infer::answer does for
/// every cell: numbers, known and unknown categories, missing values with and without surrogates.
std::vector<QuestionTerm> question_terms(const model::Question& question, const std::vector<model::Feature>& features,
                                         std::uint32_t max_set = k_expanded_set);

/// All conditions that a model's questions need.
ConditionTable condition_table(const model::Ensemble& ensemble, std::uint32_t max_set = k_expanded_set);

}  // namespace regrove::algebra
