// What the walkers' parts cost, in nanoseconds a row.
//
// Measured by bench/score_speed on an AMD EPYC of 2024 (one core, AVX2, gcc 12, -O3): symmetric trees of depths 2 to 8,
// trees of 31 and 255 leaves, 28 features with some hundred borders each.
#pragma once

namespace regrove::infer {

constexpr double k_read_feature_ns = 0.6;      ///< a column's cell to a number
constexpr double k_halve_borders_ns = 0.22;    ///< one of the log2(borders + 1) steps of a rank
constexpr double k_write_column_ns = 0.15;     ///< a rank to bytes
constexpr double k_whole_question_ns = 0.8;    ///< a category's answer, or that of a question with surrogates
constexpr double k_add_leaf_ns = 0.36;         ///< finding and adding a leaf's value
constexpr double k_leaf_in_table_ns = 0.0005;  ///< more for each leaf of the tree: tables that leave the cache
constexpr double k_level_ns = 0.07;            ///< one test of a symmetric tree
constexpr double k_plane_ns = 0.06;            ///< the first leaf of a plane
constexpr double k_cut_ns = 0.0195;            ///< a cut of a plane
constexpr double k_step_ns = 2.6;              ///< one step of a walk from node to node, many rows at a time
constexpr double k_hold_ns = 0.05;             ///< one test of a monomial
constexpr double k_add_held_ns = 0.2;          ///< adding a monomial where it holds
constexpr double k_question_ns = 5.5;          ///< one question of a walk row by row

}  // namespace regrove::infer
