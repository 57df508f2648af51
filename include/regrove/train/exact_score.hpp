// The worth of a split as an exact rational number, so that a tie is a tie on every machine.
//
// For Gini impurity the weighted decrease differs from  a/da + b/db - c/dc  by a factor only, where a, b, c are the sums
// of squared class weights of left, right and parent and da, db, dc their weights; for squared error a, b, c are squared
// sums of targets. Entropy is a sum of fixed-point terms: denominators of one.
#pragma once

#include <compare>
#include <cstdint>

#include "regrove/core/int128.hpp"

namespace regrove::train {

struct ExactScore {
    Int128 a = 0;
    Int128 b = 0;
    Int128 c = 0;  ///< the parent's term; zero where all candidates of a node share it
    std::int64_t da = 1;
    std::int64_t db = 1;
    std::int64_t dc = 1;
    bool squared = false;  ///< a, b and c stand for their squares (which need not fit)

    /// The value in double precision, rounded after the exact subtraction; for reports and for best-first growth.
    double value() const;
};

/// Exact three-way comparison of the values. Costs a few multiplications; big integers only when numbers are large.
std::strong_ordering compare(const ExactScore& x, const ExactScore& y);

/// Whether the score exceeds  c/dc  (with the same `squared` meaning): is there any gain over the parent?
bool exceeds(const ExactScore& score, Int128 c, std::int64_t dc);

}  // namespace regrove::train
