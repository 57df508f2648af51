// The settings that a search tries: every combination of listed values, or points drawn from lists and ranges.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/pipeline/method_options.hpp"

namespace regrove::pipeline {

/// One option and what it may be: listed values, or a range.
struct SearchDimension {
    std::string option;               ///< its name, with underscores
    std::vector<std::string> values;  ///< as written; empty: a range
    double low = 0;
    double high = 0;
    bool is_whole = false;        ///< both bounds are whole numbers: so are the values drawn
    bool is_logarithmic = false;  ///< uniform in the logarithm
};

/// From "OPTION=VALUE,VALUE,..." (also as several words, of which the later have no '='), "OPTION=LOW..HIGH" and
/// "OPTION=LOW..HIGH:log". Throws ConfigError on an unknown option (with the nearest name), one given twice, no value,
/// a value given twice, and bounds that are no range.
std::vector<SearchDimension> parse_space(const std::vector<std::string>& words);

/// A point of the space.
struct SearchSetting {
    std::vector<std::string> values;  ///< one a dimension
    LearnerOptions learner;
};

/// All combinations, the last dimension fastest. Throws ConfigError when there is a range, on a value that its option
/// does not take, and on more than 100,000 combinations.
std::vector<SearchSetting> grid_settings(const std::vector<SearchDimension>& space, const LearnerOptions& base);

/// `draws` points, each value independent and uniform over its list or range; draw d is a pure function of (seed, d),
/// so more draws go on where fewer ended. Values have six digits. Throws ConfigError on a value that its option does
/// not take.
std::vector<SearchSetting> drawn_settings(const std::vector<SearchDimension>& space, const LearnerOptions& base,
                                          std::uint64_t draws, std::uint64_t seed);

}  // namespace regrove::pipeline
