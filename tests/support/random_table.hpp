// Small random tables with ties, missing cells, weights and categories: a pure function of a seed.
#pragma once

#include <limits>
#include <string>

#include "regrove/core/random.hpp"
#include "regrove/data/table.hpp"

namespace regrove::test {

struct RandomTableShape {
    std::uint64_t seed = 1;
    std::uint32_t rows = 30;
    std::uint32_t classes = 2;  ///< zero: regression
    std::uint32_t numeric = 3;
    std::uint32_t categorical = 2;
    std::uint32_t levels = 5;  ///< distinct values of numeric columns and categories
    double missing_share = 0.2;
    bool weighted = false;
    bool real_weights = false;
    bool continuous = false;  ///< numeric columns with all-distinct values
};

inline data::TableShard random_table(const RandomTableShape& shape) {
    data::TableShard table;
    table.rows = table.global_rows = shape.rows;
    const auto random = [&](std::uint64_t column) { return CounterRandom(shape.seed, column); };
    for (std::uint32_t f = 0; f < shape.numeric; ++f) {
        const CounterRandom cell = random(f);
        const CounterRandom absent = random(1000 + f);
        std::vector<float> narrow(shape.rows);
        std::vector<double> wide(shape.rows);
        std::vector<std::int32_t> whole(shape.rows);
        for (std::uint32_t row = 0; row < shape.rows; ++row) {
            const bool missing = absent.uniform(row) < shape.missing_share;
            const double value =
                shape.continuous ? cell.normal(row) : static_cast<double>(cell.below(row, shape.levels)) - 1;
            narrow[row] = missing ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(value / 2);
            wide[row] = missing ? std::numeric_limits<double>::quiet_NaN() : value * 0.1;
            whole[row] =
                missing ? data::k_missing_int32 : static_cast<std::int32_t>(value * (shape.continuous ? 9 : 1));
        }
        const char* names[] = {"narrow", "wide", "whole"};
        const data::ColumnType types[] = {data::ColumnType::float32, data::ColumnType::float64,
                                          data::ColumnType::int32};
        table.schema.columns.push_back(
            {names[f % 3] + std::to_string(f), types[f % 3], data::ColumnRole::feature, {}});
        if (f % 3 == 0)
            table.values.emplace_back(std::move(narrow));
        else if (f % 3 == 1)
            table.values.emplace_back(std::move(wide));
        else
            table.values.emplace_back(std::move(whole));
    }
    for (std::uint32_t f = 0; f < shape.categorical; ++f) {
        const CounterRandom cell = random(2000 + f);
        const CounterRandom absent = random(3000 + f);
        data::ColumnSchema column{
            "category" + std::to_string(f), data::ColumnType::category, data::ColumnRole::feature, {}};
        for (std::uint32_t c = 0; c < shape.levels; ++c) column.categories.push_back("c" + std::to_string(c));
        std::vector<std::int32_t> codes(shape.rows);
        for (std::uint32_t row = 0; row < shape.rows; ++row) {
            codes[row] = absent.uniform(row) < shape.missing_share
                             ? data::k_missing_category
                             : static_cast<std::int32_t>(cell.below(row, shape.levels));
        }
        table.schema.columns.push_back(std::move(column));
        table.values.emplace_back(std::move(codes));
    }
    const CounterRandom label = random(4000);
    if (shape.classes == 0) {
        std::vector<double> targets(shape.rows);
        for (std::uint32_t row = 0; row < shape.rows; ++row)
            targets[row] = static_cast<double>(label.below(row, 7)) * 1.5 + 100;
        table.schema.columns.push_back({"label", data::ColumnType::float64, data::ColumnRole::label, {}});
        table.values.emplace_back(std::move(targets));
    } else {
        data::ColumnSchema column{"label", data::ColumnType::category, data::ColumnRole::label, {}};
        for (std::uint32_t k = 0; k < shape.classes; ++k) column.categories.push_back("k" + std::to_string(k));
        std::vector<std::int32_t> codes(shape.rows);
        for (std::uint32_t row = 0; row < shape.rows; ++row) {
            codes[row] = row < shape.classes ? static_cast<std::int32_t>(row)
                                             : static_cast<std::int32_t>(label.below(row, shape.classes));
        }
        table.schema.columns.push_back(std::move(column));
        table.values.emplace_back(std::move(codes));
    }
    if (shape.weighted) {
        const CounterRandom weight = random(5000);
        std::vector<double> weights(shape.rows);
        for (std::uint32_t row = 0; row < shape.rows; ++row) {
            weights[row] =
                static_cast<double>(weight.below(row, 4)) + (shape.real_weights ? weight.uniform(row) : 0.0);
        }
        for (std::uint32_t row = 0; row < shape.classes && row < shape.rows; ++row) weights[row] += 1;
        table.schema.columns.push_back({"weight", data::ColumnType::float64, data::ColumnRole::weight, {}});
        table.values.emplace_back(std::move(weights));
    }
    return table;
}

}  // namespace regrove::test
