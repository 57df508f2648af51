// Where an axis carries figures: round numbers, neither too many nor too few.
#pragma once

#include <string>
#include <vector>

namespace regrove::draw {

struct AxisTick {
    double value = 0;
    std::string text;  ///< all of a linear axis but 0 have the same decimals
};

/// Multiples of 1, 2 or 5 times a power of ten, as few as reach `wanted` steps or nearly so, from the last at or below
/// `low` to the first at or above `high`: the axis' ends. Needs finite low <= high.
std::vector<AxisTick> linear_ticks(double low, double high, unsigned wanted);

/// Powers of ten within [low, high], every n-th when there are more than `wanted`; also their doubles and fivefolds
/// when there are fewer than three. Needs 0 < low <= high, finite.
std::vector<AxisTick> logarithmic_ticks(double low, double high, unsigned wanted);

}  // namespace regrove::draw
