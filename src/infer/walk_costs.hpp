// What the walkers' parts cost, in nanoseconds a row.
//
// Fitted by hand to bench/score_speed and a profile of it on an AMD EPYC with AVX-512 (one core, gcc 12, -O3): symmetric trees
// of depth 8, trees of 31 leaves, 1,641 monomials, 28 features with some hundred borders each. Steps and whole questions
// are older, measured with AVX2. Seven models then took 12 to 59 % more than is predicted.
#pragma once

namespace regrove::infer {

constexpr double k_read_feature_ns = 1.3;      ///< a column's cell
constexpr double k_halve_borders_ns = 0.1;     ///< one of the log2(borders + 1) steps of a rank
constexpr double k_write_column_ns = 0.15;     ///< a rank to bytes
constexpr double k_whole_question_ns = 0.8;    ///< a category's answer, or that of a question with surrogates
constexpr double k_add_leaf_ns = 0.15;         ///< finding and adding a leaf's value
constexpr double k_leaf_in_table_ns = 0.0003;  ///< more for each leaf of the tree: tables that leave the cache
constexpr double k_level_ns = 0.007;           ///< one test of a symmetric tree
constexpr double k_plane_ns = 0.015;           ///< the first leaf of a plane
constexpr double k_cut_ns = 0.005;             ///< a cut of a plane
constexpr double k_step_ns = 2.6;              ///< one step of a walk from node to node, many rows at a time
constexpr double k_ask_test_ns = 0.009;        ///< one of the monomials' tests, each asked once
constexpr double k_hold_node_ns = 0.002;     ///< one test of a monomial, those that it shares with others not counted
constexpr double k_list_product_ns = 0.016;  ///< whether a monomial holds for one of 64 rows
constexpr double k_add_product_ns = 0.022;   ///< adding it to them
constexpr double k_question_ns = 5.5;        ///< one question of a walk row by row

}  // namespace regrove::infer
