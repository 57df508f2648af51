// In place, a bit at a time: each leaf adds the one without the bit.
#include "leaf_table.hpp"

#include <algorithm>

#include "regrove/algebra/fixed_point.hpp"

namespace regrove::algebra {

std::vector<Int128> leaf_table(const Polynomial& polynomial, const SymmetricGroup& group) {
    const std::uint32_t scores = polynomial.scores;
    const std::size_t leaves = std::size_t{1} << group.conditions.size();
    std::vector<Int128> table(leaves * scores, 0);
    for (const std::size_t m : group.monomials) {
        std::size_t mask = 0;
        for (const ConditionId id : polynomial.monomial(m))
            mask |= std::size_t{1} << (std::ranges::lower_bound(group.conditions, id) - group.conditions.begin());
        for (std::uint32_t k = 0; k < scores; ++k) table[mask * scores + k] = polynomial.coefficient(m)[k];
    }
    for (std::size_t bit = 1; bit < leaves; bit *= 2)
        for (std::size_t mask = 0; mask < leaves; ++mask)
            if ((mask & bit) != 0)
                for (std::uint32_t k = 0; k < scores; ++k)
                    table[mask * scores + k] =
                        add_exactly(table[mask * scores + k], table[(mask ^ bit) * scores + k]);
    return table;
}

}  // namespace regrove::algebra
