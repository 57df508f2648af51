// What a growth experiment has measured, as a table and as a picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/bornagain/reborn.hpp"
#include "regrove/data/table.hpp"
#include "regrove/draw/line_chart.hpp"

namespace regrove::jobs {

/// The size of one ensemble.
struct EnsembleSize {
    std::uint64_t features = 0;
    std::uint64_t rows = 0;
    std::uint64_t trees = 0;
};

/// One search.
struct Measured {
    std::uint64_t value = 0;  ///< of the size that is varied
    std::uint32_t repeat = 0;
    EnsembleSize size;
    std::uint64_t hyperplanes = 0;
    double log10_cells = 0;
    bornagain::RebornResult result;
    double seconds = 0;
};

/// A row for each search.
data::TableShard growth_table(const std::vector<Measured>& all);

/// Seconds of the repeats at one value, in rising order.
std::vector<double> seconds_at(const std::vector<Measured>& all, std::uint64_t value);
/// Of numbers in rising order, at least one.
double median(const std::vector<double>& sorted);

struct GrowthWords {
    std::string vary;  ///< "features"
    std::string objective;
    std::uint32_t repeats = 0;
};

/// Milliseconds over the values: median, fastest and slowest.
draw::LineChart growth_chart(const std::vector<Measured>& all, const std::vector<std::uint64_t>& values,
                             const GrowthWords& words);

}  // namespace regrove::jobs
