// Rows formatted block by block, then joined in order.
#include "regrove/generate/delimited_text.hpp"

#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "regrove/core/number_text.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::generate {

namespace {

constexpr std::size_t k_block_rows = 1024;

std::string quoted(std::string_view text, char delimiter) {
    const char special[] = {delimiter, '"', '\n', '\r'};
    if (text.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos)
        return std::string(text);
    std::string result = "\"";
    for (const char c : text) result.append(c == '"' ? 2 : 1, c);
    return result + '"';
}

/// A column ready for writing: its cells beside its dictionary in quotes where needed.
struct WritableColumn {
    const data::ColumnSchema& schema;
    const data::ColumnValues& values;
    std::vector<std::string> categories;

    void append(std::string& text, std::size_t row, char delimiter) const {
        if (data::is_missing(schema.type, values, row)) return;
        std::visit([&](const auto& cells) { append_cell(text, cells[row], delimiter); }, values);
    }

  private:
    template <class Cell>
    void append_cell(std::string& text, const Cell& cell, char delimiter) const {
        if constexpr (std::is_same_v<Cell, std::string>) {
            text += quoted(cell, delimiter);
        } else if constexpr (std::is_same_v<Cell, std::int32_t>) {
            if (schema.type == data::ColumnType::category)
                text += categories[static_cast<std::size_t>(cell)];
            else
                text += to_text(std::int64_t{cell});
        } else {
            text += to_text(cell);
        }
    }
};

std::vector<WritableColumn> writable_columns(const data::TableShard& shard, char delimiter) {
    std::vector<WritableColumn> columns;
    for (std::size_t c = 0; c < shard.values.size(); ++c) {
        const data::ColumnSchema& schema = shard.schema.columns[c];
        columns.push_back({schema, shard.values[c], {}});
        for (const auto& category : schema.categories)
            columns.back().categories.push_back(quoted(category, delimiter));
    }
    return columns;
}

}  // namespace

std::string delimited_header(const data::Schema& schema, char delimiter) {
    std::string line;
    for (const data::ColumnSchema& column : schema.columns) {
        if (!line.empty()) line += delimiter;
        line += quoted(column.name, delimiter);
    }
    return line + '\n';
}

std::string delimited_rows(const data::TableShard& shard, char delimiter) {
    const auto columns = writable_columns(shard, delimiter);
    std::vector<std::string> blocks((shard.rows + k_block_rows - 1) / k_block_rows);
    parallel_for_blocks(shard.rows, k_block_rows, [&](std::size_t begin, std::size_t end) {
        std::string& text = blocks[begin / k_block_rows];
        for (std::size_t row = begin; row < end; ++row) {
            for (std::size_t c = 0; c < columns.size(); ++c) {
                if (c > 0) text += delimiter;
                columns[c].append(text, row, delimiter);
            }
            text += '\n';
        }
    });
    std::string text;
    std::size_t size = 0;
    for (const std::string& block : blocks) size += block.size();
    text.reserve(size);
    for (const std::string& block : blocks) text += block;
    return text;
}

}  // namespace regrove::generate
