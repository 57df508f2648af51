// Columns laid into tiles and taken out again are the same, for any numbers of rows and features.
#include "regrove/binning/row_tiles.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::binning {
namespace {

template <class Code>
std::vector<Codes> random_columns(std::size_t features, std::size_t rows, std::uint32_t bins) {
    std::vector<Codes> columns;
    for (std::size_t f = 0; f < features; ++f) {
        const CounterRandom random(3, f);
        std::vector<Code> column(rows);
        for (std::size_t row = 0; row < rows; ++row) column[row] = static_cast<Code>(random.below(row, bins + 1));
        columns.emplace_back(std::move(column));
    }
    return columns;
}

template <class Code>
void expect_taken_back(std::size_t features, std::size_t rows, std::uint32_t bins) {
    const auto columns = random_columns<Code>(features, rows, bins);
    Bins shape;
    shape.count = bins;
    const auto tiles = plan_tiles(std::vector<Bins>(features, shape));
    std::size_t seen = 0;
    for (const TileShape& tile : tiles) {
        std::vector<std::uint8_t> laid(rows * tile.stride_bytes);
        lay_rows(tile, columns, 0, rows, laid.data());
        std::vector<std::vector<Code>> taken(tile.features.size(), std::vector<Code>(rows));
        std::vector<std::uint8_t*> places;
        for (auto& column : taken) places.push_back(reinterpret_cast<std::uint8_t*>(column.data()));
        take_columns(tile, laid.data(), rows, places);
        for (std::size_t i = 0; i < taken.size(); ++i, ++seen) {
            ASSERT_EQ(taken[i], std::get<std::vector<Code>>(columns[tile.features[i]])) << features << " " << rows;
        }
    }
    EXPECT_EQ(seen, features);
}

TEST(RowTiles, GiveBackTheirColumns) {
    for (const std::size_t rows : {0U, 1U, 7U, 8U, 9U, 100U}) {
        for (std::size_t features = 1; features <= 40; ++features) {
            expect_taken_back<std::uint8_t>(features, rows, 255);
            expect_taken_back<std::uint16_t>(features, rows, 300);
        }
    }
}

}  // namespace
}  // namespace regrove::binning
