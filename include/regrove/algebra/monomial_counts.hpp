// How many rows each monomial holds for: one bitmap a condition, AND and popcount along a prefix trie.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

/// A node's way from the root is a prefix of some monomials; nodes in pre-order.
class MonomialTrie {
  public:
    /// Monomials must be in lexicographic order.
    explicit MonomialTrie(const MonomialList& monomials);

    static constexpr std::uint32_t k_no_monomial = 0xffffffffU;
    struct Node {
        ConditionId condition = 0;
        std::uint32_t depth = 0;                 ///< conditions on the way, this one included
        std::uint32_t monomial = k_no_monomial;  ///< the one that ends here
        std::uint32_t behind = 0;                ///< the first node that is not below this one
    };
    const std::vector<Node>& nodes() const { return nodes_; }
    std::uint32_t depth() const { return depth_; }

  private:
    std::vector<Node> nodes_;
    std::uint32_t depth_ = 0;
};

/// The number of rows of the shard for which each monomial holds; the empty one: all. `binding` is that of
/// asking_ensemble(polynomial) with the shard's schema. Time: O(trie nodes * rows / 64), less where prefixes are rare;
/// in parallel over blocks of rows, exact for any number of threads.
std::vector<std::uint64_t> count_rows(const Polynomial& polynomial, const infer::Binding& binding,
                                      const data::TableShard& shard);

}  // namespace regrove::algebra
