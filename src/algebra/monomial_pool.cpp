// Hash-consing of sorted lists, with a memory of products.
#include "regrove/algebra/monomial_pool.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"

namespace regrove::algebra {

namespace {

std::uint64_t hash_of(std::span<const ConditionId> ids) {
    std::uint64_t hash = 0x9e3779b97f4a7c15U;
    for (const ConditionId id : ids) {
        hash = (hash ^ id) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 32U;
    }
    return hash;
}

}  // namespace

MonomialPool::MonomialPool(const ConditionTable& table) : table_(&table) { by_hash_.emplace(hash_of({}), k_one); }

MonomialId MonomialPool::times(MonomialId monomial, ConditionId condition) {
    const std::uint64_t key = (std::uint64_t{monomial} << 32U) | condition;
    const auto found = products_.find(key);
    if (found != products_.end()) return found->second;
    const MonomialId result = multiply(monomial, condition);
    products_.emplace(key, result);
    return result;
}

MonomialId MonomialPool::multiply(MonomialId monomial, ConditionId condition) {
    scratch_.clear();
    const Condition& added = (*table_)[condition];
    bool keep_added = true;
    for (const ConditionId id : conditions(monomial)) {
        const Condition& own = (*table_)[id];
        const Product kept = own.feature == added.feature ? product(own, added) : Product::both;
        if (kept == Product::never) return k_never;
        if (kept != Product::second) scratch_.push_back(id);
        if (kept == Product::first) keep_added = false;
    }
    if (keep_added) scratch_.insert(std::ranges::upper_bound(scratch_, condition), condition);
    return intern(scratch_);
}

MonomialId MonomialPool::intern(std::span<const ConditionId> ids) {
    const std::uint64_t hash = hash_of(ids);
    const auto [begin, end] = by_hash_.equal_range(hash);
    for (auto at = begin; at != end; ++at)
        if (std::ranges::equal(conditions(at->second), ids)) return at->second;
    const std::size_t id = size();
    if (id >= k_never) throw LimitError("more than 2^32 - 1 different monomials");
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    first_.push_back(ids_.size());
    by_hash_.emplace(hash, static_cast<MonomialId>(id));
    return static_cast<MonomialId>(id);
}

}  // namespace regrove::algebra
