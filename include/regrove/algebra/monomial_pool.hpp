// Monomials as numbers: each product of conditions has one id, so that products and sums need no lists.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "regrove/algebra/condition.hpp"

namespace regrove::algebra {

using MonomialId = std::uint32_t;

/// The empty monomial is 0. Refers to the table, which must outlive it. Ids depend on the order of the calls.
class MonomialPool {
  public:
    static constexpr MonomialId k_one = 0;
    static constexpr MonomialId k_never = 0xffffffffU;  ///< a product that is 0 everywhere

    explicit MonomialPool(const ConditionTable& table);

    /// The monomial times a condition, with what the conditions of one feature make of each other.
    MonomialId times(MonomialId monomial, ConditionId condition);
    /// Sorted ids of its conditions.
    std::span<const ConditionId> conditions(MonomialId monomial) const {
        return {ids_.data() + first_[monomial], ids_.data() + first_[monomial + 1]};
    }
    std::size_t size() const { return first_.size() - 1; }
    /// The id of a product already brought to its sorted, devoured form.
    MonomialId intern(std::span<const ConditionId> conditions);

  private:
    MonomialId multiply(MonomialId monomial, ConditionId condition);

    const ConditionTable* table_;
    std::vector<std::uint64_t> first_{0, 0};
    std::vector<ConditionId> ids_;
    std::unordered_multimap<std::uint64_t, MonomialId> by_hash_;
    std::unordered_map<std::uint64_t, MonomialId> products_;  ///< by monomial and condition
    std::vector<ConditionId> scratch_;
};

}  // namespace regrove::algebra
