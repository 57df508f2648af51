#include "column_reader.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "regrove/core/error.hpp"
#include "regrove/core/large_pages.hpp"

#include "hdf5_texts.hpp"
#include "packed_chunks.hpp"
#include "table_layout.hpp"
#include "table_opening.hpp"

namespace regrove::store {

using data::ColumnRole;
using data::ColumnType;

namespace {

std::string where(const std::string& path, const std::string& column, std::uint64_t row) {
    return "'" + path + "': column '" + column + "', row " + std::to_string(row) + " (counted from 0): ";
}

template <class Cell>
void refuse_infinite(const std::vector<Cell>& cells, const std::string& path, const std::string& column,
                     std::uint64_t begin) {
    const auto found = std::ranges::find_if(cells, [](Cell cell) { return std::isinf(cell); });
    if (found == cells.end()) return;
    throw InputError(where(path, column, begin + static_cast<std::uint64_t>(found - cells.begin())) +
                     "the value is infinite; store a finite number, or NaN for a missing one");
}

}  // namespace

ColumnReader::ColumnReader(std::string path, hid_t file, std::size_t table_index, data::ColumnSchema schema)
    : path_(std::move(path)), schema_(std::move(schema)) {
    naming_damage(path_, "column '" + schema_.name + "'", [&] {
        dataset_ = open_dataset(file, layout::column_path(table_index));
        if (schema_.type != ColumnType::text) packed_chunk_rows_ = packed_chunk_rows(dataset_.get(), schema_.type);
    });
}

data::ColumnValues ColumnReader::read(std::uint64_t begin, std::uint64_t rows) const {
    const std::string what =
        "column '" + schema_.name + "', rows " + std::to_string(begin) + " to " + std::to_string(begin + rows);
    data::ColumnValues values = naming_damage(path_, what, [&] { return read_cells(begin, rows); });
    check(values, begin);
    return values;
}

data::ColumnValues ColumnReader::read_cells(std::uint64_t begin, std::uint64_t rows) const {
    data::ColumnValues values = data::make_values(schema_.type);
    if (rows == 0) return values;
    std::visit(
        [&](auto& cells) {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            if constexpr (std::is_arithmetic_v<Cell>) {
                resize_large(cells, rows);
                if (packed_chunk_rows_ > 0) {
                    read_packed_chunks(dataset_.get(), packed_chunk_rows_, sizeof(Cell), begin,
                                       {reinterpret_cast<char*>(cells.data()), rows * sizeof(Cell)});
                    return;
                }
                const LineSelection lines(dataset_.get(), begin, rows);
                checked(H5Dread(dataset_.get(), layout::memory_type(schema_.type), lines.memory.get(),
                                lines.file.get(), H5P_DEFAULT, cells.data()),
                        "reading cells");
            } else {
                cells.reserve(rows);
                const std::uint64_t batch_rows = text_batch_rows_of(dataset_.get());
                for (std::uint64_t done = 0; done < rows;) {
                    const std::uint64_t count = std::min<std::uint64_t>(batch_rows, rows - done);
                    std::ranges::move(read_texts(dataset_.get(), begin + done, count), std::back_inserter(cells));
                    done += count;
                }
            }
        },
        values);
    return values;
}

void ColumnReader::check(const data::ColumnValues& values, std::uint64_t begin) const {
    const bool must_be_finite = schema_.role == ColumnRole::feature || schema_.role == ColumnRole::label ||
                                schema_.role == ColumnRole::weight;
    if (const auto* floats = std::get_if<std::vector<float>>(&values); floats != nullptr && must_be_finite) {
        refuse_infinite(*floats, path_, schema_.name, begin);
    }
    if (const auto* doubles = std::get_if<std::vector<double>>(&values); doubles != nullptr && must_be_finite) {
        refuse_infinite(*doubles, path_, schema_.name, begin);
    }
    if (schema_.type != ColumnType::category) return;
    const auto& codes = std::get<std::vector<data::CategoryCode>>(values);
    const auto levels = static_cast<std::int64_t>(schema_.categories.size());
    const auto found = std::ranges::find_if(
        codes, [&](data::CategoryCode code) { return code < data::k_missing_category || code >= levels; });
    if (found == codes.end()) return;
    throw InputError(where(path_, schema_.name, begin + static_cast<std::uint64_t>(found - codes.begin())) +
                     "category code " + std::to_string(*found) + " is not in the dictionary of " +
                     std::to_string(levels) + " categories (-1 means missing)");
}

}  // namespace regrove::store
