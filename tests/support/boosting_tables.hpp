// Small binned tables and gradients for tests of boosting: pure functions of a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/core/random.hpp"
#include "regrove/train/boosting_gradients.hpp"
#include "regrove/train/boosting_layout.hpp"

namespace regrove::test {

struct BinnedShape {
    std::uint64_t seed = 1;
    std::size_t rows = 100;
    std::vector<std::uint32_t> bins;  ///< a feature: how many, without the one for "no value"
    std::uint32_t categorical = 0;    ///< the last so many features hold categories
    double missing_share = 0.1;
};

template <class Code>
binning::Codes random_codes(const BinnedShape& shape, std::size_t feature, std::uint32_t bins) {
    const CounterRandom code(shape.seed, 2 * feature);
    const CounterRandom absent(shape.seed, 2 * feature + 1);
    std::vector<Code> codes(shape.rows);
    for (std::size_t row = 0; row < shape.rows; ++row) {
        codes[row] = static_cast<Code>(absent.uniform(row) < shape.missing_share ? bins : code.below(row, bins));
    }
    return codes;
}

inline binning::BinnedTable random_binned(const BinnedShape& shape) {
    binning::BinnedTable table;
    table.rows = shape.rows;
    for (std::size_t f = 0; f < shape.bins.size(); ++f) {
        binning::Bins bins;
        bins.count = shape.bins[f];
        bins.category = f + shape.categorical >= shape.bins.size();
        for (std::uint32_t b = 0; b < bins.count && !bins.category; ++b) {
            bins.low.push_back(10.0 * b);
            bins.high.push_back(10.0 * b + 4);
        }
        table.bins.push_back(bins);
        table.codes.push_back(bins.count < 256 ? random_codes<std::uint8_t>(shape, f, bins.count)
                                               : random_codes<std::uint16_t>(shape, f, bins.count));
    }
    return table;
}

inline std::uint32_t code_at(const binning::Codes& codes, std::size_t row) {
    return std::visit([&](const auto& column) { return static_cast<std::uint32_t>(column[row]); }, codes);
}

inline std::uint32_t code_at(const train::CodeColumn& column, std::size_t row) { return column[row]; }

struct RandomGradients {
    std::vector<double> gradient;
    std::vector<double> hessian;
    train::RowMarks marks;

    train::GradientView view() const { return {gradient, hessian, &marks}; }
};

/// Hessians of 0.05 to 0.25, or all one.
inline RandomGradients random_gradients(std::uint64_t seed, std::size_t rows, bool constant_hessian = false) {
    const CounterRandom g(seed, 900);
    const CounterRandom h(seed, 901);
    RandomGradients random;
    for (std::size_t row = 0; row < rows; ++row) {
        random.gradient.push_back(g.uniform(row) * 2 - 1);
        random.hessian.push_back(constant_hessian ? 1 : 0.05 + h.uniform(row) / 5);
    }
    return random;
}

}  // namespace regrove::test
