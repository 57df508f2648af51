// The tree of one monomial, and the monomial of such a tree.
#pragma once

#include <optional>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::formats {

/// The questions of the conditions, in order, and what the last right leaf holds.
struct MonomialLine {
    std::vector<model::Question> questions;
    std::vector<double> coefficient;
};

model::Tree monomial_tree(const MonomialLine& line);
/// nullopt when it is no such tree, or its nodes hold more than that.
std::optional<MonomialLine> monomial_of(const model::Tree& tree);

/// What conditions have in common: missing values and unknown categories go left, unless "missing" is the condition;
/// training saw missing values and all categories.
model::Question plain_condition(FeatureId feature, const model::Feature& of);

}  // namespace regrove::formats
