// Cells of a block of rows to bytes.
#include <algorithm>
#include <cmath>

#include "regrove/infer/route.hpp"

#include "rank_table.hpp"
#include "score_kernels.hpp"

namespace regrove::infer {

namespace {

std::size_t place_of_cell(double cell) {
    if (std::isnan(cell)) return 1;
    return cell == k_unknown_category ? 0 : static_cast<std::size_t>(cell) + 2;
}

}  // namespace

void RankTable::fill(const Binding& binding, const data::TableShard& shard, std::size_t begin, std::size_t end,
                     RankBlock& block) const {
    block.ranks.resize(columns_ * k_rank_rows);
    block.cells.resize(cells_);
    block.floats.resize(k_rank_rows);
    block.wide.resize(k_rank_rows);
    block.row.resize(borders_.size());
    for (std::size_t f = 0; f < borders_.size(); ++f)
        if (has_cells_[f])
            binding.fill_column(shard, begin, end, FeatureId{static_cast<std::uint32_t>(f)},
                                block.cells.data() + first_cell_[f]);
    for (std::size_t f = 0; f < borders_.size(); ++f) {
        if (borders_[f].size() == 0) continue;
        if (borders_[f].narrow) {
            const auto cells =
                binding.floats(shard, begin, end, FeatureId{static_cast<std::uint32_t>(f)}, block.floats);
            kernels_.rank_floats(cells, borders_[f].floats, block.wide.data());
            cut_ranks(borders_[f], cells, block);
        } else {
            const std::span<const double> cells(block.cells.data() + first_cell_[f], end - begin);
            kernels_.rank_doubles(cells, borders_[f].values, block.wide.data());
            cut_ranks(borders_[f], cells, block);
        }
    }
    for (const Whole& whole : wholes_) fill_whole(whole, end - begin, block);
}

template <class Cell>
void RankTable::cut_ranks(const Borders& borders, std::span<const Cell> cells, RankBlock& block) const {
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t part = 0; part < borders.column_of_part[side].size(); ++part) {
            const std::uint32_t column = borders.column_of_part[side][part];
            if (column == k_no_column) continue;
            std::int8_t* const ranks = block.ranks.data() + column * k_rank_rows;
            kernels_.cut_ranks(block.wide.data(), part, ranks);
            if (side == 0) continue;  // a missing value's rank is 0
            for (std::size_t row = 0; row < cells.size(); ++row)
                ranks[row] = std::isnan(cells[row]) ? k_highest_rank : ranks[row];
        }
}

void RankTable::fill_whole(const Whole& whole, std::size_t rows, RankBlock& block) const {
    const double* const cells = block.cells.data() + first_cell_[index(whole.question->feature)];
    std::int8_t* const ranks = block.ranks.data() + whole.column * k_rank_rows;
    if (whole.question->kind == model::QuestionKind::category) {
        for (std::size_t row = 0; row < rows; ++row) ranks[row] = whole.goes_right[place_of_cell(cells[row])];
    } else {
        const double threshold = whole.question->threshold;
        for (std::size_t row = 0; row < rows; ++row)
            ranks[row] = cells[row] > threshold ? k_highest_rank : k_lowest_rank;
    }
    if (!whole.question->surrogates.empty()) answer_missing_rows(whole, rows, block);
}

void RankTable::answer_missing_rows(const Whole& whole, std::size_t rows, RankBlock& block) const {
    const double* const cells = block.cells.data() + first_cell_[index(whole.question->feature)];
    PathFlags ignored;
    for (std::size_t row = 0; row < rows; ++row) {
        if (!std::isnan(cells[row])) continue;
        block.row[index(whole.question->feature)] = cells[row];
        for (const model::Surrogate& surrogate : whole.question->surrogates) {
            const std::size_t feature = index(surrogate.feature);
            block.row[feature] = block.cells[first_cell_[feature] + row];
        }
        const bool right = answer(*whole.question, block.row, ignored) == model::Side::right;
        block.ranks[whole.column * k_rank_rows + row] = right ? k_highest_rank : k_lowest_rank;
    }
}

}  // namespace regrove::infer
