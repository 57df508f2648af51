#include "regrove/data/content_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <variant>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/data/sparse_cells.hpp"

namespace regrove::data {

namespace {

constexpr std::uint64_t k_missing_word = 0x676e697373696d21ULL;
constexpr std::uint64_t k_row_step = 0x9e3779b97f4a7c15ULL;
constexpr std::int64_t k_exact_in_double = std::int64_t{1} << 53U;
/// Rows that one thread hashes at a time.
constexpr std::size_t k_block_rows = 65536;

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection in which every bit depends on every other.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

/// FNV-1a, 64 bits (Fowler, Noll and Vo).
constexpr std::uint64_t text_word(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

std::uint64_t word(double value) { return std::isnan(value) ? k_missing_word : std::bit_cast<std::uint64_t>(value); }
std::uint64_t word(float value) { return word(static_cast<double>(value)); }
std::uint64_t word(std::int32_t value) {
    return value == k_missing_int32 ? k_missing_word : word(static_cast<double>(value));
}
std::uint64_t word(std::int64_t value) {
    if (value == k_missing_int64) return k_missing_word;
    const bool exact = value <= k_exact_in_double && value >= -k_exact_in_double;
    return exact ? word(static_cast<double>(value)) : static_cast<std::uint64_t>(value);
}
std::uint64_t word(const std::string& value) { return value.empty() ? k_missing_word : text_word(value); }

/// The rows [begin, end) of one column; `first_row` is the global row of the shard's row 0.
struct Cells {
    std::size_t begin = 0;
    std::size_t end = 0;
    RowIndex first_row = 0;
    std::uint64_t column = 0;
};

template <class Word>
Hash128 sum_cells(const Cells& cells, Word word_of) {
    const std::uint64_t column_key = mix(cells.column + 1);
    Hash128 sum;
    for (std::size_t row = cells.begin; row < cells.end; ++row) {
        const std::uint64_t position = mix((cells.first_row + row) * k_row_step + column_key);
        const std::uint64_t low = mix(word_of(row) ^ position);
        sum.low += low;
        sum.high += mix(low + position);
    }
    return sum;
}

/// The present cells of sparse rows; `at.column` is the table's column of feature 0.
template <class Word>
Hash128 sum_present(const SparseCells& cells, const Cells& at, Word word_of) {
    Hash128 sum;
    for (std::size_t row = at.begin; row < at.end; ++row) {
        for (std::uint64_t cell = cells.row_begins[row]; cell < cells.row_begins[row + 1]; ++cell) {
            const Cells one{row, row + 1, at.first_row, at.column + cells.features[cell]};
            sum = merge(sum, sum_cells(one, [&](std::size_t) { return word_of(cell); }));
        }
    }
    return sum;
}

Hash128 hash_cells(const ColumnValues& values, const std::vector<std::uint64_t>& category_words, bool is_category,
                   const Cells& cells) {
    if (is_category) {
        const auto& codes = std::get<std::vector<CategoryCode>>(values);
        return sum_cells(cells, [&](std::size_t row) {
            const CategoryCode code = codes[row];
            if (code == k_missing_category) return k_missing_word;
            REGROVE_CHECK(code >= 0 && static_cast<std::size_t>(code) < category_words.size());
            return category_words[static_cast<std::size_t>(code)];
        });
    }
    return std::visit(
        [&](const auto& cells_of) { return sum_cells(cells, [&](std::size_t row) { return word(cells_of[row]); }); },
        values);
}

std::vector<std::vector<std::uint64_t>> words_of_categories(const Schema& schema) {
    std::vector<std::vector<std::uint64_t>> words(schema.columns.size());
    parallel_for(words.size(), [&](std::size_t c) {
        for (const auto& name : schema.columns[c].categories) words[c].push_back(text_word(name));
    });
    return words;
}

}  // namespace

std::vector<Hash128> column_hashes(const TableShard& shard, const std::vector<std::size_t>& table_index) {
    const std::size_t columns = shard.values.size();
    REGROVE_CHECK(columns == shard.schema.columns.size());
    REGROVE_CHECK(table_index.empty() || table_index.size() == columns);
    const auto category_words = words_of_categories(shard.schema);
    const std::size_t rows = shard.rows;
    const std::size_t blocks = (rows + k_block_rows - 1) / k_block_rows;
    std::vector<Hash128> parts(columns * blocks);
    parallel_for(parts.size(), [&](std::size_t part) {
        const std::size_t column = part / blocks;
        const std::size_t begin = part % blocks * k_block_rows;
        const Cells cells{begin, std::min(rows, begin + k_block_rows), shard.first_row,
                          table_index.empty() ? column : table_index[column]};
        const bool is_category = shard.schema.columns[column].type == ColumnType::category;
        parts[part] = hash_cells(shard.values[column], category_words[column], is_category, cells);
    });
    std::vector<Hash128> sums(columns);
    for (std::size_t part = 0; part < parts.size(); ++part) {
        sums[part / blocks] = merge(sums[part / blocks], parts[part]);
    }
    return sums;
}

Hash128 content_hash(const TableShard& shard) {
    Hash128 sum;
    for (const auto& hash : column_hashes(shard)) sum = merge(sum, hash);
    return sum;
}

Hash128 content_hash(const SparseCells& cells, RowIndex first_row, std::uint64_t first_column) {
    // As if all cells were absent, and then what the present ones change.
    const std::uint64_t absent = word(cells.absent_value());
    std::vector<Hash128> columns(cells.columns.size());
    parallel_for(columns.size(), [&](std::size_t c) {
        columns[c] = sum_cells({0, cells.rows(), first_row, first_column + c}, [&](std::size_t) { return absent; });
    });
    Hash128 sum = present_hash(cells, first_row, first_column);
    for (const Hash128& column : columns) sum = merge(sum, column);
    const Hash128 replaced =
        sum_present(cells, {0, cells.rows(), first_row, first_column}, [&](std::uint64_t) { return absent; });
    return {sum.low - replaced.low, sum.high - replaced.high};
}

Hash128 present_hash(const SparseCells& cells, RowIndex first_row, std::uint64_t first_column) {
    return sum_present(cells, {0, cells.rows(), first_row, first_column},
                       [&](std::uint64_t cell) { return word(cells.value(cell)); });
}

Hash128 merge(const Hash128& a, const Hash128& b) { return {a.low + b.low, a.high + b.high}; }

}  // namespace regrove::data
