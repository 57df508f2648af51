// Two ensembles as real functions: equal, or the monomials by which they differ and a point where their scores do.
//
// Kuralenok et al. 2019, theorem 1, as a decision procedure: over one condition table two polynomials are equal functions
// only if they are equal. Scores are exact sums; prediction adds in double, in tree order, and may differ in last bits.
#pragma once

#include <optional>
#include <vector>

#include "regrove/algebra/ensemble_polynomial.hpp"

namespace regrove::algebra {

struct ScorePair {
    const model::Ensemble& first;
    const model::Ensemble& second;                     ///< features of the same names, in any order
    std::vector<std::uint32_t> first_class_of_second;  ///< as pipeline::ModelPair; empty for regressions
    /// Whether missing values that training never saw and categories in no dictionary are part of the space.
    bool with_unseen = false;
};

/// A point of the space by the features of the difference's frame: NaN is missing, -1 a category in no dictionary.
struct ScorePoint {
    std::vector<double> cells;
    std::vector<double> first_scores;  ///< exact, rounded once
    std::vector<double> second_scores;
};

struct ScoreDifference {
    /// First minus second (times both divisors where they differ): zero when they are equal everywhere. Its frame has
    /// both models' features and both dictionaries.
    Polynomial difference;
    std::optional<ScorePoint> point;

    bool equal() const { return difference.size() == 0; }
};

/// Throws ConfigError when the scores are not of one kind (another link, sums against means), LimitError as to_polynomial.
ScoreDifference score_difference(const ScorePair& pair, const PolynomialOptions& options);

}  // namespace regrove::algebra
