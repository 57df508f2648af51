// How the leaves that a row reaches become its class: the one place that says so, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/core/ids.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::model {

/// Classification only. Every node of every tree has `classes` numbers that it adds to a row's scores when the row ends
/// there: one tree alone its class weights; otherwise, times the tree's weight, its class shares (Combination::mean) or
/// one vote for its heaviest class (majority). Scores are summed in double in tree order and divided by the trees'
/// total weight, which can round two of them together; the class of the largest wins, ties go to the smaller index.
/// Combination::sum: the trees' own scores, of any sign, the initial ones in the first tree's, divided by nothing; the one
/// score of the logistic link counts for class 1 beside zeros for class 0, so that the class is 1 when it is above zero.
class ClassRule {
  public:
    explicit ClassRule(const Ensemble& ensemble);

    std::uint32_t classes() const { return classes_; }
    std::size_t trees() const { return scores_.size(); }
    /// What node `leaf` of `tree` adds: classes() numbers.
    std::span<const double> scores(std::size_t tree, NodeId leaf) const {
        return {scores_[tree].data() + index(leaf) * classes_, classes_};
    }
    /// What the sums are divided by; 1 for a single tree.
    double divisor() const { return divisor_; }
    /// The class of summed scores (classes() numbers, not yet divided).
    std::uint32_t class_of_sums(std::span<const double> sums) const;
    /// The class of a row that reaches leaves[t] in tree t.
    std::uint32_t decide(std::span<const NodeId> leaves) const;

  private:
    std::uint32_t classes_;
    double divisor_;
    std::vector<std::vector<double>> scores_;
};

}  // namespace regrove::model
