// How many neighbours of another class each cell has, and the cuts that cells with many of them force.
#pragma once

#include "slices.hpp"

namespace regrove::bornagain::REGROVE_KERNELS {

/// Words whose counters are summed at once: enough for the widest registers.
constexpr std::uint32_t k_counter_words = 8;
/// Up to 2 * k_max_tensor_axes neighbours.
constexpr std::uint32_t k_counter_levels = 7;

/// Bit-sliced numbers of up to 127 for k_counter_words x 64 cells.
struct Counters {
    Word level[k_counter_levels][k_counter_words] = {};

    /// Adds one where `first` has a bit and one where `second` has.
    void add_two(const Word* first, const Word* second, std::uint32_t levels) {
        Word carry[k_counter_words];
        for (std::uint32_t i = 0; i < k_counter_words; ++i) {
            const Word either = first[i] ^ second[i];
            carry[i] = (first[i] & second[i]) | (level[0][i] & either);
            level[0][i] ^= either;
        }
        for (std::uint32_t b = 1; b < levels; ++b)
            for (std::uint32_t i = 0; i < k_counter_words; ++i) {
                const Word next = level[b][i] & carry[i];
                level[b][i] ^= carry[i];
                carry[i] = next;
            }
    }
};

inline std::uint32_t levels_for(std::uint32_t largest) {
    std::uint32_t levels = 1;
    while ((1U << levels) <= largest) ++levels;
    return levels;
}

/// The largest number that some cell of `within` has, and in `within` the cells that have it.
inline std::uint32_t largest_count(const Word* levels, std::uint32_t level_words, std::uint32_t count,
                                   std::uint32_t words, Word* within) {
    std::uint32_t largest = 0;
    for (std::uint32_t b = count; b-- > 0;) {
        const Word* const level = levels + std::size_t{b} * level_words;
        Word any = 0;
        for (std::uint32_t i = 0; i < words; ++i) any |= within[i] & level[i];
        if (any == 0) continue;
        largest |= 1U << b;
        for (std::uint32_t i = 0; i < words; ++i) within[i] &= level[i];
    }
    return largest;
}

inline void mark_all(const CellTensor& tensor, Word* out) {
    std::fill(out, out + tensor.words, ~Word{0});
    if (tensor.cells % 64 != 0) out[tensor.words - 1] = low_mask(tensor.cells % 64);
}

inline void differences(const CellTensor& tensor, Differences& out, std::vector<Word>& scratch) {
    const std::uint32_t axes = tensor.shape.axes;
    const std::size_t plane = tensor.plane_words();
    out.words = tensor.words;
    out.axes = axes;
    out.levels = levels_for(2 * axes);
    // The cell differs from its previous neighbour: `differs` moved up, kept behind it in the same buffer.
    if (out.differs.size() < axes * plane) out.differs.resize(axes * plane);
    if (out.count.size() < out.levels * plane) out.count.resize(out.levels * plane);
    if (scratch.size() < axes * plane + plane) scratch.resize(axes * plane + plane);
    std::uint32_t stride = 1;
    for (std::uint32_t j = 0; j < axes; ++j) {
        Word* const own = out.differs_on(j);
        differing_cells(tensor, j, stride, own);
        Word* const moved = scratch.data() + j * plane;
        shift_up(own, tensor.words, stride, moved);
        std::fill(moved + tensor.words, moved + plane, 0);
        stride *= tensor.shape.slices[j];
    }
    for (std::uint32_t begin = 0; begin < tensor.words; begin += k_counter_words) {
        Counters counters;
        for (std::uint32_t j = 0; j < axes; ++j)
            counters.add_two(out.differs_on(j) + begin, scratch.data() + j * plane + begin, out.levels);
        for (std::uint32_t b = 0; b < out.levels; ++b)
            std::copy(counters.level[b], counters.level[b] + k_counter_words, out.count_level(b) + begin);
    }
    Word* const within = scratch.data() + axes * plane;
    mark_all(tensor, within);
    out.max_sensitivity =
        largest_count(out.count.data(), static_cast<std::uint32_t>(plane), out.levels, tensor.words, within);
}

/// The cells of word i with this sensitivity.
inline Word cells_of_sensitivity(const Differences& differences, std::uint32_t i, std::uint32_t sensitivity) {
    Word mask = ~Word{0};
    for (std::uint32_t b = 0; b < differences.levels; ++b) {
        const Word level = differences.count_level(b)[i];
        mask &= ((sensitivity >> b) & 1U) != 0 ? level : ~level;
    }
    return mask;
}

inline bool bit_at(const Word* words, std::size_t at) { return ((words[at >> 6U] >> (at & 63U)) & 1U) != 0; }

inline bool forced_cuts(const CellTensor& tensor, const Differences& differences, std::uint32_t depth,
                        std::vector<ForcedCut>& cuts) {
    cuts.clear();
    if (differences.max_sensitivity < depth || depth == 0) return false;
    const GridShape& shape = tensor.shape;
    bool first = true;
    for (std::uint32_t i = 0; i < tensor.words; ++i) {
        Word mask = cells_of_sensitivity(differences, i, depth);
        if (i + 1 == tensor.words && tensor.cells % 64 != 0) mask &= low_mask(tensor.cells % 64);
        for (; mask != 0; mask &= mask - 1) {
            const std::uint32_t cell = i * 64 + static_cast<std::uint32_t>(std::countr_zero(mask));
            if (first) {
                std::uint32_t stride = 1;
                for (std::uint32_t j = 0; j < shape.axes; ++j) {
                    const std::uint32_t at = cell / stride % shape.slices[j];
                    if (at > 0 && bit_at(differences.differs_on(j), cell - stride))
                        cuts.push_back({j, at - 1, stride});
                    if (bit_at(differences.differs_on(j), cell)) cuts.push_back({j, at, stride});
                    stride *= shape.slices[j];
                }
                first = false;
                continue;
            }
            std::erase_if(cuts, [&](const ForcedCut& cut) {
                const std::uint32_t at = cell / cut.stride % shape.slices[cut.axis];
                if (at == cut.cut) return !bit_at(differences.differs_on(cut.axis), cell);
                if (at == cut.cut + 1) return !bit_at(differences.differs_on(cut.axis), cell - cut.stride);
                return true;
            });
            if (cuts.empty()) return true;
        }
    }
    return true;
}

}  // namespace regrove::bornagain::REGROVE_KERNELS
