// What is done to a block of k_rank_rows rows at once, once for any processor and once for those with AVX2.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

struct ScoreKernels {
    const char* name;
    void (*rank_floats)(std::span<const float> cells, std::span<const float> borders, std::uint32_t* ranks);
    void (*rank_doubles)(std::span<const double> cells, std::span<const double> borders, std::uint32_t* ranks);
    /// One test a level, from the root.
    void (*find_by_levels)(const std::int8_t* ranks, std::span<const RankTest> levels, std::uint8_t* leaf);
    void (*find_by_planes)(const std::int8_t* ranks, const LeafPlanes& tree, std::uint8_t* leaf);
    /// Node numbers.
    void (*find_by_steps)(const std::int8_t* ranks, std::span<const WalkNode> nodes, std::uint32_t* node);
    void (*add_one)(const std::uint8_t* leaf, const double* value, double* scores);
    void (*add_four)(const FourTrees& trees, double* scores);
    void (*add_nodes)(const std::uint32_t* node, const double* value, double* scores);
    /// held (-1 or 0 a row) and the test; whether any row is left. `before` may be null: all rows.
    bool (*hold)(const std::int8_t* before, const std::int8_t* ranks, std::int8_t limit, std::int8_t* held);
    /// Adds the value where held, 0 elsewhere; rows may be passed over in groups of which none is held.
    void (*add_held)(const std::int8_t* held, double value, double* scores);
};

const ScoreKernels& plain_score_kernels();
#ifdef REGROVE_X86_KERNELS
const ScoreKernels& avx2_score_kernels();
#endif

/// Those that this processor runs, the fastest last; all give the same bits.
std::vector<const ScoreKernels*> runnable_score_kernels();
const ScoreKernels& score_kernels();

}  // namespace regrove::infer
