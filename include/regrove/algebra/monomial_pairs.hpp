// For how many rows two monomials hold together, and what a residual sums to over each one's rows: all that a least-squares fit
// of their coefficients needs of the rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

/// Some monomials of a polynomial, in any order, by their places in it.
using MonomialPlaces = std::span<const std::uint32_t>;

/// A symmetric matrix of rows that pairs hold for; its diagonal has each monomial's own rows. 4 bytes a pair.
class MonomialPairs {
  public:
    explicit MonomialPairs(std::size_t monomials) : size_(monomials), counts_(monomials * monomials, 0) {}

    std::size_t size() const { return size_; }
    std::span<const std::uint32_t> with(std::size_t i) const { return {counts_.data() + i * size_, size_}; }
    std::span<std::uint32_t> with(std::size_t i) { return {counts_.data() + i * size_, size_}; }

    friend bool operator==(const MonomialPairs&, const MonomialPairs&) = default;

  private:
    std::size_t size_;
    std::vector<std::uint32_t> counts_;
};

/// Over the shard's rows (fewer than 2^32 over all ranks). `binding` is that of asking_ensemble(polynomial) with the shard's
/// schema. Time: O(monomials^2 * rows / 128), less where monomials hold for no row of a block; in parallel over monomials.
MonomialPairs count_pairs(const Polynomial& polynomial, MonomialPlaces monomials, const infer::Binding& binding,
                          const data::TableShard& shard);

/// For each of the monomials and each score, the sum of the row's numbers over the rows that it holds for. `numbers` are
/// rows x scores of integers whose sums stay within 64 bits.
std::vector<std::int64_t> sums_over_rows(const Polynomial& polynomial, MonomialPlaces monomials,
                                         std::span<const std::int64_t> numbers, const infer::Binding& binding,
                                         const data::TableShard& shard);

}  // namespace regrove::algebra
