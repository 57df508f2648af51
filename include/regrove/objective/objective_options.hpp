// What a user may ask of the loss that boosting minimises.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/core/option_table.hpp"

namespace regrove::objective {

/// What the scores of all rows are before the first tree.
enum class FirstScores : std::uint8_t {
    automatic,  ///< average, but zero for softmax: at a rare class's small share its hessians would be too small to split on
    average,  ///< the best constant
    zero,
};

struct ObjectiveOptions {
    std::string objective = "auto";  ///< a name or alias of the table of objectives
    double huber_delta = 1;          ///< residuals beyond it count linearly
    double quantile_alpha = 0.5;     ///< the quantile to learn
    double tweedie_power = 1.5;      ///< variance = mean^power
    std::uint32_t truncation = 30;   ///< ranking: pairs count when one of the two stands among the first so many
    FirstScores boost_from_average = FirstScores::automatic;
};

void list_options(ObjectiveOptions& options, OptionTable& table);

}  // namespace regrove::objective
