// All trees' polynomials over one condition table and one unit, added up.
#include "regrove/algebra/ensemble_polynomial.hpp"

#include <bit>
#include <limits>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/monomial_pool.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/model/class_rule.hpp"
#include "regrove/model/frame.hpp"
#include "regrove/model/node_tables.hpp"

#include "tree_polynomial.hpp"

namespace regrove::algebra {

namespace {

/// What every node adds, as prediction takes it.
std::vector<model::NodeTable> answer_tables(const model::Ensemble& ensemble) {
    if (ensemble.has_class_weights()) return model::class_tables(ensemble);
    return model::value_tables(ensemble);
}

BitRange bits_of(const model::Ensemble& ensemble, const std::vector<model::NodeTable>& tables) {
    BitRange bits;
    for (const double score : ensemble.initial_scores) bits.add(score);
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const std::size_t length = tables[t].size() / ensemble.trees[t].nodes.size();
        for (std::size_t i = 0; i < tables[t].size(); ++i)
            if (ensemble.trees[t].nodes[i / length].is_leaf()) bits.add(tables[t][i]);
    }
    return bits;
}

int unit_for(const BitRange& bits, std::size_t trees, const PolynomialOptions& options) {
    if (bits.empty()) return 0;
    const int unit = options.round_bits > 0 ? -static_cast<int>(options.round_bits) : bits.low();
    const int needed = bits.high() - unit + static_cast<int>(std::bit_width(trees));
    if (needed <= k_largest_bits) return unit;
    throw LimitError("the polynomial cannot be exact: the leaves reach from 2^" + std::to_string(bits.low()) +
                     " to 2^" + std::to_string(bits.high()) + ", so that sums of " + std::to_string(trees) +
                     " trees need " + std::to_string(needed) + " bits and there are " +
                     std::to_string(k_largest_bits) +
                     "; give --round-bits (40, say) to round the leaves to multiples of 2^-40");
}

/// The trees of a range, each over a pool of its own, so that they need not wait for each other.
class TreeParts {
  public:
    TreeParts(const model::Ensemble& ensemble, const PolynomialPlan& plan, const PolynomialOptions& options)
        : ensemble_(ensemble), plan_(plan), options_(options), tables_(answer_tables(ensemble)) {}

    MonomialList part(std::size_t tree) const {
        MonomialPool pool(plan_.empty.conditions);
        const PoolPolynomial own = convert(tree, pool);
        const std::uint32_t scores = plan_.empty.scores;
        MonomialList part;
        part.scores = scores;
        for (std::size_t m = 0; m < own.monomials.size(); ++m)
            part.push_back(pool.conditions(own.monomials[m]), {own.coefficients.data() + m * scores, scores});
        return part;
    }

  private:
    PoolPolynomial convert(std::size_t tree, MonomialPool& pool) const {
        const std::size_t nodes = ensemble_.trees[tree].nodes.size();
        const std::size_t length = tables_[tree].size() / nodes;
        const std::size_t begin = ensemble_.tree_outputs.empty() ? 0 : ensemble_.tree_outputs[tree];
        const int unit = plan_.empty.unit_exponent;
        const auto leaf = [&](std::size_t node, Int128* into) {
            for (std::size_t k = 0; k < length; ++k)
                into[begin + k] = to_fixed(tables_[tree][node * length + k], unit);
        };
        const TreeRequest request{
            ensemble_.trees[tree], ensemble_.features,         plan_.empty.conditions, plan_.empty.scores, leaf,
            options_.max_set,      options_.max_tree_monomials};
        try {
            return tree_polynomial(request, pool);
        } catch (const LimitError& error) {
            throw LimitError("tree " + std::to_string(tree) + " (" +
                             std::to_string(ensemble_.trees[tree].leaf_count()) + " leaves, depth " +
                             std::to_string(ensemble_.trees[tree].depth()) + "): " + error.what() + "; at most " +
                             std::to_string(options_.max_tree_monomials) +
                             " are allowed for a tree: raise --max-tree-monomials or train shallower trees");
        }
    }

    const model::Ensemble& ensemble_;
    const PolynomialPlan& plan_;
    const PolynomialOptions& options_;
    std::vector<model::NodeTable> tables_;
};

/// Adds polynomials up in a pool of all; the order of adding does not matter.
class Total {
  public:
    explicit Total(const Polynomial& empty) : total_(empty), pool_(empty.conditions) {}

    void add(const MonomialList& part, const PolynomialOptions& options) {
        for (std::size_t m = 0; m < part.size(); ++m) {
            const std::size_t id = pool_.intern(part.monomial(m));
            if (id * total_.scores >= sums_.size()) sums_.resize((id + 1) * total_.scores, 0);
            for (std::uint32_t k = 0; k < total_.scores; ++k) {
                Int128& sum = sums_[id * total_.scores + k];
                sum = add_exactly(sum, part.coefficient(m)[k]);
            }
        }
        check_monomials(pool_.size(), options);
    }

    Polynomial finish() && {
        sums_.resize(pool_.size() * total_.scores, 0);
        for (std::size_t id = 0; id < pool_.size(); ++id)
            total_.push_back(pool_.conditions(static_cast<MonomialId>(id)),
                             {sums_.data() + id * total_.scores, total_.scores});
        return std::move(total_);
    }

  private:
    Polynomial total_;
    MonomialPool pool_;
    std::vector<Int128> sums_;
};

/// Trees that are converted before their polynomials are added up.
constexpr std::size_t k_trees_at_once = 64;

}  // namespace

void list_options(PolynomialOptions& options, OptionTable& table) {
    table.add("max_tree_monomials", options.max_tree_monomials, 1, std::uint64_t{1} << 31,
              "monomials that one tree may become; a deep tree can become exponentially many");
    table.add("max_monomials", options.max_monomials, 1, std::uint64_t{1} << 31, "monomials of all trees together");
    table.add("expand_sets", options.max_set, 1, std::numeric_limits<std::uint32_t>::max(),
              "sets of up to N categories become one condition a category; larger ones stay one condition");
    table.add("round_bits", options.round_bits, 0, 200,
              "round leaves to multiples of 2^-N before anything else; 0: not at all, exact");
}

void check_monomials(std::uint64_t monomials, const PolynomialOptions& options) {
    if (monomials <= options.max_monomials) return;
    throw LimitError("the polynomial has more than " + std::to_string(options.max_monomials) +
                     " monomials: raise --max-monomials, or train fewer or shallower trees");
}

PolynomialPlan plan_polynomial(const model::Ensemble& ensemble, const PolynomialOptions& options) {
    PolynomialPlan plan;
    plan.empty.frame = model::frame_of(ensemble);
    plan.empty.frame.initial_scores.clear();  // the constant monomial holds them
    plan.empty.conditions = condition_table(ensemble, options.max_set);
    plan.empty.scores = ensemble.scores();
    if (ensemble.combination != model::Combination::sum && ensemble.trees.size() > 1)
        plan.empty.divisor = ensemble.total_tree_weight();
    plan.empty.unit_exponent =
        unit_for(bits_of(ensemble, answer_tables(ensemble)), ensemble.trees.size() + 1, options);
    return plan;
}

Polynomial trees_polynomial(const model::Ensemble& ensemble, const PolynomialPlan& plan, std::size_t begin,
                            std::size_t end, const PolynomialOptions& options) {
    const TreeParts trees(ensemble, plan, options);
    Total total(plan.empty);
    if (begin == 0 && end > 0 && !ensemble.initial_scores.empty()) {
        MonomialList constant;
        constant.scores = plan.empty.scores;
        std::vector<Int128> scores;
        for (const double score : ensemble.initial_scores)
            scores.push_back(to_fixed(score, plan.empty.unit_exponent));
        constant.push_back({}, scores);
        total.add(constant, options);
    }
    for (std::size_t from = begin; from < end; from += k_trees_at_once) {
        std::vector<MonomialList> parts(std::min(k_trees_at_once, end - from));
        parallel_for(parts.size(), [&](std::size_t i) { parts[i] = trees.part(from + i); });
        for (const MonomialList& part : parts) total.add(part, options);
    }
    return std::move(total).finish();
}

Polynomial to_polynomial(const model::Ensemble& ensemble, const PolynomialOptions& options) {
    const PolynomialPlan plan = plan_polynomial(ensemble, options);
    return normalised(trees_polynomial(ensemble, plan, 0, ensemble.trees.size(), options));
}

}  // namespace regrove::algebra
