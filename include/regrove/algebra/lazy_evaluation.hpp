// Scores from as few features as it takes, cheap ones first: a feature is asked for only by rows where it can still matter.
//
// Kuralenok et al. 2019, section 3, third property: conditions of a monomial may be asked in any order, so that a dear one is
// skipped where a cheap one does not hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

struct LazyOptions {
    std::vector<double> feature_costs;  ///< one a feature of the frame; finite, at least 0
    /// With one score: a row is done when no feature that is left can carry its score over this value, or back. In the
    /// polynomial's scores, divisor taken off.
    std::optional<double> decide_at;
};

struct LazyAnswers {
    std::vector<std::uint64_t> asked;  ///< a feature: rows that it was asked for
    std::vector<std::uint8_t> above;   ///< decide_at: 1 where the row's score is above it
};

/// Features in the order in which they are asked for, only those that conditions ask about. Scores: by rising cost, so that a dear
/// feature comes where all cheaper conditions hold. Decisions: by rising cost over the sum of |coefficient| of the monomials that
/// ask about the feature, so that what moves scores most for its price comes first. Ties by place.
std::vector<FeatureId> lazy_order(const Polynomial& polynomial, const LazyOptions& options);

/// Rows ask for a feature when some monomial with a condition on it has no condition that is known not to hold. Time:
/// O(conditions of all monomials * rows / 64), and with decide_at a step for each row and monomial that falls or is settled; in
/// parallel over rows. Exact integer sums decide.
LazyAnswers evaluate_lazily(const Polynomial& polynomial, const infer::Binding& binding,
                            const data::TableShard& shard, const LazyOptions& options);

}  // namespace regrove::algebra
