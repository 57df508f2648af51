// Which candidate the cross-validated errors speak for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace regrove::prune {

enum class ChoiceRule : std::uint8_t {
    one_standard_error,  ///< the simplest within one standard error of the smallest error
    minimum,             ///< the smallest error, the simplest of equal ones
};

/// The sums of one candidate's errors e with weights w over rows that the fit has not seen. Merge by addition.
struct ErrorSums {
    double weight = 0;                  ///< sum of w
    double squared_weight = 0;          ///< sum of w^2
    double error = 0;                   ///< sum of w e
    double squared_weight_error = 0;    ///< sum of w^2 e
    double squared_weighted_error = 0;  ///< sum of w^2 e^2

    void add(double w, double e);
    void merge(const ErrorSums& other);
};

struct CandidateError {
    double mean = 0;
    /// Of the mean, as that of a sample of rows: sqrt(p (1 - p) / n) for an error rate without weights (Breiman et al.
    /// 1984, section 3.4).
    double standard_error = 0;
};

/// NaN when there is no weight.
CandidateError finish(const ErrorSums& sums);

/// The index of the chosen candidate; they stand from the largest tree to the smallest. There must be one.
std::size_t choose_candidate(std::span<const CandidateError> candidates, ChoiceRule rule);

}  // namespace regrove::prune
