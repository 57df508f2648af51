// A model's answers for the rows of a table: leaves, classes, probabilities, values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/route.hpp"
#include "regrove/infer/tree_walk.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

/// Binds a model to a table's schema and answers for shards of that schema, in parallel over rows. The model must
/// outlive it. Trees' answers are averaged in tree order, so results do not depend on threads or ranks.
class Predictor {
  public:
    /// Throws InputError when the columns do not fit (see Binding).
    Predictor(const model::Ensemble& ensemble, const data::Schema& schema);

    const std::vector<std::string>& warnings() const { return binding_.warnings(); }

    /// The leaf of each row in each tree: rows x trees, row by row.
    std::vector<NodeId> leaves(const data::TableShard& shard) const;
    /// What each row met in any of the trees.
    std::vector<PathFlags> flags(const data::TableShard& shard) const;

    // From leaves() of the same shard; `outputs` is the number of classes, or 1 for regression. `initial`: what each row's
    // score begins at beside the model's own initial score (initial_scores_of the same shard; empty: nothing).

    /// The mean of the leaves' values (class weights, or the mean); Combination::sum: the raw scores, before the link:
    /// rows x Ensemble::scores().
    std::vector<double> raw(const std::vector<NodeId>& leaves, std::span<const double> initial = {}) const;
    /// Regression: one value a row, after the link.
    std::vector<double> values(const std::vector<NodeId>& leaves, std::span<const double> initial = {}) const;
    /// Classification: the mean of the leaves' class weights, each leaf's normalised to sum one (equal shares when
    /// all are zero), the share of the trees' votes (Combination::majority), or the link of the raw scores (sum): rows x
    /// outputs.
    std::vector<double> probabilities(const std::vector<NodeId>& leaves, std::span<const double> initial = {}) const;
    /// Classification: the class of the largest weight (one tree) or probability (more) or raw score (sum; see
    /// Combination); ties go to the smaller index.
    std::vector<std::int32_t> classes(const std::vector<NodeId>& leaves, std::span<const double> initial = {}) const;

    // The same without leaves between, for Combination::sum only: much faster, the same bits.

    /// Whether the model sums scores.
    bool sums() const { return ensemble_->combination == model::Combination::sum; }
    /// raw(leaves(shard), initial_scores_of(model, shard)): rows bring their own initial scores where the model asks for them.
    std::vector<double> raw_scores(const data::TableShard& shard) const;
    /// values(), probabilities() and classes() from raw scores.
    std::vector<double> values_of(std::vector<double> raw) const;
    std::vector<double> probabilities_of(const std::vector<double>& raw) const;
    std::vector<std::int32_t> classes_of(const std::vector<double>& raw) const;

    /// As probabilities(), or raw() for numbers, from the trees marked only (rows x trees); zeros where none is. Not
    /// for Combination::sum.
    std::vector<double> answers_of_marked(const std::vector<NodeId>& leaves,
                                          const std::vector<std::uint8_t>& marked) const;

    /// The leaf's number from left to right, from 0.
    std::uint32_t leaf_number(std::size_t tree, NodeId leaf) const { return leaf_numbers_[tree][index(leaf)]; }

  private:
    template <class Visit>
    void for_each_row(const data::TableShard& shard, Visit visit) const;

    const model::Ensemble* ensemble_;
    Binding binding_;
    std::vector<TreeWalk> walks_;
    std::vector<std::vector<std::uint32_t>> leaf_numbers_;
};

}  // namespace regrove::infer
