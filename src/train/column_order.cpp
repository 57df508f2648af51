#include "regrove/train/column_order.hpp"

#include <array>

namespace regrove::train {

namespace {

constexpr unsigned k_digit_bits = 11;
constexpr std::size_t k_digits = std::size_t{1} << k_digit_bits;

template <class Key>
unsigned passes() {
    return (sizeof(Key) * 8 + k_digit_bits - 1) / k_digit_bits;
}

template <class Key, class T>
ColumnOrder<Key> order(const std::vector<T>& values) {
    ColumnOrder<Key> result;
    result.entries.reserve(values.size());
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (data::has_value(values[row])) {
            result.entries.push_back({sort_key(values[row]), static_cast<std::uint32_t>(row)});
        } else {
            result.missing.push_back(static_cast<std::uint32_t>(row));
        }
    }
    std::vector<KeyedRow<Key>> scratch;
    radix_sort(result.entries, scratch);
    return result;
}

}  // namespace

template <class Key>
void radix_sort(std::vector<KeyedRow<Key>>& entries, std::vector<KeyedRow<Key>>& scratch) {
    const unsigned pass_count = passes<Key>();
    std::vector<std::array<std::uint32_t, k_digits>> histograms(pass_count);
    for (auto& histogram : histograms) histogram.fill(0);
    for (const auto& entry : entries) {
        for (unsigned pass = 0; pass < pass_count; ++pass) {
            histograms[pass][(entry.key >> (pass * k_digit_bits)) & (k_digits - 1)] += 1;
        }
    }
    scratch.resize(entries.size());
    for (unsigned pass = 0; pass < pass_count; ++pass) {
        auto& histogram = histograms[pass];
        const unsigned shift = pass * k_digit_bits;
        if (entries.empty() || histogram[(entries[0].key >> shift) & (k_digits - 1)] == entries.size()) continue;
        std::uint32_t begin = 0;
        for (auto& count : histogram) {
            const std::uint32_t size = count;
            count = begin;
            begin += size;
        }
        for (const auto& entry : entries) scratch[histogram[(entry.key >> shift) & (k_digits - 1)]++] = entry;
        entries.swap(scratch);
    }
}

template void radix_sort(std::vector<KeyedRow<std::uint32_t>>&, std::vector<KeyedRow<std::uint32_t>>&);
template void radix_sort(std::vector<KeyedRow<std::uint64_t>>&, std::vector<KeyedRow<std::uint64_t>>&);

ColumnOrder<std::uint32_t> order_column(const std::vector<float>& values) { return order<std::uint32_t>(values); }
ColumnOrder<std::uint32_t> order_column(const std::vector<std::int32_t>& values) {
    return order<std::uint32_t>(values);
}
ColumnOrder<std::uint64_t> order_column(const std::vector<double>& values) { return order<std::uint64_t>(values); }
ColumnOrder<std::uint64_t> order_column(const std::vector<std::int64_t>& values) {
    return order<std::uint64_t>(values);
}

}  // namespace regrove::train
