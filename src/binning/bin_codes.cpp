#include "regrove/binning/bin_codes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "regrove/binning/key_search.hpp"
#include "regrove/core/check.hpp"

namespace regrove::binning {

namespace {

template <class Code>
constexpr bool holds(std::uint32_t code) {
    return code <= std::numeric_limits<Code>::max();
}

}  // namespace

Codes make_codes(std::uint32_t missing_code, std::size_t rows) {
    if (holds<std::uint8_t>(missing_code)) {
        return std::vector<std::uint8_t>(rows, static_cast<std::uint8_t>(missing_code));
    }
    if (holds<std::uint16_t>(missing_code)) {
        return std::vector<std::uint16_t>(rows, static_cast<std::uint16_t>(missing_code));
    }
    return std::vector<std::uint32_t>(rows, missing_code);
}

void encode(const KeyColumn& column, RowRange rows, std::span<const std::uint64_t> boundaries, Codes& codes,
            std::span<std::uint64_t> lowest) {
    REGROVE_CHECK(lowest.size() == boundaries.size() + 1);
    if (boundaries.empty()) return;  // no bin, and all codes say so
    const auto missing_code = static_cast<std::uint32_t>(boundaries.size());
    // Without the last boundary, what is above it falls into the last bin.
    const KeySearch inner(boundaries.first(boundaries.size() - 1));
    std::array<std::uint64_t, k_block_rows> keys;
    std::array<std::uint32_t, k_block_rows> bins;
    for (std::size_t begin = rows.begin; begin < rows.end; begin += k_block_rows) {
        const std::size_t count = std::min(k_block_rows, rows.end - begin);
        read_keys(column.values, begin, std::span(keys).first(count));
        inner.count_smaller(std::span(keys).first(count), bins);
        for (std::size_t i = 0; i < count; ++i) bins[i] = keys[i] == k_no_key ? missing_code : bins[i];
        std::visit(
            [&](auto& own) {
                using Code = typename std::decay_t<decltype(own)>::value_type;
                for (std::size_t i = 0; i < count; ++i) own[begin + i] = static_cast<Code>(bins[i]);
            },
            codes);
        for (std::size_t i = 0; i < count; ++i) {
            const bool left_out = !column.left_out.empty() && column.left_out[begin + i];
            auto& low = lowest[left_out ? missing_code : bins[i]];
            low = std::min(low, keys[i]);
        }
    }
}

Codes encode_categories(const std::vector<std::int32_t>& cells, std::uint32_t categories) {
    Codes codes = make_codes(categories, cells.size());
    std::visit(
        [&](auto& own) {
            using Code = typename std::decay_t<decltype(own)>::value_type;
            for (std::size_t row = 0; row < cells.size(); ++row) {
                if (cells[row] == data::k_missing_category) continue;
                REGROVE_CHECK(static_cast<std::uint32_t>(cells[row]) < categories);
                own[row] = static_cast<Code>(cells[row]);
            }
        },
        codes);
    return codes;
}

}  // namespace regrove::binning
