// Depth first over the trie with one bitmap a level; a prefix that holds nowhere in a block ends its subtree there.
#include "regrove/algebra/monomial_counts.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

#include "condition_bits.hpp"
#include "count_kernels.hpp"

namespace regrove::algebra {

namespace {

/// Counts of one thread's rows.
class Counter {
  public:
    Counter(const Polynomial& polynomial, const MonomialTrie& trie)
        : trie_(trie),
          bits_(polynomial.conditions),
          levels_((trie.depth() + 1) * k_block_words),
          counts_(polynomial.size(), 0) {}

    void add(const infer::Binding& binding, const data::TableShard& shard, std::size_t begin, std::size_t end) {
        bits_.fill(binding, shard, begin, end);
        for (std::size_t word = 0; word < k_block_words; ++word) levels_[word] = ~std::uint64_t{0};
        walk();
    }
    const std::vector<std::uint64_t>& counts() const { return counts_; }

  private:
    void walk() {
        const CountKernels& kernels = count_kernels();
        const auto& nodes = trie_.nodes();
        for (std::uint32_t at = 0; at < nodes.size();) {
            const MonomialTrie::Node& node = nodes[at];
            const std::uint64_t* const parent = levels_.data() + (node.depth - 1) * k_block_words;
            const std::uint64_t* const own = bits_.of(node.condition);
            const bool has_children = node.behind > at + 1;
            const std::uint32_t rows = has_children
                                           ? kernels.join(parent, own, levels_.data() + node.depth * k_block_words)
                                           : kernels.count(parent, own);
            if (node.monomial != MonomialTrie::k_no_monomial) counts_[node.monomial] += rows;
            at = rows == 0 ? node.behind : at + 1;
        }
    }

    const MonomialTrie& trie_;
    ConditionBits bits_;
    std::vector<std::uint64_t> levels_;  ///< the rows of the prefix of each depth; depth 0: all
    std::vector<std::uint64_t> counts_;
};

std::size_t shared_prefix(std::span<const ConditionId> a, std::span<const ConditionId> b) {
    const auto [end, other] = std::ranges::mismatch(a, b);
    return static_cast<std::size_t>(end - a.begin());
}

}  // namespace

MonomialTrie::MonomialTrie(const MonomialList& monomials) {
    REGROVE_CHECK(monomials.size() < k_no_monomial);
    std::vector<std::uint32_t> open;  // the nodes on the way to the last monomial
    for (std::size_t m = 0; m < monomials.size(); ++m) {
        const auto ids = monomials.monomial(m);
        if (ids.empty()) continue;
        const std::size_t shared = m == 0 ? 0 : shared_prefix(monomials.monomial(m - 1), ids);
        while (open.size() > shared) {
            nodes_[open.back()].behind = static_cast<std::uint32_t>(nodes_.size());
            open.pop_back();
        }
        for (std::size_t i = shared; i < ids.size(); ++i) {
            open.push_back(static_cast<std::uint32_t>(nodes_.size()));
            nodes_.push_back({ids[i], static_cast<std::uint32_t>(i + 1), k_no_monomial, 0});
        }
        nodes_.back().monomial = static_cast<std::uint32_t>(m);
        depth_ = std::max(depth_, static_cast<std::uint32_t>(ids.size()));
    }
    for (const std::uint32_t node : open) nodes_[node].behind = static_cast<std::uint32_t>(nodes_.size());
}

std::vector<std::uint64_t> count_rows(const Polynomial& polynomial, const infer::Binding& binding,
                                      const data::TableShard& shard) {
    const MonomialTrie trie(polynomial);
    const std::size_t blocks = (shard.rows + k_block_rows - 1) / k_block_rows;
    const std::size_t stripes = std::min<std::size_t>(blocks, thread_count());
    std::vector<std::vector<std::uint64_t>> counts(stripes);
    parallel_for(stripes, [&](std::size_t stripe) {
        Counter counter(polynomial, trie);
        for (std::size_t block = stripe; block < blocks; block += stripes) {
            const std::size_t begin = block * k_block_rows;
            counter.add(binding, shard, begin, std::min<std::size_t>(begin + k_block_rows, shard.rows));
        }
        counts[stripe] = counter.counts();
    });
    std::vector<std::uint64_t> total(polynomial.size(), 0);
    for (const auto& part : counts)
        for (std::size_t m = 0; m < total.size(); ++m) total[m] += part[m];
    if (polynomial.size() > 0 && polynomial.is_constant(0)) total[0] = shard.rows;
    return total;
}

}  // namespace regrove::algebra
