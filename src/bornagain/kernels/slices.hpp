// Taking slices out of tensors, compressing them, and the key of what is left.
#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "regrove/bornagain/tensor_kernels.hpp"

#include "bits.hpp"

namespace regrove::bornagain::REGROVE_KERNELS {

/// Marks in out (words + padding) where a cell's class differs from that of its next neighbour on an axis.
inline void differing_cells(const CellTensor& tensor, std::uint32_t axis, std::uint32_t stride, Word* out) {
    const std::uint32_t slices = tensor.shape.slices[axis];
    const std::uint32_t words = tensor.words;
    const std::uint32_t whole = std::min(stride / 64, words);
    const unsigned shift = stride % 64;
    const std::uint32_t rest = words - whole;
    std::fill(out + rest, out + words + k_plane_padding, 0);
    for (std::uint32_t p = 0; p < tensor.planes; ++p) {
        const Word* const own = tensor.plane(p);
        const Word* const next = own + whole;
        if (p == 0) {
            if (shift == 0)
                for (std::uint32_t i = 0; i < rest; ++i) out[i] = own[i] ^ next[i];
            else
                for (std::uint32_t i = 0; i < rest; ++i)
                    out[i] = own[i] ^ ((next[i] >> shift) | (next[i + 1] << (64 - shift)));
        } else {
            if (shift == 0)
                for (std::uint32_t i = 0; i < rest; ++i) out[i] |= own[i] ^ next[i];
            else
                for (std::uint32_t i = 0; i < rest; ++i)
                    out[i] |= own[i] ^ ((next[i] >> shift) | (next[i + 1] << (64 - shift)));
        }
    }
    // The last slice of each block has no next neighbour.
    const std::uint32_t block = stride * slices;
    if (block <= 64) {
        RepeatedPattern pattern(low_mask((slices - 1) * stride), block);
        for (std::uint32_t i = 0; i < rest; ++i) out[i] &= pattern.next();
        clear_range(out, tensor.cells - std::min(stride, tensor.cells), std::size_t{words} * 64);
    } else {
        for (std::uint32_t at = 0; at < tensor.cells; at += block)
            clear_range(out, std::size_t{at} + std::size_t{slices - 1} * stride, std::size_t{at} + block);
        if (tensor.cells % 64 != 0) out[words - 1] &= low_mask(tensor.cells % 64);
    }
}

/// Cells of class `value`, in word i.
inline Word cells_of_class(const CellTensor& tensor, std::uint32_t i, std::uint32_t value) {
    Word mask = i + 1 == tensor.words && tensor.cells % 64 != 0 ? low_mask(tensor.cells % 64) : ~Word{0};
    for (std::uint32_t p = 0; p < tensor.planes; ++p)
        mask &= ((value >> p) & 1U) != 0 ? tensor.plane(p)[i] : ~tensor.plane(p)[i];
    return mask;
}

/// Numbers the classes by their first cell; returns how many there are.
inline std::uint32_t number_classes(CellTensor& tensor, CellTensor& spare) {
    if (tensor.planes == 1) {
        Word* const own = tensor.plane(0);
        if ((own[0] & 1U) != 0) {
            for (std::uint32_t i = 0; i < tensor.words; ++i) own[i] = ~own[i];
            if (tensor.cells % 64 != 0) own[tensor.words - 1] &= low_mask(tensor.cells % 64);
        }
        Word any = 0;
        for (std::uint32_t i = 0; i < tensor.words; ++i) any |= own[i];
        return any != 0 ? 2 : 1;
    }
    std::vector<std::uint32_t> order;  // classes by first cell: look for a cell of no class known so far
    std::vector<Word> known(tensor.words, 0);
    for (std::uint32_t i = 0; i < tensor.words; ++i) {
        const Word all = i + 1 == tensor.words && tensor.cells % 64 != 0 ? low_mask(tensor.cells % 64) : ~Word{0};
        for (const std::uint32_t value : order) known[i] |= cells_of_class(tensor, i, value);
        while (known[i] != all) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(all & ~known[i]));
            order.push_back(tensor.class_of(i * 64 + bit));
            known[i] |= cells_of_class(tensor, i, order.back());
        }
    }
    const auto present = static_cast<std::uint32_t>(order.size());
    std::uint32_t planes = 1;
    while ((1U << planes) < present) ++planes;
    bool in_order = planes == tensor.planes;
    for (std::uint32_t r = 0; r < present; ++r) in_order = in_order && order[r] == r;
    if (in_order) return present;
    spare.shape = tensor.shape;
    spare.resize(tensor.cells, planes);
    for (std::uint32_t i = 0; i < tensor.words; ++i) {
        for (std::uint32_t q = 0; q < planes; ++q) spare.plane(q)[i] = 0;
        for (std::uint32_t r = 0; r < present; ++r) {
            const Word mask = cells_of_class(tensor, i, order[r]);
            for (std::uint32_t q = 0; q < planes; ++q)
                if (((r >> q) & 1U) != 0) spare.plane(q)[i] |= mask;
        }
    }
    std::swap(tensor, spare);
    return present;
}

/// The slices of an axis that `keep` marks, in order.
inline void keep_slices(const CellTensor& tensor, std::uint32_t axis, std::uint32_t stride, const std::uint8_t* keep,
                        CellTensor& out) {
    const std::uint32_t slices = tensor.shape.slices[axis];
    const std::uint32_t block = stride * slices;
    const auto kept = static_cast<std::uint32_t>(std::count(keep, keep + slices, 1));
    out.shape = tensor.shape;
    out.shape.slices[axis] = static_cast<std::uint16_t>(kept);
    out.resize(tensor.cells / slices * kept, tensor.planes);
    for (std::uint32_t p = 0; p < tensor.planes; ++p) {
        const Word* const from = tensor.plane(p);
        BitWriter writer(out.plane(p));
        if (block <= 64) {
            Word pattern = 0;
            for (std::uint32_t l = 0; l < slices; ++l)
                if (keep[l] != 0) pattern |= low_mask(stride) << (l * stride);
            RepeatedPattern masks(pattern, block);
            for (std::uint32_t i = 0; i < tensor.words; ++i) {
                Word mask = masks.next();
                if (i + 1 == tensor.words && tensor.cells % 64 != 0) mask &= low_mask(tensor.cells % 64);
                writer.put(gather_bits(from[i], mask), static_cast<unsigned>(std::popcount(mask)));
            }
        } else {
            for (std::uint32_t at = 0; at < tensor.cells; at += block)
                for (std::uint32_t l = 0; l < slices;) {
                    std::uint32_t end = l;
                    while (end < slices && keep[end] != 0) ++end;
                    if (end == l) {
                        ++l;
                        continue;
                    }
                    writer.copy(from, std::size_t{at} + std::size_t{l} * stride, std::size_t{end - l} * stride);
                    l = end;
                }
        }
        writer.finish();
    }
}

inline void drop_flat_axes(GridShape& shape) {
    std::uint32_t kept = 0;
    for (std::uint32_t j = 0; j < shape.axes; ++j) {
        if (shape.slices[j] < 2) continue;
        shape.slices[kept] = shape.slices[j];
        shape.origin[kept] = shape.origin[j];
        ++kept;
    }
    shape.axes = kept;
}

constexpr std::uint32_t k_no_axis = 0xFFFFFFFF;

/// `distinct_axis`: one on which no slice equals its neighbour.
inline std::uint32_t compress_axes(CellTensor& tensor, TensorScratch& scratch, SliceMap* map,
                                   std::uint32_t distinct_axis) {
    const std::uint32_t classes = number_classes(tensor, scratch.spare);
    if (classes == 1) {
        if (map != nullptr)
            for (auto& slices : *map) slices.resize(1);
        tensor.shape.axes = 0;
        tensor.resize(1, 1);
        tensor.plane(0)[0] = 0;
        return 1;
    }
    // Which slices repeat does not change when others are dropped, so one look at each axis is enough.
    const GridShape shape = tensor.shape;
    std::uint32_t all_slices = 0;
    for (std::uint32_t j = 0; j < shape.axes; ++j) all_slices += shape.slices[j];
    if (scratch.relevant.size() < all_slices) scratch.relevant.resize(all_slices);
    const std::size_t needed = 2 * (std::size_t{tensor.words} + k_plane_padding);
    if (scratch.words.size() < needed) scratch.words.resize(needed);
    Word* const differing = scratch.words.data();
    Word* const folded = differing + tensor.words + k_plane_padding;
    std::uint8_t* keep = scratch.relevant.data();
    std::uint32_t stride = 1;
    for (std::uint32_t j = 0; j < shape.axes; ++j) {
        const std::uint32_t slices = shape.slices[j];
        keep[0] = 1;
        if (j == distinct_axis) {
            std::fill(keep, keep + slices, 1);
        } else if (slices > 1) {
            differing_cells(tensor, j, stride, differing);
            slices_with_bits(differing, tensor.cells, stride, slices, slices - 1, keep + 1, folded);
        }
        keep += slices;
        stride *= slices;
    }
    for (std::uint32_t j = shape.axes; j-- > 0;) {  // the slowest axis first: what is left to copy shrinks
        const std::uint32_t slices = shape.slices[j];
        keep -= slices;
        stride /= slices;
        if (map != nullptr) {
            auto& slice_map = (*map)[shape.origin[j]];
            std::size_t kept = 0;
            for (std::uint32_t l = 0; l < slices; ++l)
                if (keep[l] != 0) slice_map[kept++] = slice_map[l];
            slice_map.resize(kept);
        }
        if (std::find(keep, keep + slices, 0) == keep + slices) continue;
        keep_slices(tensor, j, stride, keep, scratch.spare);
        std::swap(tensor, scratch.spare);
    }
    drop_flat_axes(tensor.shape);
    return classes;
}

inline std::uint32_t compress(CellTensor& tensor, TensorScratch& scratch, SliceMap* map) {
    return compress_axes(tensor, scratch, map, k_no_axis);
}

inline std::uint32_t take_slices(const CellTensor& tensor, std::uint32_t axis, std::uint32_t first,
                                 std::uint32_t last, CellTensor& out, TensorScratch& scratch, SliceMap* map) {
    const std::uint32_t slices = tensor.shape.slices[axis];
    if (scratch.star.size() < slices) scratch.star.resize(slices);
    std::fill(scratch.star.begin(), scratch.star.begin() + slices, 0);
    std::fill(scratch.star.begin() + first, scratch.star.begin() + last + 1, 1);
    keep_slices(tensor, axis, tensor.shape.stride(axis), scratch.star.data(), out);
    if (map != nullptr) {
        auto& kept = (*map)[tensor.shape.origin[axis]];
        kept = {kept.begin() + first, kept.begin() + last + 1};
    }
    return compress_axes(out, scratch, map, axis);  // some slices of a compressed tensor differ as they did
}

inline StateKey key(const CellTensor& tensor) {
    std::array<std::uint16_t, k_max_tensor_axes + 1> head;
    head[0] = static_cast<std::uint16_t>(tensor.planes);
    std::copy(tensor.shape.slices.begin(), tensor.shape.slices.begin() + tensor.shape.axes, head.begin() + 1);
    const Word seed = XXH3_64bits(head.data(), sizeof(std::uint16_t) * (1 + tensor.shape.axes));
    // All planes at once, with the zeros between them.
    const std::size_t words = std::size_t{tensor.planes - 1} * tensor.plane_words() + tensor.words;
    const XXH128_hash_t hash = XXH3_128bits_withSeed(tensor.bits.data(), sizeof(Word) * words, seed);
    return {hash.low64, hash.high64};
}

}  // namespace regrove::bornagain::REGROVE_KERNELS
