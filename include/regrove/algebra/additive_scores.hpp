// The numbers of a model that are sums over its trees: what an attribution can be additive in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/model/ensemble.hpp"
#include "regrove/model/node_tables.hpp"

namespace regrove::algebra {

/// What each leaf of one tree adds to scores [first, first + length).
struct TreeScores {
    model::NodeTable values;  ///< `length` numbers a node, each times its tree's weight
    std::uint32_t first = 0;
    std::uint32_t length = 1;
};

/// A row's scores are (initial + the sum of its leaves' values in tree order) / divisor.
struct AdditiveScores {
    std::vector<std::string> names;  ///< of classes, or numbers; one empty name when there is one score
    std::vector<double> initial;
    double divisor = 1;
    std::vector<TreeScores> trees;

    std::size_t count() const { return initial.size(); }
    /// For each score: |initial| plus each tree's largest |leaf|, over the divisor. No row's score is larger.
    std::vector<double> largest(const model::Ensemble& ensemble) const;
};

/// Combination::sum: the raw scores, before the link. Means: the probability of each class, or the value. Throws
/// ConfigError for votes of several trees (Combination::majority), whose answer is no sum of what the trees say.
AdditiveScores additive_scores(const model::Ensemble& ensemble);

}  // namespace regrove::algebra
