// A block's bitmaps of all monomials first, then AND and popcount of every pair.
#include "regrove/algebra/monomial_pairs.hpp"

#include <algorithm>
#include <bit>

#include "regrove/core/parallel.hpp"

#include "condition_bits.hpp"
#include "count_kernels.hpp"

namespace regrove::algebra {

namespace {

/// The rows of a block that each of some monomials holds for.
class MonomialBits {
  public:
    MonomialBits(const Polynomial& polynomial, MonomialPlaces monomials)
        : polynomial_(polynomial),
          monomials_(monomials),
          conditions_(polynomial.conditions),
          words_(monomials.size() * k_block_words),
          any_(monomials.size(), 0) {}

    void fill(const infer::Binding& binding, const data::TableShard& shard, std::size_t begin, std::size_t end) {
        conditions_.fill(binding, shard, begin, end);
        parallel_for_blocks(monomials_.size(), 64, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) fill_monomial(i, end - begin);
        });
    }
    const std::uint64_t* of(std::size_t i) const { return words_.data() + i * k_block_words; }
    bool any(std::size_t i) const { return any_[i] != 0; }

  private:
    void fill_monomial(std::size_t i, std::size_t rows) {
        std::uint64_t* const words = words_.data() + i * k_block_words;
        std::uint64_t any = 0;
        for (std::size_t word = 0; word < k_block_words; ++word) {
            const std::size_t left = rows - std::min(rows, word * 64);
            std::uint64_t holds = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
            for (const ConditionId id : polynomial_.monomial(monomials_[i])) holds &= conditions_.of(id)[word];
            words[word] = holds;
            any |= holds;
        }
        any_[i] = any != 0 ? 1 : 0;
    }

    const Polynomial& polynomial_;
    MonomialPlaces monomials_;
    ConditionBits conditions_;
    std::vector<std::uint64_t> words_;
    std::vector<std::uint8_t> any_;
};

/// Visits the shard block by block with the bitmaps of the monomials.
template <class Visit>
void for_each_block(const Polynomial& polynomial, MonomialPlaces monomials, const infer::Binding& binding,
                    const data::TableShard& shard, Visit visit) {
    MonomialBits bits(polynomial, monomials);
    for (std::size_t begin = 0; begin < shard.rows; begin += k_block_rows) {
        bits.fill(binding, shard, begin, std::min<std::size_t>(begin + k_block_rows, shard.rows));
        visit(bits, begin);
    }
}

}  // namespace

MonomialPairs count_pairs(const Polynomial& polynomial, MonomialPlaces monomials, const infer::Binding& binding,
                          const data::TableShard& shard) {
    MonomialPairs pairs(monomials.size());
    const CountKernels& kernels = count_kernels();
    for_each_block(polynomial, monomials, binding, shard, [&](const MonomialBits& bits, std::size_t) {
        parallel_for(monomials.size(), [&](std::size_t i) {
            if (!bits.any(i)) return;
            const auto row = pairs.with(i);
            for (std::size_t j = i; j < monomials.size(); ++j)
                if (bits.any(j)) row[j] += kernels.count(bits.of(i), bits.of(j));
        });
    });
    for (std::size_t i = 0; i < monomials.size(); ++i)
        for (std::size_t j = i + 1; j < monomials.size(); ++j) pairs.with(j)[i] = pairs.with(i)[j];
    return pairs;
}

std::vector<std::int64_t> sums_over_rows(const Polynomial& polynomial, MonomialPlaces monomials,
                                         std::span<const std::int64_t> numbers, const infer::Binding& binding,
                                         const data::TableShard& shard) {
    const std::size_t scores = polynomial.scores;
    std::vector<std::int64_t> sums(monomials.size() * scores, 0);
    for_each_block(polynomial, monomials, binding, shard, [&](const MonomialBits& bits, std::size_t begin) {
        parallel_for_blocks(monomials.size(), 16, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                for (std::size_t word = 0; word < k_block_words; ++word)
                    for (std::uint64_t holds = bits.of(i)[word]; holds != 0; holds &= holds - 1) {
                        const std::size_t row = begin + word * 64 + static_cast<std::size_t>(std::countr_zero(holds));
                        for (std::size_t k = 0; k < scores; ++k) sums[i * scores + k] += numbers[row * scores + k];
                    }
        });
    });
    return sums;
}

}  // namespace regrove::algebra
