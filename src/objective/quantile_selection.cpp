// Counting digits of sort keys, eight bits a round.
#include "regrove/objective/quantile_selection.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/check.hpp"
#include "regrove/data/sort_key.hpp"

namespace regrove::objective {

namespace {

constexpr unsigned k_digit_bits = 8;
constexpr std::size_t k_digits = std::size_t{1} << k_digit_bits;
constexpr unsigned k_key_bits = 64;

/// The least mass that makes a share of at least `quantile` of the total, and at least one unit.
std::int64_t wanted_mass(std::int64_t total, double quantile) {
    if (total == 0) return 0;
    const double exact = std::ceil(quantile * static_cast<double>(total));
    return std::clamp(static_cast<std::int64_t>(exact), std::int64_t{1}, total);
}

}  // namespace

QuantileSelection::QuantileSelection(std::span<const double> values, std::span<const std::int64_t> masses,
                                     std::span<const std::uint32_t> set_of_row, std::uint32_t sets, double quantile)
    : values_(values),
      masses_(masses),
      set_of_row_(set_of_row),
      quantile_(quantile),
      prefixes_(sets, 0),
      wanted_(sets, 0) {
    REGROVE_CHECK(masses.empty() || masses.size() == values.size());
    REGROVE_CHECK(set_of_row.empty() || set_of_row.size() == values.size());
}

std::vector<std::int64_t> QuantileSelection::count() const {
    std::vector<std::int64_t> table(prefixes_.size() * k_digits, 0);
    const unsigned shift = k_key_bits - k_digit_bits * (round_ + 1);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const std::uint32_t set = set_of_row_.empty() ? 0 : set_of_row_[i];
        if (set == k_no_set) continue;
        const std::uint64_t key = data::sort_key(values_[i]);
        if (round_ > 0 && key >> (shift + k_digit_bits) != prefixes_[set]) continue;
        table[set * k_digits + ((key >> shift) & (k_digits - 1))] += masses_.empty() ? 1 : masses_[i];
    }
    return table;
}

void QuantileSelection::advance(std::span<const std::int64_t> merged) {
    REGROVE_CHECK(!done() && merged.size() == prefixes_.size() * k_digits);
    for (std::size_t set = 0; set < prefixes_.size(); ++set) {
        const std::span<const std::int64_t> digits = merged.subspan(set * k_digits, k_digits);
        if (round_ == 0) {
            std::int64_t total = 0;
            for (const std::int64_t mass : digits) total += mass;
            wanted_[set] = wanted_mass(total, quantile_);
        }
        std::size_t digit = 0;
        if (wanted_[set] > 0)
            for (; digits[digit] < wanted_[set]; ++digit) wanted_[set] -= digits[digit];
        prefixes_[set] = (prefixes_[set] << k_digit_bits) | digit;
    }
    ++round_;
}

std::vector<double> QuantileSelection::quantiles() const {
    REGROVE_CHECK(done());
    std::vector<double> values(prefixes_.size(), 0.0);
    for (std::size_t set = 0; set < values.size(); ++set)
        if (wanted_[set] > 0) values[set] = data::value_of_key(prefixes_[set], 0.0);
    return values;
}

WeightGrid::WeightGrid(double largest, std::uint64_t rows) : scale_(1) {
    if (!(largest > 0)) return;
    int weight_bits = 0;
    std::frexp(largest, &weight_bits);  // largest < 2^weight_bits
    int row_bits = 0;
    std::frexp(static_cast<double>(rows), &row_bits);
    // A weight takes at most 61 - row_bits bits, and no more than a double has.
    scale_ = std::ldexp(1.0, std::min(std::min(61 - row_bits, 52) - weight_bits, 1000));
}

std::vector<std::int64_t> WeightGrid::masses(std::span<const double> weights) const {
    std::vector<std::int64_t> masses(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto mass = static_cast<std::int64_t>(std::floor(weights[i] * scale_ + 0.5));
        masses[i] = weights[i] > 0 ? std::max<std::int64_t>(mass, 1) : 0;
    }
    return masses;
}

}  // namespace regrove::objective
