// What a user may ask of the loss that boosting minimises.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/core/option_table.hpp"

namespace regrove::objective {

struct ObjectiveOptions {
    std::string objective = "auto";  ///< a name or alias of the table of objectives
    double huber_delta = 1;          ///< residuals beyond it count linearly
    double quantile_alpha = 0.5;     ///< the quantile to learn
    double tweedie_power = 1.5;      ///< variance = mean^power
    std::uint32_t truncation = 30;   ///< ranking: pairs count when one of the two stands among the first so many
    bool boost_from_average = true;  ///< begin with the best constant; else with zero scores
};

void list_options(ObjectiveOptions& options, OptionTable& table);

}  // namespace regrove::objective
