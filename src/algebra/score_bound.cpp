// Exact integer bounds, rounded once at the end.
#include "regrove/algebra/score_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/symmetric_trees.hpp"

#include "leaf_table.hpp"

namespace regrove::algebra {

namespace {

/// Conditions of a tree for the bound: more let more cancel, and cost more.
constexpr std::uint32_t k_conditions = 12;

struct Range {
    Int128 low = 0;
    Int128 high = 0;
    void add(Int128 low_by, Int128 high_by) {
        low = add_exactly(low, low_by);
        high = add_exactly(high, high_by);
    }
    Int128 farthest() const { return std::max(high, -low); }
};

/// Which combinations of a tree's conditions some cell meets, as far as pairs of conditions tell.
class Feasible {
  public:
    Feasible(const ConditionTable& table, const std::vector<ConditionId>& conditions) {
        for (std::size_t i = 0; i < conditions.size(); ++i)
            for (std::size_t j = i + 1; j < conditions.size(); ++j)
                if (table[conditions[i]].feature == table[conditions[j]].feature)
                    add(i, j, product(table[conditions[i]], table[conditions[j]]));
    }

    bool operator()(std::size_t mask) const {
        return std::ranges::none_of(forbidden_,
                                    [mask](const Forbidden& pair) { return (mask & pair.bits) == pair.values; });
    }

  private:
    /// A combination of two conditions that no cell meets.
    struct Forbidden {
        std::size_t bits = 0;
        std::size_t values = 0;
    };

    void add(std::size_t i, std::size_t j, Product of) {
        const std::size_t first = std::size_t{1} << i;
        const std::size_t second = std::size_t{1} << j;
        if (of == Product::never) forbidden_.push_back({first | second, first | second});
        if (of == Product::first) forbidden_.push_back({first | second, first});
        if (of == Product::second) forbidden_.push_back({first | second, second});
    }

    std::vector<Forbidden> forbidden_;
};

/// One range a score, over all leaves that some cell reaches.
void add_tree(const Polynomial& polynomial, const SymmetricGroup& group, std::vector<Range>& ranges) {
    const std::vector<Int128> leaves = leaf_table(polynomial, group);
    const Feasible feasible(polynomial.conditions, group.conditions);
    std::vector<Range> own(ranges.size());
    for (std::size_t mask = 0; mask < leaves.size() / own.size(); ++mask) {
        if (!feasible(mask)) continue;
        for (std::size_t k = 0; k < own.size(); ++k) {
            const Int128 leaf = leaves[mask * own.size() + k];
            own[k].low = std::min(own[k].low, leaf);
            own[k].high = std::max(own[k].high, leaf);
        }
    }
    for (std::size_t k = 0; k < own.size(); ++k) ranges[k].add(own[k].low, own[k].high);
}

void add_coefficients(const Polynomial& polynomial, std::size_t m, std::vector<Range>& ranges) {
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        const Int128 number = polynomial.coefficient(m)[k];
        if (polynomial.is_constant(m))
            ranges[k].add(number, number);
        else
            ranges[k].add(std::min<Int128>(number, 0), std::max<Int128>(number, 0));
    }
}

Int128 farthest(const std::vector<Range>& ranges) {
    Int128 largest = 0;
    for (const Range& range : ranges) largest = std::max(largest, range.farthest());
    return largest;
}

}  // namespace

double score_bound(const Polynomial& polynomial) {
    std::vector<Range> by_sign(polynomial.scores);
    std::vector<Range> by_tree(polynomial.scores);
    for (std::size_t m = 0; m < polynomial.size(); ++m) {
        add_coefficients(polynomial, m, by_sign);
        if (polynomial.is_constant(m)) add_coefficients(polynomial, m, by_tree);
    }
    SymmetricOptions options;
    options.max_depth = k_conditions;
    const SymmetricPlan plan = plan_symmetric(polynomial, options);
    for (const SymmetricGroup& group : plan.groups) add_tree(polynomial, group, by_tree);
    for (const std::size_t m : plan.tail) add_coefficients(polynomial, m, by_tree);
    const Int128 largest = std::min(farthest(by_sign), farthest(by_tree));
    const double bound = to_double(largest, polynomial.unit_exponent) / polynomial.divisor;
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    // Once for the sum, once for the quotient.
    return largest == 0 ? 0 : std::nextafter(std::nextafter(bound, k_infinity), k_infinity);
}

}  // namespace regrove::algebra
