// Which monomials matter: eta = |coefficient|^2 times the share of rows for which the monomial holds.
//
// Kuralenok et al. 2019, section 5: eta estimates the growth of the squared error when the coefficient is set to zero; all
// monomials with eta below a threshold alpha are dropped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

/// eta of each monomial; that of the constant is infinite, so that it stays. With the softmax link the mean over the
/// scores is taken off the coefficient first: it changes no probability.
std::vector<double> monomial_values(const Polynomial& polynomial, std::span<const std::uint64_t> counts,
                                    std::uint64_t rows);

/// A threshold, and what it leaves.
struct PruningLevel {
    double alpha = 0;          ///< monomials with eta >= alpha stay
    std::uint64_t kept = 0;    ///< the constant not counted
    double dropped_share = 0;  ///< sum of eta of those dropped over the sum of all
};

/// About `count` levels of evenly falling numbers of monomials: the first drops only those of eta 0, the last all but the
/// constant (alpha is then infinite). Distinct numbers kept.
std::vector<PruningLevel> pruning_levels(std::span<const double> values, std::uint32_t count);
/// The level that a threshold given by hand is.
PruningLevel level_of(std::span<const double> values, double alpha);

/// The lowest threshold that leaves at most so many monomials.
PruningLevel level_keeping_at_most(std::span<const double> values, std::uint64_t count);

/// The level farthest above the straight line of the curve (share of monomials dropped against share of eta dropped), the
/// "elbow": dropping more costs more than it saves. The first of equals.
std::size_t elbow(std::span<const PruningLevel> levels);

/// 1 for each monomial with a value of at least alpha.
std::vector<std::uint8_t> kept_at(std::span<const double> values, double alpha);

/// The polynomial with other coefficients in the places of its own; monomials of zeros are dropped.
Polynomial with_coefficients(const Polynomial& polynomial, std::vector<Int128> coefficients);

/// The scores of the shard's rows: rows x scores, exact sums rounded once, with the divisor taken off. In parallel.
std::vector<double> scores_of(const Polynomial& polynomial, const data::TableShard& shard);

/// The scores of the shard's rows at each level: rows x scores for each, exact sums rounded once, with the divisor taken
/// off. `levels` in order of rising alpha. Takes rows * levels * scores * 8 bytes. In parallel over blocks of rows.
std::vector<std::vector<double>> scores_at_levels(const Polynomial& polynomial, std::span<const double> values,
                                                  std::span<const PruningLevel> levels, const infer::Binding& binding,
                                                  const data::TableShard& shard);

}  // namespace regrove::algebra
