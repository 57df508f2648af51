// Sets of cells no two of which can share a leaf: the lower bound on leaves.
//
// Two cells can share a leaf only if the smallest box around both holds one class. Chosen greedily: cells with many
// neighbours of another class first, among them those with small pure surroundings; a chosen cell closes all cells that
// could share its leaf (its star).
#pragma once

#include "sensitivity.hpp"

namespace regrove::bornagain::REGROVE_KERNELS {

/// The cells whose box with a given cell is pure, found row by row: a row is the block of the fastest axes that fits a
/// word.
class StarFinder {
  public:
    StarFinder(const CellTensor& tensor, const Differences& differences, TensorScratch& scratch)
        : tensor_(tensor), differences_(differences), scratch_(scratch) {
        const GridShape& shape = tensor.shape;
        std::uint32_t stride = 1;
        while (inner_ < shape.axes && block_ * shape.slices[inner_] <= 64) block_ *= shape.slices[inner_++];
        for (std::uint32_t j = 0; j < shape.axes; ++j) {
            strides_[j] = stride;
            reciprocal_bits_[j] =
                static_cast<unsigned>(std::bit_width(tensor.cells) + std::bit_width(shape.slices[j]));
            reciprocals_[j] = (std::uint64_t{1} << reciprocal_bits_[j]) / shape.slices[j] + 1;
            stride *= shape.slices[j];
        }
        for (std::uint32_t j = 0, next = 0; j < inner_; ++j) {
            first_mask_[j] = next;
            const std::uint32_t width = strides_[j];
            const std::uint32_t period = width * shape.slices[j];
            for (std::uint32_t l = 0; l < shape.slices[j]; ++l, ++next) {
                Word one = low_mask(width) << (l * width);
                Word mask = 0;
                for (std::uint32_t at = 0; at < block_; at += period) mask |= one << at;
                slice_masks_[next] = mask;
            }
        }
    }

    /// Forgets the cells of the last level.
    void begin_level() {
        scratch_.own_rows.clear();
        scratch_.runs.clear();
    }

    /// Keeps what is next to a cell; its size: the cells of its row's star times the lengths of the runs of its class
    /// on the other axes.
    CellOfSize surroundings(std::uint32_t cell) {
        const auto place = static_cast<std::uint32_t>(scratch_.own_rows.size());
        locate(cell);
        const Word own_row = close_row(row(cell - cell % block_));
        scratch_.own_rows.push_back(own_row);
        std::uint64_t size = static_cast<std::uint64_t>(std::popcount(own_row));
        for (std::uint32_t j = inner_; j < tensor_.shape.axes; ++j) {
            const Word* const differs = differences_.differs_on(j);
            std::uint32_t low = at_[j];
            std::uint32_t high = at_[j];
            for (std::size_t next = cell; low > 0 && !bit_at(differs, next -= strides_[j]);) --low;
            for (std::size_t next = cell; high + 1U < tensor_.shape.slices[j] && !bit_at(differs, next);
                 next += strides_[j])
                ++high;
            scratch_.runs.push_back(static_cast<std::uint16_t>(low));
            scratch_.runs.push_back(static_cast<std::uint16_t>(high));
            size *= high - low + 1;
        }
        return {size, cell, place};
    }

    /// Clears the cell's star from `open`.
    void close(const CellOfSize& centre, Word* open) {
        const std::uint32_t cell = centre.cell;
        const Word own_row = scratch_.own_rows[centre.place];
        const std::uint16_t* runs =
            scratch_.runs.data() + std::size_t{2} * centre.place * (tensor_.shape.axes - inner_);
        locate(cell);
        std::uint32_t rows = 1;
        std::uint32_t axes = 0;
        std::uint32_t base = cell - cell % block_;
        std::array<std::uint32_t, k_max_tensor_axes> length;
        std::array<std::uint32_t, k_max_tensor_axes> own;
        std::array<std::uint32_t, k_max_tensor_axes> step;
        for (std::uint32_t j = inner_; j < tensor_.shape.axes; ++j) {
            const std::uint32_t low = *runs++;
            const std::uint32_t high = *runs++;
            if (high == low) continue;
            length[axes] = high - low + 1;
            own[axes] = at_[j] - low;
            step[axes] = strides_[j];
            base -= own[axes] * strides_[j];
            rows *= length[axes++];
        }
        if (rows == 1) return clear(open, base, own_row);
        if (rows_.size() < rows) {
            rows_.resize(rows);
            places_.resize(rows);
        }
        places_[0] = base;
        std::uint32_t count = 1;
        for (std::uint32_t a = 0; a < axes; ++a) {
            for (std::uint32_t l = 1; l < length[a]; ++l)
                for (std::uint32_t i = 0; i < count; ++i) places_[l * count + i] = places_[i] + l * step[a];
            count *= length[a];
        }
        for (std::uint32_t i = 0; i < rows; ++i) rows_[i] = row(places_[i]) & own_row;
        std::uint32_t width = 1;
        for (std::uint32_t a = 0; a < axes; ++a) {  // a cell stays if all on its way to the centre do
            const std::uint32_t period = width * length[a];
            for (std::uint32_t at = 0; at < rows; at += period) {
                Word* const first = rows_.data() + at;
                for (std::uint32_t l = own[a] + 1; l < length[a]; ++l)
                    for (std::uint32_t i = 0; i < width; ++i) first[l * width + i] &= first[(l - 1) * width + i];
                for (std::uint32_t l = own[a]; l-- > 0;)
                    for (std::uint32_t i = 0; i < width; ++i) first[l * width + i] &= first[(l + 1) * width + i];
            }
            width = period;
        }
        // Most rows are what the centre's row leaves of them, which is closed, or what the row before was.
        Word last = own_row;
        Word closed = own_row;
        for (std::uint32_t i = 0; i < rows; ++i) {
            if (((rows_[i] >> inner_at_) & 1U) == 0) continue;
            if (rows_[i] != last) {
                last = rows_[i];
                closed = close_row(last);
            }
            clear(open, places_[i], closed);
        }
    }

  private:
    /// The cells of the class of the placed cell in the row that begins at `at`.
    Word row(std::uint32_t at) const {
        Word mask = low_mask(block_);
        for (std::uint32_t p = 0; p < tensor_.planes; ++p) {
            const Word bits = load_bits(tensor_.plane(p), at);
            mask &= ((class_ >> p) & 1U) != 0 ? bits : ~bits;
        }
        return mask;
    }

    /// Leaves of a row what a pure box within the row joins to the placed cell's column.
    Word close_row(Word bits) const {
        for (std::uint32_t j = 0; j < inner_; ++j) {
            const Word* const masks = slice_masks_.data() + first_mask_[j];
            const std::uint32_t width = strides_[j];
            for (std::uint32_t l = at_[j] + 1; l < tensor_.shape.slices[j]; ++l) bits &= ~masks[l] | (bits << width);
            for (std::uint32_t l = at_[j]; l-- > 0;) bits &= ~masks[l] | (bits >> width);
        }
        return bits;
    }

    static void clear(Word* open, std::uint32_t at, Word bits) {
        open[at >> 6U] &= ~(bits << (at & 63U));
        if ((at & 63U) != 0) open[(at >> 6U) + 1] &= ~(bits >> (64 - (at & 63U)));
    }

    void locate(std::uint32_t cell) {
        const GridShape& shape = tensor_.shape;
        class_ = tensor_.class_of(cell);
        inner_at_ = cell % block_;
        std::uint32_t rest = cell;
        for (std::uint32_t j = 0; j < shape.axes; ++j) {
            const auto above = static_cast<std::uint32_t>((rest * reciprocals_[j]) >> reciprocal_bits_[j]);
            at_[j] = rest - above * shape.slices[j];
            rest = above;
        }
    }

    const CellTensor& tensor_;
    const Differences& differences_;
    TensorScratch& scratch_;
    std::vector<Word>& rows_ = scratch_.rows;
    std::vector<std::uint32_t>& places_ = scratch_.places;
    std::uint32_t inner_ = 0;
    std::uint32_t block_ = 1;
    std::uint32_t class_ = 0;
    std::uint32_t inner_at_ = 0;
    std::array<std::uint32_t, k_max_tensor_axes> strides_;
    /// A number of at most `cells` times the reciprocal, shifted, is the number over the axis's slices, rounded down:
    /// exact, since the reciprocal is too large by less than one in cells * slices.
    std::array<std::uint64_t, k_max_tensor_axes> reciprocals_;
    std::array<unsigned, k_max_tensor_axes> reciprocal_bits_;
    std::array<std::uint32_t, k_max_tensor_axes> first_mask_;
    std::array<std::uint32_t, k_max_tensor_axes> at_;
    std::array<Word, 128> slice_masks_;
};

inline void fooling_set(const CellTensor& tensor, const Differences& differences, std::vector<std::uint32_t>& cells,
                        TensorScratch& scratch) {
    cells.clear();
    std::vector<Word>& open = scratch.open;
    if (open.size() < tensor.plane_words()) open.resize(tensor.plane_words());
    mark_all(tensor, open.data());
    StarFinder stars(tensor, differences, scratch);
    auto& order = scratch.order;
    for (std::uint32_t sensitivity = differences.max_sensitivity + 1; sensitivity-- > 0;) {
        order.clear();
        stars.begin_level();
        for (std::uint32_t i = 0; i < tensor.words; ++i)
            for (Word mask = open[i] & cells_of_sensitivity(differences, i, sensitivity); mask != 0;
                 mask &= mask - 1) {
                const std::uint32_t cell = i * 64 + static_cast<std::uint32_t>(std::countr_zero(mask));
                order.push_back(stars.surroundings(cell));
            }
        std::sort(order.begin(), order.end());
        for (const CellOfSize& next : order) {
            if (!bit_at(open.data(), next.cell)) continue;
            cells.push_back(next.cell);
            stars.close(next, open.data());
        }
    }
}

}  // namespace regrove::bornagain::REGROVE_KERNELS
