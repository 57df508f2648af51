// Coefficients to leaves by the zeta transform: a leaf is the sum over all subsets of the conditions that hold there.
#include "regrove/algebra/symmetric_trees.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/monomial_trees.hpp"

#include "leaf_table.hpp"

namespace regrove::algebra {

namespace {

class TreeWriter {
  public:
    TreeWriter(const Polynomial& polynomial, const std::vector<ConditionId>& conditions,
               const std::vector<double>& leaves)
        : polynomial_(polynomial), conditions_(conditions), leaves_(leaves) {}

    model::Tree run() {
        grow(0, 0);
        return std::move(tree_);
    }

  private:
    std::uint32_t grow(std::size_t level, std::size_t mask) {
        const auto id = static_cast<std::uint32_t>(tree_.nodes.size());
        const std::uint32_t scores = polynomial_.scores;
        tree_.nodes.emplace_back().value.assign(scores, 0.0);
        if (level == conditions_.size()) {
            const auto begin = leaves_.begin() + static_cast<std::ptrdiff_t>(mask * scores);
            tree_.nodes[id].value.assign(begin, begin + scores);
            return id;
        }
        tree_.nodes[id].question =
            condition_question(polynomial_.conditions[conditions_[level]], polynomial_.frame.features);
        tree_.nodes[id].left = NodeId{grow(level + 1, mask)};
        const std::uint32_t right = grow(level + 1, mask | (std::size_t{1} << level));
        tree_.nodes[id].right = NodeId{right};
        return id;
    }

    const Polynomial& polynomial_;
    const std::vector<ConditionId>& conditions_;
    const std::vector<double>& leaves_;
    model::Tree tree_;
};

class Converter {
  public:
    Converter(const Polynomial& polynomial, const SymmetricOptions& options)
        : polynomial_(polynomial), exact_(options.exact && has_exact_sum(polynomial)) {
        form_.ensemble = summing_frame(polynomial);
        plan_ = plan_symmetric(polynomial, options);
    }

    SymmetricForm run() {
        form_.groups = plan_.groups.size();
        form_.tail = plan_.tail.size();
        for (std::size_t m = 0; m < polynomial_.size() && polynomial_.is_constant(m); ++m) {
            SymmetricGroup nothing;
            nothing.monomials = {m};
            add(nothing);
            form_.ensemble.initial_scores = form_.ensemble.trees.front().nodes[0].value;
            form_.ensemble.trees.erase(form_.ensemble.trees.begin());
        }
        for (const SymmetricGroup& group : plan_.groups) add(group);
        for (const std::size_t m : plan_.tail) add_path(m);
        if (form_.ensemble.trees.empty()) {
            model::Tree nothing;
            nothing.nodes.emplace_back().value.assign(polynomial_.scores, 0.0);
            form_.ensemble.trees.push_back(std::move(nothing));
        }
        form_.remainder_trees = remainders_.size();
        for (model::Tree& tree : remainders_) form_.ensemble.trees.push_back(std::move(tree));
        return std::move(form_);
    }

  private:
    /// A tree of the rounded leaves, and, when exact, further ones of what was left.
    void add(const SymmetricGroup& group) {
        std::vector<Int128> left = leaf_table(polynomial_, group);
        bool first = true;
        for (;;) {
            std::vector<double> leaves;
            double largest_left = 0;
            for (Int128& number : left) {
                const double part = to_double(number, 0);
                number = subtract_exactly(number, to_fixed(part, 0));
                largest_left = std::max(largest_left, std::abs(to_double(number, polynomial_.unit_exponent)));
                leaves.push_back(std::ldexp(part, polynomial_.unit_exponent) / polynomial_.divisor);
            }
            model::Tree tree = TreeWriter(polynomial_, group.conditions, leaves).run();
            (first ? form_.ensemble.trees : remainders_).push_back(std::move(tree));
            first = false;
            if (largest_left == 0) return;
            if (exact_) continue;
            form_.error_bound += largest_left / polynomial_.divisor;
            return;
        }
    }

    void add_path(std::size_t m) {
        for (const std::vector<double>& part : coefficient_parts(polynomial_, polynomial_.coefficient(m)))
            form_.ensemble.trees.push_back(monomial_tree(polynomial_, m, part));
    }

    const Polynomial& polynomial_;
    bool exact_;
    SymmetricPlan plan_;
    SymmetricForm form_;
    std::vector<model::Tree> remainders_;
};

}  // namespace

void list_options(SymmetricOptions& options, OptionTable& table) {
    table.add("symmetric_depth", options.max_depth, 1, 16,
              "the most conditions of a symmetric tree; longer monomials stay trees of one path");
    table.add("exact_leaves", options.exact,
              "leaves that no double holds are spread over several trees; no: rounded, with a bound");
}

SymmetricForm symmetric_trees(const Polynomial& polynomial, const SymmetricOptions& options) {
    return Converter(polynomial, options).run();
}

}  // namespace regrove::algebra
