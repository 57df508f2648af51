// Neighbouring monomials of a model: which of them hold, for a block of rows at a time.
//
// Monomials that begin with the same tests share these: a trie, each of whose nodes is one AND of bits.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "rank_bytes.hpp"
#include "score_kernels.hpp"

namespace regrove::infer {

/// The tests that monomials ask, each once: number and test.
class ProductTests {
  public:
    /// Of a monomial's tests, in their order.
    std::vector<std::uint32_t> numbers_of(const std::vector<RankTest>& tests);
    std::size_t size() const { return tests_.size(); }
    /// By test: which rows of a block of ranks go right.
    void ask(const ScoreKernels& kernels, const std::vector<std::int8_t>& ranks, std::vector<RowBits>& answers) const;

  private:
    std::vector<RankTest> tests_;
    std::map<RankTest, std::uint32_t> number_;
};

/// Room for one run; one a thread.
struct ProductRoom {
    std::vector<RowBits> held;          ///< by node
    std::vector<HeldProduct> products;  ///< of one score, word by word: those that hold for some row
};

/// Monomials of a run: so many that its words stay in the fast caches.
constexpr std::size_t k_most_products = 1024;

/// Monomials that add to the same scores, in order.
class ProductRun {
  public:
    /// `values`: what each score gets. At least one test; numbers of ProductTests.
    void add(const std::vector<std::uint32_t>& tests, const std::vector<double>& values);
    /// Nothing will be added any more: gives back what only adding needs.
    void close() { number_ = {}; }
    std::size_t size() const { return ends_.size(); }
    std::size_t scores() const { return values_.size(); }
    std::size_t nodes() const { return nodes_.size(); }

    /// Adds to the scores of a block: scores[k * k_rank_rows + row].
    void add_to(const ScoreKernels& kernels, const std::vector<RowBits>& answers, double* scores,
                ProductRoom& room) const;

  private:
    std::vector<HeldNode> nodes_;  ///< node i + 1; node 0 holds everywhere
    std::map<HeldNode, std::uint32_t> number_;
    std::vector<std::uint32_t> ends_;          ///< by monomial: its node
    std::vector<std::vector<double>> values_;  ///< score by score, by monomial
};

}  // namespace regrove::infer
