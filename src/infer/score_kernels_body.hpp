// The loops over a block of rows; included once for each kind of processor, with vectors as wide as it has them.
#pragma once

#include <cstring>

#include "score_kernels.hpp"

namespace regrove::infer::REGROVE_SCORE_KERNELS {

using SignedBytes = std::int8_t __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
using Bytes = std::uint8_t __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
constexpr std::size_t k_width = REGROVE_VECTOR_BYTES;
/// Vectors that are worked on at once, so that what is the same for all rows is loaded less often.
constexpr std::size_t k_together = 4;
constexpr std::size_t k_group = k_width * k_together;
static_assert(k_rank_rows % k_group == 0);

/// ranks[i] = the number of borders < cells[i]; 0 for NaN. Halves step by step for all cells, so that no branch depends
/// on the data.
template <class Number>
inline void rank_cells(std::span<const Number> cells, std::span<const Number> borders, std::uint32_t* ranks) {
    for (std::size_t i = 0; i < cells.size(); ++i) ranks[i] = 0;
    const Number* const first = borders.data();
    std::size_t left = borders.size();
    while (left > 0) {
        const std::size_t half =
            left - left / 2;  // of `left` candidates, whether the rank is at least this much more
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::uint32_t more = ranks[i] + static_cast<std::uint32_t>(half);
            ranks[i] = first[more - 1] < cells[i] ? more : ranks[i];
        }
        left /= 2;
    }
}

inline SignedBytes load(const std::int8_t* from) {
    SignedBytes vector;
    std::memcpy(&vector, from, k_width);
    return vector;
}

inline Bytes all_alike(std::uint8_t byte) { return Bytes{} + byte; }
inline SignedBytes all_alike(std::int8_t byte) { return SignedBytes{} + byte; }

/// -1 where the row goes left.
inline Bytes goes_left(const std::int8_t* ranks, SignedBytes limit) {
    return reinterpret_cast<Bytes>(limit > load(ranks));
}

inline void find_by_levels(const std::int8_t* ranks, std::span<const RankTest> levels, std::uint8_t* leaf) {
    for (std::size_t row = 0; row < k_rank_rows; row += k_group) {
        Bytes found[k_together] = {};
        for (const RankTest& level : levels) {
            const std::int8_t* const column = ranks + level.column * k_rank_rows + row;
            const SignedBytes limit = all_alike(level.limit);
            // Twice what is found, and one more on the right: right is 1 + goes_left.
            for (std::size_t v = 0; v < k_together; ++v)
                found[v] = found[v] + found[v] + 1 + goes_left(column + v * k_width, limit);
        }
        std::memcpy(leaf + row, found, k_group);
    }
}

/// The number of the lowest bit that is set; 0 when none is.
inline Bytes lowest_bit(Bytes bits) {
    const Bytes lowest = bits & -bits;
    const Bytes one = reinterpret_cast<Bytes>((lowest & 0xaa) != 0) & 1;
    const Bytes two = reinterpret_cast<Bytes>((lowest & 0xcc) != 0) & 2;
    const Bytes four = reinterpret_cast<Bytes>((lowest & 0xf0) != 0) & 4;
    return one | two | four;
}

inline void find_by_planes(const std::int8_t* ranks, const LeafPlanes& tree, std::uint8_t* leaf) {
    for (std::size_t row = 0; row < k_rank_rows; row += k_group) {
        Bytes found[k_together] = {};
        for (std::size_t plane = tree.planes(); plane-- > 0;) {
            Bytes leaves[k_together];
            for (Bytes& vector : leaves) vector = all_alike(std::uint8_t{0xff});
            for (std::uint32_t c = tree.first_cut[plane]; c < tree.first_cut[plane + 1]; ++c) {
                const LeafCut& cut = tree.cuts[c];
                const std::int8_t* const column = ranks + cut.column * k_rank_rows + row;
                const SignedBytes limit = all_alike(cut.limit);
                const Bytes keep = all_alike(cut.keep);
                for (std::size_t v = 0; v < k_together; ++v)
                    leaves[v] &= goes_left(column + v * k_width, limit) | keep;
            }
            const Bytes first = all_alike(static_cast<std::uint8_t>(plane * 8));
            for (std::size_t v = 0; v < k_together; ++v) {
                const Bytes none = reinterpret_cast<Bytes>(leaves[v] == 0);
                found[v] = (found[v] & none) | ((lowest_bit(leaves[v]) + first) & ~none);
            }
        }
        std::memcpy(leaf + row, found, k_group);
    }
}

inline void find_by_steps(const std::int8_t* ranks, std::span<const WalkNode> nodes, std::uint32_t* node) {
    constexpr std::size_t k_rows = 16;
    for (std::size_t row = 0; row < k_rank_rows; row += k_rows) {
        std::uint32_t at[k_rows] = {};
        std::uint32_t moving = nodes[0].is_leaf == 0 ? 1 : 0;
        while (moving != 0) {
            std::uint32_t leaves = 1;
            for (std::size_t r = 0; r < k_rows; ++r) {
                const WalkNode step = nodes[at[r]];
                const std::int8_t rank = ranks[step.column * k_rank_rows + row + r];
                const std::uint32_t right = (rank >= step.limit ? 1U : 0U) & (1U - step.is_leaf);
                at[r] = step.left + right;
                leaves &= step.is_leaf;
            }
            moving = 1 - leaves;
        }
        std::memcpy(node + row, at, sizeof at);
    }
}

inline void add_one(const std::uint8_t* leaf, const double* value, double* scores) {
    for (std::size_t row = 0; row < k_rank_rows; ++row) scores[row] += value[leaf[row]];
}

inline void add_four(const FourTrees& trees, double* scores) {
    for (std::size_t row = 0; row < k_rank_rows; ++row) {
        double score = scores[row] + trees.value[0][trees.leaf[0][row]];
        score += trees.value[1][trees.leaf[1][row]];
        score += trees.value[2][trees.leaf[2][row]];
        score += trees.value[3][trees.leaf[3][row]];
        scores[row] = score;
    }
}

inline void add_nodes(const std::uint32_t* node, const double* value, double* scores) {
    for (std::size_t row = 0; row < k_rank_rows; ++row) scores[row] += value[node[row]];
}

inline bool is_any(SignedBytes vector) {
    std::uint64_t words[k_width / 8];
    std::memcpy(words, &vector, k_width);
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    return any != 0;
}

inline bool hold(const std::int8_t* before, const std::int8_t* ranks, std::int8_t limit, std::int8_t* held) {
    const SignedBytes limits = all_alike(limit);
    SignedBytes any = {};
    for (std::size_t row = 0; row < k_rank_rows; row += k_width) {
        SignedBytes now = limits <= load(ranks + row);
        if (before != nullptr) now &= load(before + row);
        any |= now;
        std::memcpy(held + row, &now, k_width);
    }
    return is_any(any);
}

inline void add_held(const std::int8_t* held, double value, double* scores) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (std::size_t row = 0; row < k_rank_rows; row += k_width) {
        if (!is_any(load(held + row))) continue;
        for (std::size_t r = row; r < row + k_width; ++r) {
            const std::uint64_t own = bits & static_cast<std::uint64_t>(static_cast<std::int64_t>(held[r]));
            double added = 0;
            std::memcpy(&added, &own, sizeof added);
            scores[r] += added;
        }
    }
}

inline ScoreKernels make_table(const char* name) {
    return {name,    rank_cells<float>, rank_cells<double>, find_by_levels, find_by_planes, find_by_steps,
            add_one, add_four,          add_nodes,          hold,           add_held};
}

}  // namespace regrove::infer::REGROVE_SCORE_KERNELS
