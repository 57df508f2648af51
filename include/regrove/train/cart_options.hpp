// What a user may ask of the exact tree (CART: Breiman, Friedman, Olshen and Stone 1984).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/core/option_table.hpp"

namespace regrove::train {

/// What a split is to improve.
enum class Criterion : std::uint8_t {
    automatic,  ///< Gini for classes, squared error for numbers; refuses labels that could be either
    gini,
    entropy,
    squared_error,
    agreement,  ///< not for users: surrogates follow the main question
};

/// Which questions about a categorical feature are asked.
enum class CategoryQuestions : std::uint8_t {
    subset,       ///< best subset: optimal for two classes and for regression, greedy for more classes
    one_vs_rest,  ///< one category against all others
};

/// What becomes of a training row that has no value for the question asked.
enum class MissingSplit : std::uint8_t {
    side,       ///< all such rows go to the side that gains more
    separate,   ///< as `side`, and "has no value" is a question of its own
    surrogate,  ///< gains count answered rows only; the others are routed by surrogate questions
};

/// The order in which nodes are opened; it matters only when `max_leaves` ends growth.
enum class GrowthOrder : std::uint8_t {
    best_first,   ///< all open nodes a round; with `max_leaves` the highest weighted gain first
    depth_first,  ///< one node a round, the left child first: fewest open nodes, most rounds
};

struct CartOptions {
    Criterion criterion = Criterion::automatic;
    CategoryQuestions category_questions = CategoryQuestions::subset;
    MissingSplit missing_split = MissingSplit::side;
    GrowthOrder growth_order = GrowthOrder::best_first;
    std::uint32_t max_depth = 0;       ///< zero: no limit
    std::uint64_t max_leaves = 0;      ///< zero: no limit
    std::uint64_t min_rows_split = 2;  ///< a node with fewer rows is a leaf
    std::uint64_t min_rows_leaf = 1;   ///< each side of a split holds at least so many rows
    double min_gain = 0;  ///< a split must gain more than this (impurity decrease per unit of node weight)
    std::uint32_t max_surrogates = 5;  ///< a node, with missing_split = surrogate
    /// "balanced", or class=weight pairs; empty: all classes weigh one.
    std::vector<std::string> class_weight;
};

void list_options(CartOptions& options, OptionTable& table);

}  // namespace regrove::train
