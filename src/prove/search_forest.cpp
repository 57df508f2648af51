// Leaves are joined from the bottom up; what rounding can do to sums is measured once.
#include "search_forest.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace regrove::prove {

namespace {

using cellspace::CompiledTree;
using cellspace::Step;

/// The exponent of the lowest bit that is set: the value is a multiple of two to that power.
int lowest_bit(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);  // in [0.5, 1): a multiple of 2^-53
    auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    int place = exponent - 53;
    for (; (digits & 1U) == 0; digits >>= 1U) ++place;
    return place;
}

class TreeLayout {
  public:
    TreeLayout(const CompiledTree& compiled, const model::ClassRule& rule, std::size_t number)
        : compiled_(compiled), rule_(rule), number_(number) {
        tree_.classes = rule.classes();
        tree_.masks = compiled.masks;
    }

    SearchTree make() {
        const std::size_t count = compiled_.steps.size();
        tree_.nodes.resize(count);
        stands_for_.resize(count);
        std::vector<bool> met(count, false);
        for (std::size_t i = count; i-- > 0;) {
            const Step& step = compiled_.steps[i];
            stands_for_[i] = static_cast<std::uint32_t>(i);
            if (step.is_leaf())
                tree_.nodes[i].row = row_of(step);
            else
                ask(step, i);
        }
        tree_.root = stands_for_[0];
        for (const SearchNode& node : tree_.nodes) {
            if (node.is_leaf()) continue;
            for (const std::uint32_t child : {node.left, node.right}) {
                tree_.shares_nodes = tree_.shares_nodes || met[child];
                met[child] = true;
            }
        }
        return std::move(tree_);
    }

  private:
    std::uint32_t row_of(const Step& leaf) {
        const auto scores = rule_.scores(number_, NodeId{leaf.leaf});
        std::vector<double> row(scores.begin(), scores.end());
        if (rule_.trees() == 1) {
            const std::uint32_t class_index = rule_.class_of_sums(row);
            std::ranges::fill(row, 0.0);
            row[class_index] = 1;
        }
        const auto [found, is_new] = rows_.emplace(row, static_cast<std::uint32_t>(rows_.size()));
        if (is_new) tree_.rows.insert(tree_.rows.end(), row.begin(), row.end());
        return found->second;
    }

    void ask(const Step& step, std::size_t i) {
        const std::uint32_t left = stands_for_[step.left];
        const std::uint32_t right = stands_for_[step.right];
        const SearchNode& one = tree_.nodes[left];
        const SearchNode& other = tree_.nodes[right];
        if (left == right || (one.is_leaf() && other.is_leaf() && one.row == other.row)) {
            stands_for_[i] = left;
            return;
        }
        tree_.nodes[i] = {step.axis, step.first_right, step.mask, left, right, 0};
        if (step.axis >= tree_.asked.size()) tree_.asked.resize(step.axis + 1, false);
        tree_.asked[step.axis] = true;
    }

    const CompiledTree& compiled_;
    const model::ClassRule& rule_;
    std::size_t number_;
    SearchTree tree_;
    std::vector<std::uint32_t> stands_for_;  ///< a step: the node that answers for it
    std::map<std::vector<double>, std::uint32_t> rows_;
};

}  // namespace

Sides SearchTree::sides(const SearchNode& node, std::uint32_t low, std::uint32_t high) const {
    if (node.mask == 0) {
        const unsigned on_left = low < node.first_right ? Sides::left : Sides::none;
        const unsigned on_right = high >= node.first_right ? Sides::right : Sides::none;
        return static_cast<Sides>(on_left | on_right);
    }
    unsigned met = Sides::none;
    for (std::uint32_t c = low; c <= high && met != Sides::both; ++c)
        met |= ((masks[node.mask + c / 64] >> (c % 64)) & 1U) != 0 ? Sides::right : Sides::left;
    return static_cast<Sides>(met);
}

std::uint32_t SearchTree::same_answer_until(const SearchNode& node, std::uint32_t low, std::uint32_t high) const {
    if (node.mask == 0) return low < node.first_right ? std::min(high, node.first_right - 1) : high;
    const bool answer = goes_right(node, low);
    while (low < high && goes_right(node, low + 1) == answer) ++low;
    return low;
}

const SearchNode& SearchTree::leaf_at(std::span<const std::uint32_t> cell) const {
    const SearchNode* node = &nodes[root];
    while (!node->is_leaf()) node = &nodes[goes_right(*node, cell[node->axis]) ? node->right : node->left];
    return *node;
}

SearchForest::SearchForest(const cellspace::CompiledEnsemble& ensemble) : ensemble_(&ensemble) {
    for (std::size_t t = 0; t < ensemble.trees().size(); ++t)
        trees_.push_back(TreeLayout(ensemble.trees()[t], ensemble.rule(), t).make());
    measure_rounding();
}

bool SearchForest::is_same_as(const SearchForest& other) const {
    if (divisor() != other.divisor()) return false;
    const auto [own_end, other_end] = std::ranges::mismatch(trees_, other.trees_);
    if (own_end == trees_.end() && other_end == other.trees_.end()) return true;
    return sums_are_exact_ && std::ranges::is_permutation(trees_, other.trees_);
}

/// Scores are not negative, so that every sum of a class is at most `largest`, the sum of the trees' largest scores.
///
/// Votes, and shares that are multiples of a power of two, are summed without rounding as long as the sums need at
/// most 50 bits; two different sums then differ by more than 2^-50 of the larger one, which the division, whose
/// relative error is at most 2^-53, keeps apart.
///
/// Otherwise, with u = 2^-53: prediction's sum of n scores is off by at most (n - 1) u largest, two sums by twice
/// that, the divisions by less than 3 u largest; the differences here are off by u largest, and their sum, of any
/// order, by (n - 1) u largest. Terms in u^2 are covered by counting more than that.
void SearchForest::measure_rounding() {
    double largest = 0;
    int grain = 1024;
    for (const SearchTree& tree : trees_) {
        largest += std::ranges::max(tree.rows);
        for (const double score : tree.rows)
            if (score != 0) grain = std::min(grain, lowest_bit(score));
    }
    sums_are_exact_ = largest < std::ldexp(1.0, grain + 50);
    const double u = std::ldexp(1.0, -53);
    margin_ = (4 * static_cast<double>(trees_.size()) + 16) * u * largest;
}

}  // namespace regrove::prove
