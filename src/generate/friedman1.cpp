// Friedman's first regression problem: y = 10 sin(pi x0 x1) + 20 (x2 - 1/2)^2 + 10 x3 + 5 x4 + noise, x uniform in
// [0, 1).
//
// Source: Friedman, "Multivariate adaptive regression splines", Annals of Statistics 19 (1991). Features beyond the
// fifth have no say. The noise is standard normal.
#include "regrove/core/portable_math.hpp"

#include "kinds.hpp"

namespace regrove::generate {

namespace {

constexpr double k_pi = 0x1.921fb54442d18p+1;
constexpr std::uint32_t k_noise_slot = 0;
constexpr std::uint32_t k_first_feature_slot = 1;

}  // namespace

data::Schema friedman1_schema(std::uint32_t features) {
    data::Schema schema;
    for (std::uint32_t f = 0; f < features; ++f)
        schema.columns.push_back({"x" + std::to_string(f), data::ColumnType::float64, data::ColumnRole::feature, {}});
    schema.columns.push_back({"y", data::ColumnType::float64, data::ColumnRole::label, {}});
    return schema;
}

void fill_friedman1(const Draws& draws, data::TableShard& shard, std::size_t begin, std::size_t end) {
    const std::size_t features = shard.values.size() - 1;
    std::vector<double*> x(features);
    for (std::size_t f = 0; f < features; ++f) {
        x[f] = std::get<std::vector<double>>(shard.values[f]).data();
        const CounterRandom random = draws.slot(k_first_feature_slot + static_cast<std::uint32_t>(f));
        for (std::size_t i = begin; i < end; ++i) x[f][i] = random.uniform(shard.first_row + i);
    }
    auto& y = std::get<std::vector<double>>(shard.values[features]);
    const CounterRandom noise = draws.slot(k_noise_slot);
    for (std::size_t i = begin; i < end; ++i) {
        const double bend = x[2][i] - 0.5;
        y[i] = 10.0 * portable::sin(k_pi * x[0][i] * x[1][i]) + 20.0 * bend * bend + 10.0 * x[3][i] + 5.0 * x[4][i] +
               noise.normal(shard.first_row + i);
    }
}

}  // namespace regrove::generate
