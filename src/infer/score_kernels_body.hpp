// The loops over a block of rows; included once for each kind of processor, with vectors as wide as it has them.
#pragma once

#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "score_kernels.hpp"

namespace regrove::infer::REGROVE_SCORE_KERNELS {

using SignedBytes = std::int8_t __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
using Bytes = std::uint8_t __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
constexpr std::size_t k_width = REGROVE_VECTOR_BYTES;
/// Vectors that are worked on at once, so that what is the same for all rows is loaded less often.
constexpr std::size_t k_together = 4;
constexpr std::size_t k_group = k_width * k_together;
static_assert(k_rank_rows % k_group == 0);

/// A binary search that halves step by step for all cells alike, so that no branch depends on the data: of `left` ranks that
/// may be added, `half` are, when the border at half - 1 is below the cell.
struct Halving {
    std::size_t left;
    std::size_t half() const { return left - left / 2; }
    void next() { left /= 2; }
};

/// Takes the remaining steps. ranks[i] is what earlier ones have found.
template <class Number>
inline void rank_further(std::span<const Number> cells, const Number* borders, Halving halving,
                         std::uint32_t* ranks) {
    for (; halving.left > 0; halving.next()) {
        const auto half = static_cast<std::uint32_t>(halving.half());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::uint32_t more = ranks[i] + half;
            ranks[i] = borders[more - 1] < cells[i] ? more : ranks[i];
        }
    }
}

#if REGROVE_VECTOR_BYTES >= 32
template <class Number>
struct NumberVectors;
template <>
struct NumberVectors<float> {
    using Vector = float __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
    using Int = std::int32_t;
    using Ints = std::int32_t __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
};
template <>
struct NumberVectors<double> {
    using Vector = double __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
    using Int = std::int64_t;
    using Ints = std::int64_t __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
};

/// The first steps of a search, whose borders fit registers: a vector a step, looked up by what the steps before have said.
template <class Number>
class RegisterSearch {
  public:
    using Vector = typename NumberVectors<Number>::Vector;
    using Int = typename NumberVectors<Number>::Int;
    using Ints = typename NumberVectors<Number>::Ints;
    static constexpr std::size_t k_count = k_width / sizeof(Number);

    explicit RegisterSearch(std::span<const Number> borders) : halving_{borders.size()} {
        std::size_t rank_of_path[2 * k_count] = {0};
        for (std::size_t paths = 1; paths <= k_count && halving_.left > 0; paths *= 2, halving_.next()) {
            const std::size_t half = halving_.half();
            Number probes[k_count] = {};
            for (std::size_t path = paths; path-- > 0;) {
                probes[path] = borders[rank_of_path[path] + half - 1];
                rank_of_path[2 * path + 1] = rank_of_path[path] + half;
                rank_of_path[2 * path] = rank_of_path[path];
            }
            std::memcpy(&steps_[count_].probes, probes, sizeof probes);
            steps_[count_++].half = static_cast<Int>(half);
        }
    }

    Halving rest() const { return halving_; }

    void rank(const Number* cells, std::uint32_t* ranks) const {
        Vector cell;
        std::memcpy(&cell, cells, sizeof cell);
        Ints path = {};
        Ints rank = {};
        for (std::size_t s = 0; s < count_; ++s) {
            const Ints right = __builtin_shuffle(steps_[s].probes, path) < cell;
            path = path + path - right;
            rank += right & (Ints{} + steps_[s].half);
        }
        for (std::size_t lane = 0; lane < k_count; ++lane) ranks[lane] = static_cast<std::uint32_t>(rank[lane]);
    }

  private:
    struct Step {
        Vector probes;
        Int half;
    };
    Step steps_[k_count];
    std::size_t count_ = 0;
    Halving halving_;
};
#endif

/// ranks[i] = the number of borders < cells[i]; 0 for NaN. Borders rise.
template <class Number>
inline void rank_cells(std::span<const Number> cells, std::span<const Number> borders, std::uint32_t* ranks) {
    std::size_t done = 0;
#if REGROVE_VECTOR_BYTES >= 32
    using Search = RegisterSearch<Number>;
    const Search search(borders);
    for (; done + Search::k_count <= cells.size(); done += Search::k_count)
        search.rank(cells.data() + done, ranks + done);
    rank_further(cells.first(done), borders.data(), search.rest(), ranks);
#endif
    for (std::size_t i = done; i < cells.size(); ++i) ranks[i] = 0;
    rank_further(cells.subspan(done), borders.data(), Halving{borders.size()}, ranks + done);
}

/// Part p of a rank: how far it is into borders [255 p, 255 p + 255).
inline void cut_ranks(const std::uint32_t* wide, std::size_t part, std::int8_t* ranks) {
    const auto below = static_cast<std::uint32_t>(part * k_borders_of_column);
    for (std::size_t row = 0; row < k_rank_rows; ++row) {
        const std::uint32_t above = wide[row] > below ? wide[row] - below : 0;
        const std::uint32_t within = above < k_borders_of_column ? above : k_borders_of_column;
        ranks[row] = static_cast<std::int8_t>(static_cast<int>(within) + k_lowest_rank);
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
        Bytes found[k_together];
        for (Bytes& vector : found) vector = all_alike(std::uint8_t{0});
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
        Bytes found[k_together];
        for (Bytes& vector : found) vector = all_alike(std::uint8_t{0});
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

/// A bit a byte of a comparison's answer (-1 or 0).
inline std::uint64_t bits_of(SignedBytes answers) {
#if defined(__AVX512BW__)
    return _mm512_movepi8_mask(reinterpret_cast<__m512i>(answers));
#elif defined(__AVX2__)
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(reinterpret_cast<__m256i>(answers)));
#elif defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(answers)));
#else
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < k_width; ++i) bits |= std::uint64_t{answers[i] != 0} << i;
    return bits;
#endif
}

inline void test_rows(const std::int8_t* ranks, std::int8_t limit, RowBits& right) {
    const SignedBytes limits = all_alike(limit);
    for (std::size_t word = 0; word < k_block_words; ++word) {
        std::uint64_t bits = 0;
        for (std::size_t row = 0; row < k_word_rows; row += k_width)
            bits |= bits_of(limits <= load(ranks + word * k_word_rows + row)) << row;
        right.words[word] = bits;
    }
}

using Words = std::uint64_t __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
constexpr std::size_t k_row_vectors = sizeof(RowBits) / k_width;

inline void hold_nodes(std::span<const HeldNode> nodes, const RowBits* answers, RowBits* held) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Words before[k_row_vectors];
        Words test[k_row_vectors];
        std::memcpy(before, held + nodes[i].before, sizeof before);
        std::memcpy(test, answers + nodes[i].test, sizeof test);
        for (std::size_t v = 0; v < k_row_vectors; ++v) before[v] &= test[v];
        std::memcpy(held + i + 1, before, sizeof before);
    }
}

using Doubles = double __attribute__((vector_size(REGROVE_VECTOR_BYTES)));
constexpr std::size_t k_lanes = k_width / sizeof(double);
/// Sums that are kept in registers while the products go by.
constexpr std::size_t k_sums = 8;

#if defined(__AVX512F__)
static_assert(k_sums * k_lanes == k_word_rows);

inline void add_products(std::span<const HeldProduct> products, double* scores) {
    Doubles sums[k_sums];
    std::memcpy(sums, scores, sizeof sums);
    for (const HeldProduct& product : products) {
        const __m512d value = _mm512_set1_pd(product.value);
        for (std::size_t v = 0; v < k_sums; ++v)
            sums[v] =
                _mm512_mask_add_pd(sums[v], static_cast<__mmask8>(product.rows >> (k_lanes * v)), sums[v], value);
    }
    std::memcpy(scores, sums, sizeof sums);
}
#else
inline void add_products(std::span<const HeldProduct> products, double* scores) {
    for (std::size_t first = 0; first < k_word_rows; first += k_sums * k_lanes) {
        Doubles sums[k_sums];
        std::memcpy(sums, scores + first, sizeof sums);
        Words own_bit[k_sums];
        for (std::size_t v = 0; v < k_sums; ++v) {
            std::uint64_t bits[k_lanes];
            for (std::size_t lane = 0; lane < k_lanes; ++lane)
                bits[lane] = std::uint64_t{1} << (first + v * k_lanes + lane);
            std::memcpy(&own_bit[v], bits, sizeof bits);
        }
        for (const HeldProduct& product : products) {
            std::uint64_t value = 0;
            std::memcpy(&value, &product.value, sizeof value);
            const Words rows = Words{} + product.rows;
            const Words values = Words{} + value;
            for (std::size_t v = 0; v < k_sums; ++v)
                sums[v] += reinterpret_cast<Doubles>(values & reinterpret_cast<Words>((rows & own_bit[v]) != 0));
        }
        std::memcpy(scores + first, sums, sizeof sums);
    }
}
#endif

inline ScoreKernels make_table(const char* name) {
    return {name,    rank_cells<float>, rank_cells<double>, cut_ranks, find_by_levels, find_by_planes, find_by_steps,
            add_one, add_four,          add_nodes,          test_rows, hold_nodes,     add_products};
}

}  // namespace regrove::infer::REGROVE_SCORE_KERNELS
