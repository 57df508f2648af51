// What is done to a block of k_rank_rows rows at once, once for each kind of processor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/infer/fast_scores.hpp"

#include "rank_bytes.hpp"

namespace regrove::infer {

/// Rows with limit > rank go left and lose no leaf; others keep those of the plane's eight leaves that are in `keep`.
struct LeafCut {
    std::uint32_t column = 0;
    std::int8_t limit = 0;
    std::uint8_t keep = 0;
};

/// A tree of up to 256 leaves as sets of leaves (Lucchese et al. 2015, "QuickScorer"): a question that sends a row right
/// takes the leaves on its left away, and the first leaf that is left is the row's. Eight leaves a plane.
struct LeafPlanes {
    std::vector<LeafCut> cuts;             ///< plane by plane
    std::vector<std::uint32_t> first_cut;  ///< of each plane, and one more
    std::size_t planes() const { return first_cut.size() - 1; }
};

/// A tree of any size: children stand side by side, leaves lead to themselves.
struct WalkNode {
    std::uint32_t left = 0;
    std::uint32_t column = 0;
    std::int8_t limit = 0;
    std::uint8_t is_leaf = 0;
};

/// Four trees that add to the same scores, in order.
struct FourTrees {
    const std::uint8_t* leaf[4];
    const double* value[4];
};

/// A bit for each of k_rank_rows rows.
struct alignas(64) RowBits {
    std::uint64_t words[k_block_words];
};

/// Holds where node `before` and the test do.
struct HeldNode {
    std::uint32_t before = 0;
    std::uint32_t test = 0;
    friend auto operator<=>(const HeldNode&, const HeldNode&) = default;
};

/// What some of k_word_rows neighbouring rows get more.
struct HeldProduct {
    std::uint64_t rows = 0;  ///< a bit a row
    double value = 0;
};

struct ScoreKernels {
    const char* name;
    void (*rank_floats)(std::span<const float> cells, std::span<const float> borders, std::uint32_t* ranks);
    void (*rank_doubles)(std::span<const double> cells, std::span<const double> borders, std::uint32_t* ranks);
    /// Part p of ranks: how far they are into borders [255 p, 255 p + 255), of k_rank_rows rows.
    void (*cut_ranks)(const std::uint32_t* wide, std::size_t part, std::int8_t* ranks);
    /// One test a level, from the root.
    void (*find_by_levels)(const std::int8_t* ranks, std::span<const RankTest> levels, std::uint8_t* leaf);
    void (*find_by_planes)(const std::int8_t* ranks, const LeafPlanes& tree, std::uint8_t* leaf);
    /// Node numbers.
    void (*find_by_steps)(const std::int8_t* ranks, std::span<const WalkNode> nodes, std::uint32_t* node);
    void (*add_one)(const std::uint8_t* leaf, const double* value, double* scores);
    void (*add_four)(const FourTrees& trees, double* scores);
    void (*add_nodes)(const std::uint32_t* node, const double* value, double* scores);
    /// Which rows go right.
    void (*test_rows)(const std::int8_t* ranks, std::int8_t limit, RowBits& right);
    /// held[i + 1] of nodes[i], whose `before` is at most i; held[0] is given.
    void (*hold_nodes)(std::span<const HeldNode> nodes, const RowBits* answers, RowBits* held);
    /// To each of k_word_rows scores, in order: the value where the row's bit is set, elsewhere nothing or 0 (minus zero
    /// would tell).
    void (*add_products)(std::span<const HeldProduct> products, double* scores);
};

const ScoreKernels& plain_score_kernels();
#ifdef REGROVE_X86_KERNELS
const ScoreKernels& avx2_score_kernels();
const ScoreKernels& avx512_score_kernels();
#endif

/// The widest that this processor runs and that `widest` allows; all give the same bits.
const ScoreKernels& score_kernels(ProcessorKernels widest);

}  // namespace regrove::infer
