// A table of every column type with missing cells, some of which tell about the class.
#include <iterator>
#include <limits>

#include "regrove/core/portable_math.hpp"

#include "kinds.hpp"

namespace regrove::generate {

namespace {

using data::CategoryCode;

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

// One stream for the values and one for the gaps of each feature, in column order; then noise and weight.
enum Feature : std::uint32_t { amount, ratio, visits, stamp, color, region, size, flag, feature_count };
constexpr std::uint32_t value_slot(Feature feature) { return 2 * feature; }
constexpr std::uint32_t gap_slot(Feature feature) { return 2 * feature + 1; }
constexpr std::uint32_t k_noise_slot = 2 * feature_count;
constexpr std::uint32_t k_weight_slot = k_noise_slot + 1;

constexpr std::uint32_t k_label_column = feature_count;
constexpr std::uint32_t k_weight_column = feature_count + 1;
constexpr int k_regions = 40;
constexpr std::int64_t k_first_stamp = 1'600'000'000;  // seconds since 1970
constexpr std::uint64_t k_stamp_range = 100'000'000;

// What the colours and sizes add to the score.
constexpr double k_color_effects[] = {0.9, -0.7, 0.2, -0.4, 1.3};
constexpr double k_size_effects[] = {-0.6, 0.0, 0.6};
// Scores below the first are class "low", above the second "high".
constexpr double k_class_limits[] = {-0.25, 1.05};

/// One row's values before gaps are made.
struct Row {
    double amount, ratio;
    std::int32_t visits;
    std::int64_t stamp;
    CategoryCode color, region, size;
    bool flag;
    bool amount_missing;
};

CategoryCode draw_code(const Draws& draws, Feature feature, RowIndex row, std::uint64_t levels) {
    return static_cast<CategoryCode>(draws.slot(value_slot(feature)).below(row, levels));
}

Row draw_row(const Draws& draws, RowIndex row) {
    const double busy = draws.slot(value_slot(visits)).uniform(row);
    return {
        .amount = portable::exp(3.0 + draws.slot(value_slot(amount)).normal(row)),
        .ratio = draws.slot(value_slot(ratio)).uniform(row),
        .visits = static_cast<std::int32_t>(-6.0 * portable::log(1.0 - busy)),
        .stamp = k_first_stamp + static_cast<std::int64_t>(draws.slot(value_slot(stamp)).below(row, k_stamp_range)),
        .color = draw_code(draws, color, row, std::size(k_color_effects)),
        .region = draw_code(draws, region, row, k_regions),
        .size = draw_code(draws, size, row, std::size(k_size_effects)),
        .flag = draws.slot(value_slot(flag)).uniform(row) < 0.3,
        .amount_missing = draws.slot(gap_slot(amount)).uniform(row) < 0.08};
}

/// Regions fall into seven groups whose numbers do not follow their order: a subset question finds what order does
/// not.
double region_effect(CategoryCode region) { return 0.25 * (region * 11 % 7 - 3); }

double score_of(const Row& row, double noise) {
    // A missing amount is a sign of its own.
    const double money = row.amount_missing ? -1.2 : 0.8 * (portable::log(row.amount) - 3.0);
    return money + k_color_effects[row.color] + k_size_effects[row.size] + region_effect(row.region) +
           (row.flag ? 1.5 * (row.ratio - 0.5) : 0.05 * row.visits) + 0.5 * noise;
}

CategoryCode class_of(double score) {
    return static_cast<CategoryCode>((score > k_class_limits[0] ? 1 : 0) + (score > k_class_limits[1] ? 1 : 0));
}

template <class Cell>
void set(data::TableShard& shard, std::uint32_t column, std::size_t i, Cell value) {
    std::get<std::vector<Cell>>(shard.values[column])[i] = value;
}

void fill_row(const Draws& draws, data::TableShard& shard, std::size_t i) {
    const RowIndex at = shard.first_row + i;
    const Row row = draw_row(draws, at);
    const auto gap = [&](Feature feature, double chance) {
        return draws.slot(gap_slot(feature)).uniform(at) < chance;
    };
    set(shard, amount, i, row.amount_missing ? k_nan : row.amount);
    set(shard, ratio, i, static_cast<float>(gap(ratio, 0.1) ? k_nan : row.ratio));
    set(shard, visits, i, gap(visits, 0.03) ? data::k_missing_int32 : row.visits);
    set(shard, stamp, i, gap(stamp, 0.01) ? data::k_missing_int64 : row.stamp);
    set(shard, color, i, gap(color, 0.05) ? data::k_missing_category : row.color);
    set(shard, region, i, row.region);
    set(shard, size, i, gap(size, 0.02) ? data::k_missing_category : row.size);
    set(shard, flag, i, CategoryCode{row.flag ? 1 : 0});
    set(shard, k_label_column, i, class_of(score_of(row, draws.slot(k_noise_slot).normal(at))));
    set(shard, k_weight_column, i, 0.5 + draws.slot(k_weight_slot).uniform(at));
}

}  // namespace

data::Schema mixed_schema(std::uint32_t) {
    using enum data::ColumnType;
    using enum data::ColumnRole;
    std::vector<std::string> regions;
    for (int r = 0; r < k_regions; ++r) regions.push_back("region " + std::to_string(r));
    return {{{"amount", float64, feature, {}},
             {"ratio", float32, feature, {}},
             {"visits", int32, feature, {}},
             {"stamp", int64, feature, {}},
             {"color", category, feature, {"blue", "green", "red", "white", "black"}},
             {"region", category, feature, std::move(regions)},
             {"size", category, feature, {"small", "medium", "large"}},
             {"flag", category, feature, {"no", "yes"}},
             {"label", category, label, {"low", "middle", "high"}},
             {"weight", float64, weight, {}}}};
}

void fill_mixed(const Draws& draws, data::TableShard& shard, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) fill_row(draws, shard, i);
}

}  // namespace regrove::generate
