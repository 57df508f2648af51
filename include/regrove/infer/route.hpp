// The rule by which a row goes left or right at a question; everything that predicts follows it.
//
// A number x goes right when x > threshold, else left. A missing value is decided by the first surrogate that can be
// answered, else by the question's missing side. A category that training did not see at the node takes the heavier
// side.
#pragma once

#include <span>

#include "regrove/model/tree.hpp"

namespace regrove::infer {

/// What a row met on its way that training never saw there.
struct PathFlags {
    bool unseen_category = false;  ///< a category new at its node: took the heavier side
    bool unseen_missing =
        false;  ///< a missing value, new at its node, that no surrogate answered: took the heavier side
    bool outside_range = false;  ///< a number outside the node's training range
    friend bool operator==(const PathFlags&, const PathFlags&) = default;
};

/// Where a row goes; `cells` as Binding::fill writes them. Sets flags, never clears them.
model::Side answer(const model::Question& question, std::span<const double> cells, PathFlags& flags);

/// The leaf that a row reaches: the plain walk that faster ones are tested against.
NodeId leaf_of(const model::Tree& tree, std::span<const double> cells, PathFlags& flags);

}  // namespace regrove::infer
