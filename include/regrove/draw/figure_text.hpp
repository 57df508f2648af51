// Figures as people read them: grouped counts, percentages that never round to a false 0 or 100, thresholds of few
// digits.
#pragma once

#include <cstdint>
#include <string>

namespace regrove::draw {

/// "1,234,567".
std::string count_text(std::uint64_t count);
/// "1 row", "2 rows".
std::string count_text(std::uint64_t count, const std::string& singular, const std::string& plural);

/// "37.4%"; a share that is neither nothing nor everything is never written "0%" or "100%" but "<0.1%", ">99.9%".
std::string percent_text(double share);

/// At least four significant digits, never fewer than the whole digits: "206,856", "46.36", "0.001234", "1.5e12".
std::string value_text(double value);

/// What stands after "±": two significant digits, or all whole ones.
std::string error_text(double value);

/// Where a threshold was found: the values that training saw at the node, how many rows had them, and whether they
/// were of single precision.
struct ThresholdRange {
    double low = 0;
    double high = 0;
    std::uint64_t rows = 0;
    bool single_precision = false;
};

/// The shortest text that is the threshold but for the noise of halving decimals (1e-12 of it; 1e-7 for single
/// precision) when that takes at most seven digits; else the fewest digits, at least three, that stay within the
/// range and miss it by so little that, were the rows spread evenly, a tenth of one row would lie between.
std::string threshold_text(double threshold, const ThresholdRange& range);

}  // namespace regrove::draw
