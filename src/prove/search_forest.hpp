// An ensemble laid out for proofs: subtrees that give one and the same answer are leaves, leaves hold rows of scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::prove {

struct SearchNode {
    static constexpr std::uint32_t k_leaf = 0xFFFFFFFF;
    std::uint32_t axis = k_leaf;
    std::uint32_t first_right = 0;  ///< as in cellspace::Step
    std::uint32_t mask = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t row = 0;  ///< of a leaf: its place in SearchTree::rows
    bool is_leaf() const { return axis == k_leaf; }
    friend bool operator==(const SearchNode&, const SearchNode&) = default;
};

/// Which answers a question can have in an interval of cells.
enum Sides : unsigned { none = 0, left = 1, right = 2, both = 3 };

struct SearchTree {
    std::vector<SearchNode> nodes;
    std::vector<std::uint64_t> masks;
    std::uint32_t root = 0;
    std::uint32_t classes = 0;
    std::vector<double> rows;  ///< scores of each different leaf, `classes` numbers a row
    std::vector<bool> asked;   ///< an axis: whether some question asks for it; later axes are not asked for
    bool shares_nodes = false;
    friend bool operator==(const SearchTree&, const SearchTree&) = default;

    bool asks(std::uint32_t axis) const { return axis < asked.size() && asked[axis]; }
    Sides sides(const SearchNode& node, std::uint32_t low, std::uint32_t high) const;
    bool goes_right(const SearchNode& node, std::uint32_t cell) const { return sides(node, cell, cell) == right; }
    /// The last cell of low .. high up to which the answer is that at `low`.
    std::uint32_t same_answer_until(const SearchNode& node, std::uint32_t low, std::uint32_t high) const;
    std::span<const double> scores(const SearchNode& leaf) const {
        return {rows.data() + std::size_t{leaf.row} * classes, classes};
    }
    /// The leaf of a cell.
    const SearchNode& leaf_at(std::span<const std::uint32_t> cell) const;
};

class SearchForest {
  public:
    /// The ensemble must outlive it. One tree alone says its class at once: its leaves have one vote.
    explicit SearchForest(const cellspace::CompiledEnsemble& ensemble);

    const std::vector<SearchTree>& trees() const { return trees_; }
    std::uint32_t classes() const { return ensemble_->classes(); }
    std::uint32_t class_of_sums(std::span<const double> sums) const { return ensemble_->rule().class_of_sums(sums); }
    /// The class of a leaf of the only tree.
    std::uint32_t class_of(const SearchNode& leaf) const { return class_of_sums(trees_.front().scores(leaf)); }
    double divisor() const { return ensemble_->rule().divisor(); }
    /// Whether both add up the same scores of the same trees, in the same order unless sums are exact.
    bool is_same_as(const SearchForest& other) const;

    /// Whether class `wanted` wins against `other` wherever its sum is larger by at least `difference`, a bound
    /// summed in double in any order.
    bool wins(std::uint32_t wanted, std::uint32_t other, double difference) const {
        if (!sums_are_exact_) return difference > margin_;
        return wanted < other ? difference >= 0 : difference > 0;
    }

  private:
    void measure_rounding();

    const cellspace::CompiledEnsemble* ensemble_;
    std::vector<SearchTree> trees_;
    bool sums_are_exact_ = false;
    double margin_ = 0;
};

}  // namespace regrove::prove
