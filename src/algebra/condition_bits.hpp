// For a block of rows, which of them each condition holds for, as bits.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/algebra/condition.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

/// Words of a block: 64 rows each.
constexpr std::size_t k_block_words = 64;
constexpr std::size_t k_block_rows = 64 * k_block_words;

class ConditionBits {
  public:
    explicit ConditionBits(const ConditionTable& table)
        : table_(table), words_(table.size() * k_block_words), column_(k_block_rows) {}

    /// Rows [begin, end) of the shard, at most a block; bits of rows behind `end` are zero.
    void fill(const infer::Binding& binding, const data::TableShard& shard, std::size_t begin, std::size_t end);
    const std::uint64_t* of(ConditionId id) const { return words_.data() + id * k_block_words; }

  private:
    void fill_condition(ConditionId id, std::size_t rows);

    const ConditionTable& table_;
    std::vector<std::uint64_t> words_;
    std::vector<double> cells_;
    std::vector<double> column_;
};

}  // namespace regrove::algebra
