// A model's polynomial valued by training rows, and what other rows say of it at each threshold.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/monomial_pruning.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/metric/registry.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

struct ValuedPolynomial {
    algebra::Polynomial polynomial;
    std::vector<std::uint64_t> counts;  ///< a monomial: training rows that it holds for
    std::vector<double> values;         ///< a monomial: eta
    std::uint64_t rows = 0;             ///< training rows over all ranks
};

/// Counts each monomial over the rows of all ranks. Collective; throws LimitError, InputError and ConfigError (a model whose
/// answers are no sums), agreed.
ValuedPolynomial value_polynomial(comm::Communicator& comm, algebra::Polynomial polynomial,
                                  const data::TableShard& training);

/// The metric named, or where none is: roc_auc for two classes, else the task's first.
metric::Metric pruning_metric(const std::string& name, const model::Ensemble& model);

/// A threshold that drops what the level drops, to be handed to another model: in the middle, by ratio, of the largest eta dropped
/// and the smallest kept, since at either end a monomial of nearly the same eta there would fare otherwise. Zero when nothing of a
/// positive eta is dropped.
double threshold_to_hand_on(std::span<const double> values, const algebra::PruningLevel& level);

/// Its monomials but for the constant.
std::uint64_t monomials_of(const algebra::Polynomial& polynomial);

/// A level at which everything stays.
algebra::PruningLevel whole_level(const algebra::Polynomial& polynomial);

/// The metric of `model`'s polynomial over the rows of all ranks at each level (rising alpha): the same rows and exact scores at
/// all of them, so that levels can be compared in pairs. Collective; throws InputError, agreed.
std::vector<double> metrics_at_levels(comm::Communicator& comm, const model::Ensemble& model,
                                      const ValuedPolynomial& valued, std::span<const algebra::PruningLevel> levels,
                                      const data::TableShard& rows, const metric::Metric& metric);

/// The metric of a polynomial of `model`'s frame over the rows of all ranks, by exact scores. Collective; throws InputError, agreed.
double metric_of_polynomial(comm::Communicator& comm, const model::Ensemble& model,
                            const algebra::Polynomial& polynomial, const data::TableShard& rows,
                            const metric::Metric& metric);

/// The last of the levels before the metric is worse than `before` by more than `tolerance` for the first time; the first
/// level when it is so at once. A later level that is good again is so by chance: on Adult it lost twelve times the tolerance
/// on test rows. An undefined metric is worse.
/// With `both_sides` a level that is better by more than the tolerance ends it, too: what is left is then another model, whose
/// metric on other rows may as well be worse (on Amazon two of ten splits lost most by it).
std::size_t last_good_level(std::span<const double> metrics, double before, double tolerance,
                            const metric::Metric& metric, bool both_sides = false);

}  // namespace regrove::pipeline
