// Feature by feature, so that a column is laid out once for all its borders.
#include "condition_bits.hpp"

#include <algorithm>

namespace regrove::algebra {

namespace {

template <class Holds>
void write_bits(const std::vector<double>& column, std::size_t rows, std::uint64_t* words, Holds holds) {
    for (std::size_t word = 0; word < k_block_words; ++word) {
        const std::size_t begin = std::min(word * 64, rows);
        const std::size_t end = std::min(begin + 64, rows);
        std::uint64_t bits = 0;
        for (std::size_t row = begin; row < end; ++row)
            bits |= static_cast<std::uint64_t>(holds(column[row])) << (row - begin);
        words[word] = bits;
    }
}

}  // namespace

void ConditionBits::fill(const infer::Binding& binding, const data::TableShard& shard, std::size_t begin,
                         std::size_t end) {
    binding.fill(shard, begin, end, cells_);
    const std::size_t width = binding.features();
    for (ConditionId id = 0; id < table_.size(); ++id) {
        const std::size_t feature = index(table_[id].feature);
        if (id == 0 || table_[id - 1].feature != table_[id].feature)
            for (std::size_t row = 0; row < end - begin; ++row) column_[row] = cells_[row * width + feature];
        fill_condition(id, end - begin);
    }
}

void ConditionBits::fill_condition(ConditionId id, std::size_t rows) {
    const Condition& condition = table_[id];
    std::uint64_t* const words = words_.data() + id * k_block_words;
    if (condition.kind == ConditionKind::above) {
        const double border = condition.border;
        write_bits(column_, rows, words, [border](double cell) { return cell > border; });
        return;
    }
    write_bits(column_, rows, words, [&condition](double cell) { return holds(condition, cell); });
}

}  // namespace regrove::algebra
