// The degree of a region's function as a polynomial over GF(2): the number of features that interact at once.
//
// A cell's class bit is a unique sum of products of split indicators [z_j > l] (MonoForest, theorem 1); over GF(2) its
// coefficients are the mixed differences of the bits, and a tree of depth d is a sum of products of at most d
// indicators. So depth >= degree. The polynomial may be anchored at either end of an axis without changing the degree;
// anchored low, its terms without cells above a cut are those of the left side, anchored high the right side's.
#pragma once

#include "sensitivity.hpp"

namespace regrove::bornagain::REGROVE_KERNELS {

/// In place: x ^= x moved by one slice, where `mask` allows.
inline void difference_along(Word* x, std::uint32_t words, std::uint32_t stride, const Word* mask, bool from_below,
                             Word* moved) {
    if (from_below)
        shift_up(x, words, stride, moved);
    else
        shift_down(x, words, stride, moved);
    for (std::uint32_t i = 0; i < words; ++i) x[i] ^= moved[i] & mask[i];
}

/// The most axes that a term of one class bit's polynomial takes part in; leaves the cells of such terms in `terms`.
/// `masks`: for each axis the cells that are not in the anchor slice.
inline std::uint32_t degree_of_plane(const CellTensor& tensor, const Word* masks, bool from_below, Word* terms,
                                     Word* moved, Word* levels) {
    const GridShape& shape = tensor.shape;
    const std::size_t plane = tensor.plane_words();
    std::uint32_t stride = 1;
    for (std::uint32_t j = 0; j < shape.axes; ++j) {
        difference_along(terms, tensor.words, stride, masks + j * plane, from_below, moved);
        stride *= shape.slices[j];
    }
    const std::uint32_t count = levels_for(shape.axes);
    for (std::uint32_t begin = 0; begin < tensor.words; begin += k_counter_words) {
        Counters counters;
        for (std::uint32_t j = 0; j < shape.axes; j += 2) {
            Word first[k_counter_words];
            Word second[k_counter_words];
            for (std::uint32_t i = 0; i < k_counter_words; ++i) {
                first[i] = terms[begin + i] & masks[j * plane + begin + i];
                second[i] = j + 1 < shape.axes ? terms[begin + i] & masks[(j + 1) * plane + begin + i] : 0;
            }
            counters.add_two(first, second, count);
        }
        for (std::uint32_t b = 0; b < count; ++b)
            std::copy(counters.level[b], counters.level[b] + k_counter_words, levels + b * plane + begin);
    }
    return largest_count(levels, static_cast<std::uint32_t>(plane), count, tensor.words, terms);
}

inline std::uint32_t degree(const CellTensor& tensor, std::vector<CutRange>* ranges, TensorScratch& scratch) {
    const GridShape& shape = tensor.shape;
    const std::size_t plane = tensor.plane_words();
    const std::size_t rows = shape.axes + 3 + k_counter_levels;
    if (scratch.counters.size() < rows * plane) scratch.counters.resize(rows * plane);
    Word* const masks = scratch.counters.data();
    Word* const terms = masks + shape.axes * plane;
    Word* const moved = terms + plane;
    Word* const folded = moved + plane;
    Word* const levels = folded + plane;
    std::fill(masks, masks + rows * plane, 0);
    if (ranges != nullptr) {
        ranges->resize(shape.axes);
        for (std::uint32_t j = 0; j < shape.axes; ++j)
            (*ranges)[j] = {0, static_cast<std::int32_t>(shape.slices[j]) - 2};
    }
    std::uint32_t best = 0;
    for (const bool from_below : {true, false}) {
        if (!from_below && ranges == nullptr) break;
        std::uint32_t stride = 1;
        for (std::uint32_t j = 0; j < shape.axes; ++j) {
            const std::uint32_t slices = shape.slices[j];
            mark_slices(masks + j * plane, tensor.cells, stride, slices, from_below ? 1 : 0,
                        from_below ? slices - 1 : slices - 2);
            stride *= slices;
        }
        for (std::uint32_t p = 0; p < tensor.planes; ++p) {
            std::copy(tensor.plane(p), tensor.plane(p) + tensor.words, terms);
            const std::uint32_t own = degree_of_plane(tensor, masks, from_below, terms, moved, levels);
            if (ranges == nullptr || own < best || own == 0) {
                best = std::max(best, own);
                continue;
            }
            if (own > best) {  // earlier planes do not count any more
                best = own;
                for (std::uint32_t j = 0; j < shape.axes; ++j)
                    (*ranges)[j] = {0, static_cast<std::int32_t>(shape.slices[j]) - 2};
            }
            stride = 1;
            for (std::uint32_t j = 0; j < shape.axes; ++j) {
                const std::uint32_t slices = shape.slices[j];
                if (scratch.relevant.size() < slices) scratch.relevant.resize(slices);
                std::uint8_t* const some = scratch.relevant.data();
                slices_with_bits(terms, tensor.cells, stride, slices, slices, some, folded);
                CutRange& range = (*ranges)[j];
                if (from_below) {  // a left side with such a term keeps the degree
                    std::int32_t lowest = 0;
                    while (some[lowest] == 0) ++lowest;
                    range.last = std::min(range.last, lowest - 1);
                } else {
                    auto highest = static_cast<std::int32_t>(slices) - 1;
                    while (some[highest] == 0) --highest;
                    range.first = std::max(range.first, highest);
                }
                stride *= slices;
            }
        }
    }
    return best;
}

}  // namespace regrove::bornagain::REGROVE_KERNELS
