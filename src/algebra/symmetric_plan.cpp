// Packing monomials into trees by the union of their conditions.
#include <algorithm>
#include <numeric>

#include "regrove/algebra/symmetric_trees.hpp"

namespace regrove::algebra {

namespace {

std::vector<std::size_t> by_falling_size(const Polynomial& polynomial) {
    std::vector<std::size_t> order(polynomial.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::size_t m) { return polynomial.monomial(m).size(); });
    return order;
}

class Packing {
  public:
    Packing(const Polynomial& polynomial, std::uint32_t max_depth)
        : polynomial_(polynomial),
          max_depth_(max_depth),
          groups_of_(polynomial.conditions.size()),
          of_size_(max_depth + 1) {}

    SymmetricPlan run() {
        for (const std::size_t m : by_falling_size(polynomial_)) {
            const std::size_t size = polynomial_.monomial(m).size();
            if (size == 0) continue;
            if (size > max_depth_)
                plan_.tail.push_back(m);
            else
                place(m);
        }
        return std::move(plan_);
    }

  private:
    void place(std::size_t m) {
        const auto ids = polynomial_.monomial(m);
        std::size_t chosen = most_overlapping(ids);
        if (chosen == k_none) chosen = fullest_with_room(ids.size());
        if (chosen == k_none) {
            chosen = plan_.groups.size();
            plan_.groups.emplace_back();
        }
        SymmetricGroup& group = plan_.groups[chosen];
        const std::size_t before = group.conditions.size();
        group.monomials.push_back(m);
        for (const ConditionId id : ids) {
            const auto at = std::ranges::lower_bound(group.conditions, id);
            if (at != group.conditions.end() && *at == id) continue;
            group.conditions.insert(at, id);
            groups_of_[id].push_back(chosen);
        }
        if (group.conditions.size() != before || before == 0) of_size_[group.conditions.size()].push_back(chosen);
    }

    /// Of the trees that share a condition and stay within the depth, the one that grows least, then the first.
    std::size_t most_overlapping(std::span<const ConditionId> ids) {
        shared_.resize(plan_.groups.size(), 0);
        std::vector<std::size_t> met;
        for (const ConditionId id : ids)
            for (const std::size_t group : groups_of_[id])
                if (shared_[group]++ == 0) met.push_back(group);
        std::size_t chosen = k_none;
        for (const std::size_t group : met) {
            const std::size_t joined = plan_.groups[group].conditions.size() + ids.size() - shared_[group];
            const bool better = chosen == k_none || shared_[group] > shared_[chosen] ||
                                (shared_[group] == shared_[chosen] && group < chosen);
            if (joined <= max_depth_ && better) chosen = group;
        }
        for (const std::size_t group : met)
            if (group != chosen) shared_[group] = 0;
        if (chosen != k_none) shared_[chosen] = 0;
        return chosen;
    }

    /// Trees that were of this size once; those that have grown since are passed over.
    std::size_t fullest_with_room(std::size_t added) {
        if (added > max_depth_) return k_none;
        for (std::size_t size = max_depth_ - added; size > 0; --size) {
            auto& stack = of_size_[size];
            while (!stack.empty()) {
                const std::size_t group = stack.back();
                if (plan_.groups[group].conditions.size() == size) return group;
                stack.pop_back();
            }
        }
        return k_none;
    }

    static constexpr std::size_t k_none = static_cast<std::size_t>(-1);
    const Polynomial& polynomial_;
    std::uint32_t max_depth_;
    SymmetricPlan plan_;
    std::vector<std::vector<std::size_t>> groups_of_;  ///< by condition
    std::vector<std::vector<std::size_t>> of_size_;
    std::vector<std::size_t> shared_;
};

}  // namespace

SymmetricPlan plan_symmetric(const Polynomial& polynomial, const SymmetricOptions& options) {
    return Packing(polynomial, options.max_depth).run();
}

}  // namespace regrove::algebra
