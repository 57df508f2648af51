// One option of the learner at several values: --vary max_depth=1,2,3.
#pragma once

#include <string>
#include <vector>

#include "regrove/pipeline/learner.hpp"

namespace regrove::pipeline {

struct OptionSweep {
    std::string option;               ///< its name, with underscores; empty: nothing varies
    std::vector<std::string> values;  ///< as written; one (empty) value when nothing varies
    std::vector<LearnerOptions> learners;
};

/// From "OPTION=V1,V2,...", or from nothing. Throws ConfigError on an unknown option (with the nearest name), a value that
/// it does not take, a value given twice, or no value.
OptionSweep parse_sweep(const std::string& text, const LearnerOptions& base);

}  // namespace regrove::pipeline
