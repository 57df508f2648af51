// Reading typed columns into the cells that trees compare.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "regrove/core/check.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::infer {

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

template <class Cell>
bool is_missing(Cell value) {
    if constexpr (std::is_floating_point_v<Cell>) return std::isnan(value);
    return value == std::numeric_limits<Cell>::min();
}

/// A number at the precision that the feature had in training. Integers round once.
template <class Cell>
double rounded(Cell value, model::NumericPrecision precision) {
    return precision == model::NumericPrecision::float32 ? static_cast<double>(static_cast<float>(value))
                                                         : static_cast<double>(value);
}

/// A place for each row's cell: every stride-th double from `first`.
struct CellColumn {
    double* first;
    std::size_t stride;
    double& operator[](std::size_t row) const { return first[row * stride]; }
};

template <class Map, class Key>
double found_or_unknown(const Map& cells, const Key& key) {
    const auto found = cells.find(key);
    return found == cells.end() ? k_unknown_category : found->second;
}

template <class Cell>
void fill_numbers(const Cell* values, std::size_t rows, const BoundFeature& feature, CellColumn cells) {
    if (feature.kind == model::FeatureKind::category) {
        for (std::size_t r = 0; r < rows; ++r)
            cells[r] = is_missing(values[r])
                           ? k_nan
                           : found_or_unknown(feature.cell_of_number, static_cast<double>(values[r]));
        return;
    }
    for (std::size_t r = 0; r < rows; ++r)
        cells[r] = is_missing(values[r]) ? k_nan : rounded(values[r], feature.precision);
}

/// Asks for what is as far behind the end as this is before it: columns are read a block at a time in turns, and each block
/// would begin by waiting for memory.
template <class Cell>
void fetch_next_block(const Cell* first, const Cell* end, const Cell* last) {
    constexpr std::ptrdiff_t k_line = 64 / sizeof(Cell);
    const Cell* const fetched = end + std::min(end - first, last - end);
    for (const Cell* cell = end; cell < fetched; cell += k_line) __builtin_prefetch(cell);
}

std::span<const float> rounded_cells(std::span<const float> cells, std::vector<float>&) { return cells; }

template <class Cell>
std::span<const float> rounded_cells(std::span<const Cell> cells, std::vector<float>& room) {
    constexpr float k_missing = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t i = 0; i < cells.size(); ++i)
        room[i] = is_missing(cells[i]) ? k_missing : static_cast<float>(cells[i]);
    return {room.data(), cells.size()};
}

void fill_codes(const std::int32_t* codes, std::size_t rows, const BoundFeature& feature, CellColumn cells) {
    for (std::size_t r = 0; r < rows; ++r) {
        REGROVE_CHECK(codes[r] < static_cast<std::int64_t>(feature.cell_of_code.size()));
        cells[r] = codes[r] < 0 ? k_nan : feature.cell_of_code[static_cast<std::size_t>(codes[r])];
    }
}

void fill_texts(const std::string* texts, std::size_t rows, const BoundFeature& feature, CellColumn cells) {
    for (std::size_t r = 0; r < rows; ++r)
        cells[r] = texts[r].empty() ? k_nan : found_or_unknown(feature.cell_of_text, texts[r]);
}

/// Cells of rows [begin, end), each in its place of `cells`.
void fill_feature(const BoundFeature& feature, const data::TableShard& shard, std::size_t begin, std::size_t end,
                  CellColumn cells) {
    const bool is_category = shard.schema.columns[feature.column].type == data::ColumnType::category;
    std::visit(
        [&](const auto& values) {
            using Cell = typename std::decay_t<decltype(values)>::value_type;
            const Cell* first = values.data() + begin;
            if constexpr (std::is_same_v<Cell, std::string>)
                fill_texts(first, end - begin, feature, cells);
            else if constexpr (std::is_same_v<Cell, std::int32_t>)
                is_category ? fill_codes(first, end - begin, feature, cells)
                            : fill_numbers(first, end - begin, feature, cells);
            else
                fill_numbers(first, end - begin, feature, cells);
        },
        shard.values[feature.column]);
}

}  // namespace

void Binding::fill(const data::TableShard& shard, std::size_t begin, std::size_t end,
                   std::vector<double>& cells) const {
    cells.resize((end - begin) * features_.size());
    for (std::size_t f = 0; f < features_.size(); ++f)
        if (features_[f].used) fill_feature(features_[f], shard, begin, end, {cells.data() + f, features_.size()});
}

void Binding::fill_column(const data::TableShard& shard, std::size_t begin, std::size_t end, FeatureId feature,
                          double* cells) const {
    REGROVE_CHECK(is_used(feature));
    fill_feature(features_[index(feature)], shard, begin, end, {cells, 1});
}

std::span<const float> Binding::floats(const data::TableShard& shard, std::size_t begin, std::size_t end,
                                       FeatureId feature, std::vector<float>& room) const {
    const BoundFeature& bound = features_[index(feature)];
    REGROVE_CHECK(bound.used && bound.kind == model::FeatureKind::numeric &&
                  bound.precision == model::NumericPrecision::float32 && room.size() >= end - begin);
    std::span<const float> found;
    std::visit(
        [&](const auto& values) {
            using Cell = typename std::decay_t<decltype(values)>::value_type;
            REGROVE_CHECK((!std::is_same_v<Cell, std::string>));  // a binding refuses texts for numbers
            if constexpr (!std::is_same_v<Cell, std::string>) {
                fetch_next_block(values.data() + begin, values.data() + end, values.data() + values.size());
                found = rounded_cells(std::span<const Cell>(values.data() + begin, end - begin), room);
            }
        },
        shard.values[bound.column]);
    return found;
}

std::vector<double> Binding::feature_cells(const data::TableShard& shard, FeatureId feature) const {
    std::vector<double> cells(shard.rows);
    fill_column(shard, 0, shard.rows, feature, cells.data());
    return cells;
}

}  // namespace regrove::infer
