// Choosing a form for each tree.
#include "score_steps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace regrove::infer {

namespace {

using model::Node;
using model::Tree;

/// Leaves that a byte tells apart.
constexpr std::size_t k_most_byte_leaves = 256;
constexpr std::size_t k_most_levels = 8;

bool is_plain_zero(double value) { return std::bit_cast<std::uint64_t>(value) == 0; }

class TreeReader {
  public:
    TreeReader(const Tree& tree, const RankTable& ranks, const ScoreForms& forms)
        : tree_(tree), ranks_(ranks), forms_(forms) {}

    ScoreStep run() {
        if (forms_.products && read_product()) return std::move(step_);
        if (!forms_.levels || !read_levels()) {
            if (forms_.planes && tree_.leaf_count() <= k_most_byte_leaves)
                read_planes();
            else
                read_steps();
        }
        return std::move(step_);
    }

  private:
    RankTest test(const Node& node) const { return ranks_.test(node.question); }

    void take_value(const Node& node) {
        step_.values.resize(node.value.size());
        for (std::size_t k = 0; k < node.value.size(); ++k) step_.values[k].push_back(node.value[k]);
    }

    void take_leaves() {
        for (const Node& node : tree_.nodes)
            if (node.is_leaf()) take_value(node);
    }

    /// Left children that are leaves of nothing, down to one leaf on the right.
    bool read_product() {
        step_ = {};
        step_.form = TreeForm::product;
        const Node* node = &tree_.nodes[0];
        while (!node->is_leaf()) {
            const Node& left = tree_.node(node->left);
            if (!left.is_leaf() || !std::ranges::all_of(left.value, is_plain_zero)) return false;
            step_.tests.push_back(test(*node));
            node = &tree_.node(node->right);
        }
        if (step_.tests.empty()) return false;
        const auto keeps_sign = [](double value) { return value != 0 || is_plain_zero(value); };
        if (!std::ranges::all_of(node->value, keeps_sign)) return false;
        take_value(*node);
        return true;
    }

    bool read_levels() {
        step_ = {};
        step_.form = TreeForm::levels;
        const std::size_t leaves = tree_.leaf_count();
        if (!std::has_single_bit(leaves) || leaves > k_most_byte_leaves) return false;
        const auto depth = static_cast<std::size_t>(std::countr_zero(leaves));
        step_.tests.resize(depth);
        std::vector<const model::Question*> known(depth, nullptr);
        if (!fits_levels(NodeId{0}, 0, known)) return false;
        take_leaves();
        return true;
    }

    /// `known`: a question of each level that was met.
    bool fits_levels(NodeId id, std::size_t level, std::vector<const model::Question*>& known) {
        const Node& node = tree_.node(id);
        if (node.is_leaf() || level == step_.tests.size()) return node.is_leaf() && level == step_.tests.size();
        if (known[level] == nullptr) {
            known[level] = &node.question;
            step_.tests[level] = test(node);
        } else if (node.question != *known[level] && test(node) != step_.tests[level]) {
            return false;
        }
        return fits_levels(node.left, level + 1, known) && fits_levels(node.right, level + 1, known);
    }

    void read_planes() {
        step_ = {};
        step_.form = TreeForm::planes;
        std::vector<std::vector<LeafCut>> cuts((tree_.leaf_count() + 7) / 8);
        std::uint32_t next = 0;
        cut_leaves(NodeId{0}, next, cuts);
        for (const auto& plane : cuts) {
            step_.planes.first_cut.push_back(static_cast<std::uint32_t>(step_.planes.cuts.size()));
            step_.planes.cuts.insert(step_.planes.cuts.end(), plane.begin(), plane.end());
        }
        step_.planes.first_cut.push_back(static_cast<std::uint32_t>(step_.planes.cuts.size()));
        take_leaves();
    }

    /// Numbers the leaves from `next` on; a node takes the leaves of its left side away.
    void cut_leaves(NodeId id, std::uint32_t& next, std::vector<std::vector<LeafCut>>& cuts) {
        const Node& node = tree_.node(id);
        if (node.is_leaf()) {
            ++next;
            return;
        }
        const std::uint32_t begin = next;
        cut_leaves(node.left, next, cuts);
        const RankTest own = test(node);
        for (std::uint32_t plane = begin / 8; plane * 8 < next; ++plane) {
            std::uint32_t keep = 0;
            for (std::uint32_t bit = 0; bit < 8; ++bit)
                if (plane * 8 + bit < begin || plane * 8 + bit >= next) keep |= 1U << bit;
            cuts[plane].push_back({own.column, own.limit, static_cast<std::uint8_t>(keep)});
        }
        cut_leaves(node.right, next, cuts);
    }

    /// Breadth first, so that children stand side by side.
    void read_steps() {
        step_ = {};
        step_.form = TreeForm::steps;
        step_.deepest = tree_.depth();
        std::vector<NodeId> order{NodeId{0}};
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Node& node = tree_.node(order[i]);
            take_value(node);
            if (node.is_leaf()) {
                step_.nodes.push_back({static_cast<std::uint32_t>(i), 0, 0, 1});
                continue;
            }
            const RankTest own = test(node);
            step_.nodes.push_back({static_cast<std::uint32_t>(order.size()), own.column, own.limit, 0});
            order.push_back(node.left);
            order.push_back(node.right);
        }
    }

    const Tree& tree_;
    const RankTable& ranks_;
    const ScoreForms& forms_;
    ScoreStep step_;
};

}  // namespace

std::vector<ScoreStep> score_steps(const model::Ensemble& ensemble, const RankTable& ranks, const ScoreForms& forms) {
    ScoreForms allowed = forms;
    // Rows that a product does not hold for are passed over rather than given a zero; only -0 would tell.
    if (std::ranges::any_of(ensemble.initial_scores, [](double score) { return score == 0 && std::signbit(score); }))
        allowed.products = false;
    std::vector<ScoreStep> steps;
    for (std::size_t t = 0; t < ensemble.trees.size(); ++t) {
        steps.push_back(TreeReader(ensemble.trees[t], ranks, allowed).run());
        steps.back().first_score = ensemble.tree_outputs.empty() ? 0 : ensemble.tree_outputs[t];
    }
    std::ranges::stable_sort(steps, {}, &ScoreStep::first_score);
    return steps;
}

}  // namespace regrove::infer
