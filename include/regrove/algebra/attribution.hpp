// What each feature, or each condition, adds to a polynomial's scores on average over some rows.
//
// Sources: nu is equation 8 of Kuralenok, Ershov and Labutin 2019, section 6: for each monomial that contains the subject,
// coefficient * share of the rows for which the monomial holds. A monomial of several subjects counts whole for each, so nu
// does not add up to anything. Shapley 1953, "A value for n-person games": where a set S of features plays, the others
// stand at the baseline, all their conditions 0, so the game is a sum of unanimity games, one a monomial, whose gain
// its members share equally. These values add up to (expected score - score of the baseline), exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/polynomial.hpp"

namespace regrove::algebra {

enum class Credit : std::uint8_t {
    whole,   ///< nu
    shared,  ///< Shapley: 1 / (the monomial's number of subjects) to each
};

/// What is given credit. Two conditions of one feature in a monomial (large sets that overlap) are one subject or two.
enum class Subject : std::uint8_t { feature, condition };

struct AttributionOptions {
    Credit credit = Credit::whole;
    Subject subject = Subject::feature;
    /// Coefficients without their signs: how much there is that may cancel.
    bool absolute = false;
};

/// Subject by subject, `scores` each: features of the frame, or conditions of the table, in their order. `counts`: the
/// rows of all for which each monomial holds (dist::monomial_counts); `rows` > 0 of them in all. Sums are of integers and
/// fractions, each value rounded once. O(sum of the monomials' lengths * scores).
std::vector<double> attributions(const Polynomial& polynomial, std::span<const std::uint64_t> counts,
                                 std::uint64_t rows, const AttributionOptions& options);

/// The mean of each score over the rows: the baseline's score and each monomial's coefficient times its share of the rows,
/// rounded once.
std::vector<double> expected_scores(const Polynomial& polynomial, std::span<const std::uint64_t> counts,
                                    std::uint64_t rows);

/// The scores where all conditions are 0.
std::vector<double> baseline_scores(const Polynomial& polynomial);

}  // namespace regrove::algebra
