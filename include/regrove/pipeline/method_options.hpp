// The options of all training methods in one table, in which methods share names.
//
// An option that several methods have (max_depth, objective, ...) is one entry that sets each method's own field. A
// value that only some of them take is refused when the method is known: check_options.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/core/option_table.hpp"
#include "regrove/train/boosting_options.hpp"
#include "regrove/train/cart_options.hpp"
#include "regrove/train/forest_options.hpp"

namespace regrove::pipeline {

enum class Method : std::uint8_t { cart, forest, boosting };

/// A value that one part of the options did not take though another did.
struct RefusedValue {
    std::string option;
    std::size_t part = 0;  ///< 0: of trees, 1: of forests, 2: of boosting
    std::string message;
};

struct LearnerOptions {
    Method method = Method::cart;
    train::CartOptions cart;      ///< of the tree, or of each tree of a forest
    train::ForestOptions forest;  ///< of the forest
    train::BoostingOptions boosting;
    double valid_share = 0;             ///< boosting: rows drawn at random to watch the metric on
    std::vector<RefusedValue> refused;  ///< kept by the table's entries for check_options
};

/// --method and the options of all methods.
void list_options(LearnerOptions& options, OptionTable& table);
/// Those of the options' own method.
void list_method_options(LearnerOptions& options, OptionTable& table);
std::string_view to_text(Method method);

/// For what a person gives: throws ConfigError when an option of another method was changed, or has a value that the
/// method does not take, so that nothing is ignored in silence.
void check_options(const LearnerOptions& options);

}  // namespace regrove::pipeline
