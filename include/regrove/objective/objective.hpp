// A loss to be minimised by boosting: gradients, second derivatives and the constant to begin with.
//
// Glossary of the module:
//   score      what the trees sum up to, before the link: one number a row, or one a class
//   gradient   first derivative of a row's loss with respect to its score, times the row's weight
//   hessian    second derivative, or an upper bound of it (see hessian_kind), times the row's weight
//   group      consecutive rows that are ranked among each other (a query)
//   refit      leaf values taken from the residuals of the leaf's rows in place of -G / (H + lambda)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/model/link.hpp"
#include "regrove/objective/objective_options.hpp"

namespace regrove::objective {

/// Views of one rank's rows. Class weights and the like are already multiplied into `weights`.
struct LabelledRows {
    std::span<const double> labels;   ///< classification: the class index; ranking: the relevance, 0, 1, 2, ...
    std::span<const double> weights;  ///< finite, not negative; empty: one each
    /// Ranking: where each group begins, ascending from 0, with labels.size() at the end; a group is whole on one rank.
    /// A group's weight is that of its first row. Empty for other objectives.
    std::span<const std::uint64_t> group_begins;

    std::size_t rows() const { return labels.size(); }
    double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
    std::size_t groups() const { return group_begins.empty() ? 0 : group_begins.size() - 1; }
};

/// Scores and derivatives are score-major: element k * rows + i belongs to score k of row i.
struct Derivatives {
    std::span<double> gradient;
    std::span<double> hessian;
};

/// How `hessian` relates to the loss's own second derivative.
enum class HessianKind : std::uint8_t {
    exact,         ///< equal to it
    twice,         ///< twice it: with several scores a row, twice the diagonal bounds the whole matrix
    row_weight,    ///< the row's weight, where the loss has corners or straight parts; an upper bound where it curves
    pair_weights,  ///< ranking: the second derivative with the pairs' weights held still
};

class Objective {
  public:
    virtual ~Objective() = default;

    virtual std::string_view name() const = 0;
    virtual model::Link link() const = 0;
    /// Name of the metric that early stopping watches unless another is asked for (metric/registry.hpp).
    virtual std::string default_metric() const = 0;
    virtual HessianKind hessian_kind() const = 0;
    /// Raw scores a row: 1, or the number of classes.
    virtual std::uint32_t scores() const { return 1; }
    /// The hessian of every row is its weight, so that trees may count rows in place of adding hessians.
    virtual bool constant_hessian() const { return hessian_kind() == HessianKind::row_weight; }
    /// Largest leaf value, before the learning rate, when the user sets none; 0: no limit.
    virtual double default_max_delta_step() const { return 0; }
    /// Rows are ranked within groups: LabelledRows::group_begins is needed.
    virtual bool grouped() const { return false; }

    /// Throws InputError naming the first bad row (its number over all ranks: first_row + i), its label and the range
    /// allowed.
    virtual void check_labels(const LabelledRows& rows, std::uint64_t first_row) const = 0;

    /// Derivatives of rows [begin, end) (of groups [begin, end) when grouped()) at the given scores. A pure function
    /// of each row (group), so blocks may be computed by any threads in any order. Weights are multiplied in.
    virtual void derivatives(const LabelledRows& rows, std::span<const double> scores, const Derivatives& out,
                             std::size_t begin, std::size_t end) const = 0;

    /// Each row's loss at its scores, times its weight, summed (for a grouped objective with frozen pair weights there is
    /// none: NaN). For tests and reports; the order of adding is that of the rows.
    virtual double loss(const LabelledRows& rows, std::span<const double> scores) const = 0;

    // The scores to begin with, the best constant: from sums that merge, or a quantile of the labels.

    /// Words that add up over shards, element by element (exact sums), always as many: what initial_scores() needs.
    virtual std::vector<std::int64_t> summarise(const LabelledRows& rows) const = 0;
    /// scores() numbers from the merged words. With initial_quantile() set this is not asked.
    virtual std::vector<double> initial_scores(std::span<const std::int64_t> merged) const = 0;
    /// The initial score is this weighted quantile of the labels (see QuantileSelection).
    virtual std::optional<double> initial_quantile() const { return std::nullopt; }

    /// Leaf values become this weighted quantile of the residuals label - score of the leaf's rows, at the scores
    /// before the tree, times the learning rate; nullopt: they stay -G / (H + lambda).
    virtual std::optional<double> refit_quantile() const { return std::nullopt; }
};

/// What a label is.
enum class LabelKind : std::uint8_t { two_classes, classes, number, relevance };

/// One row of the table of objectives.
struct ObjectiveRow {
    std::string name;                  ///< "squared-error"
    std::string description;           ///< one line for --help and docs
    std::vector<std::string> aliases;  ///< the peers' names
    LabelKind labels = LabelKind::number;
    std::unique_ptr<Objective> (*make)(const ObjectiveOptions& options, std::uint32_t classes) = nullptr;
};

std::span<const ObjectiveRow> all_objectives();
/// By name or alias; throws ConfigError listing all when there is none.
const ObjectiveRow& find_objective(std::string_view name);

/// options.objective, or what "auto" stands for: logistic for two classes, softmax for more, squared-error for numbers
/// (classes = 0). Throws ConfigError when the objective does not fit the label.
std::unique_ptr<Objective> make_objective(const ObjectiveOptions& options, std::uint32_t classes);

/// Derivatives of all rows, block by block over the threads.
void all_derivatives(const Objective& objective, const LabelledRows& rows, std::span<const double> scores,
                     const Derivatives& out);

}  // namespace regrove::objective
