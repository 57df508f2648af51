// Turns big-endian idx cells into typed columns, a batch of rows at a time.
#include "regrove/ingest/idx.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <type_traits>
#include <variant>

#include "regrove/core/check.hpp"

namespace regrove::ingest {
namespace {

constexpr std::size_t k_batch_bytes = std::size_t{1} << 20U;

data::ColumnType column_type(IdxType type) {
    switch (type) {
        case IdxType::int32:
            return data::ColumnType::int32;
        case IdxType::float64:
            return data::ColumnType::float64;
        default:
            return data::ColumnType::float32;
    }
}

data::ColumnType label_type(IdxType type) {
    const bool whole = type != IdxType::float32 && type != IdxType::float64;
    return whole ? data::ColumnType::int32 : column_type(type);
}

std::string cell_name(const IdxHeader& header, std::uint64_t cell) {
    std::string suffix;
    for (std::size_t d = header.dimensions.size() - 1; d >= 1; --d) {
        suffix = "_" + std::to_string(cell % header.dimensions[d]) + suffix;
        cell /= header.dimensions[d];
    }
    return "pixel" + suffix;
}

template <class Bits>
Bits load_big_endian(const char* bytes) {
    Bits value = 0;
    for (std::size_t i = 0; i < sizeof(Bits); ++i) {
        value = static_cast<Bits>(static_cast<std::uint64_t>(value) << 8U | static_cast<unsigned char>(bytes[i]));
    }
    return value;
}

/// The cell's value in the file's own type, which every column type used for it holds exactly.
template <IdxType type>
auto load(const char* bytes) {
    if constexpr (type == IdxType::uint8) return load_big_endian<std::uint8_t>(bytes);
    if constexpr (type == IdxType::int8) return static_cast<std::int8_t>(load_big_endian<std::uint8_t>(bytes));
    if constexpr (type == IdxType::int16) return static_cast<std::int16_t>(load_big_endian<std::uint16_t>(bytes));
    if constexpr (type == IdxType::int32) return static_cast<std::int32_t>(load_big_endian<std::uint32_t>(bytes));
    if constexpr (type == IdxType::float32) return std::bit_cast<float>(load_big_endian<std::uint32_t>(bytes));
    if constexpr (type == IdxType::float64) return std::bit_cast<double>(load_big_endian<std::uint64_t>(bytes));
}

template <class Value>
bool is_refused(Value value) {
    if constexpr (std::is_floating_point_v<Value>) return std::isinf(value);
    if constexpr (std::is_same_v<Value, std::int32_t>) return value == data::k_missing_int32;
    return false;
}

/// A batch of whole rows as they stand in the file.
struct Batch {
    const char* bytes;
    std::size_t rows;
    std::uint64_t row_bytes;
    const std::string& path;
    RowIndex first_row;
};

template <IdxType type>
void append_column(const Batch& batch, std::uint64_t cell, data::ColumnValues& column) {
    const char* first = batch.bytes + cell * cell_bytes(type);
    const auto append = [&](auto& cells) {
        using Cell = typename std::remove_reference_t<decltype(cells)>::value_type;
        if constexpr (std::is_arithmetic_v<Cell>) {
            for (std::size_t r = 0; r < batch.rows; ++r) {
                const auto value = load<type>(first + r * batch.row_bytes);
                if (is_refused(value)) {
                    throw InputError("'" + batch.path + "': cell " + std::to_string(cell) + " of row " +
                                     std::to_string(batch.first_row + r) +
                                     (std::is_floating_point_v<decltype(value)>
                                          ? " is infinite; only finite numbers and NaN (missing) are read"
                                          : " is -2147483648, which means missing in a table"));
                }
                cells.push_back(static_cast<Cell>(value));
            }
        }
    };
    std::visit(append, column);
}

void append_columns(const Batch& batch, IdxType type, std::span<data::ColumnValues> columns) {
    const auto all = [&]<IdxType t>(std::integral_constant<IdxType, t>) {
        for (std::size_t c = 0; c < columns.size(); ++c) append_column<t>(batch, c, columns[c]);
    };
    switch (type) {
        case IdxType::uint8:
            return all(std::integral_constant<IdxType, IdxType::uint8>{});
        case IdxType::int8:
            return all(std::integral_constant<IdxType, IdxType::int8>{});
        case IdxType::int16:
            return all(std::integral_constant<IdxType, IdxType::int16>{});
        case IdxType::int32:
            return all(std::integral_constant<IdxType, IdxType::int32>{});
        case IdxType::float32:
            return all(std::integral_constant<IdxType, IdxType::float32>{});
        case IdxType::float64:
            return all(std::integral_constant<IdxType, IdxType::float64>{});
    }
}

/// Which of the files holds the labels: the one of one dimension when the other has more.
void assign_files(const std::vector<std::string>& files, IdxInput& input) {
    if (files.empty() || files.size() > 2) {
        throw ConfigError("idx input takes one file of cells and perhaps one of labels, not " +
                          std::to_string(files.size()) + " files");
    }
    input.cells_path = files[0];
    input.cells = read_idx_header(files[0]);
    if (files.size() == 1) return;
    input.labels_path = files[1];
    input.labels = read_idx_header(files[1]);
    if (input.cells.dimensions.size() == 1 && input.labels.dimensions.size() > 1) {
        std::swap(input.cells_path, input.labels_path);
        std::swap(input.cells, input.labels);
    }
    if (input.labels.dimensions.size() != 1) {
        throw InputError("neither '" + files[0] + "' nor '" + files[1] +
                         "' is an idx file of labels: those have one dimension");
    }
    if (input.labels.rows() != input.cells.rows()) {
        throw InputError("'" + input.cells_path + "' has " + std::to_string(input.cells.rows()) + " rows, but '" +
                         input.labels_path + "' has " + std::to_string(input.labels.rows()) + " labels");
    }
}

}  // namespace

/// One idx file from a row on.
class IdxRows::Stream {
  public:
    Stream(const std::string& path, const IdxHeader& header, RowIndex begin) : path_(path), header_(header) {
        const std::uint64_t skipped = begin * header.row_bytes();
        if (detect_encoding(path) == Encoding::plain) {
            source_ = open_byte_range(path, header.header_bytes() + skipped, header.file_bytes());
            return;
        }
        source_ = open_bytes(path);
        read_idx_header(*source_, path);
        for (std::uint64_t left = skipped; left > 0;) {
            const std::uint64_t step = std::min<std::uint64_t>(left, k_batch_bytes);
            fill(step);
            left -= step;
        }
    }

    void append(RowIndex first_row, std::size_t rows, std::span<data::ColumnValues> columns) {
        const std::uint64_t row_bytes = header_.row_bytes();
        const std::size_t batch_rows = std::max<std::uint64_t>(1, k_batch_bytes / row_bytes);
        for (std::size_t done = 0; done < rows;) {
            const std::size_t count = std::min(batch_rows, rows - done);
            fill(count * row_bytes);
            append_columns({buffer_.data(), count, row_bytes, path_, first_row + done}, header_.type, columns);
            done += count;
        }
    }

    void require_end() {
        char byte = 0;
        if (source_->read(&byte, 1) != 0)
            throw FormatError("'" + path_ + "' goes on behind the rows of its idx header");
    }

  private:
    void fill(std::uint64_t size) {
        buffer_.resize(size);
        for (std::uint64_t got = 0; got < size;) {
            const std::size_t step = source_->read(buffer_.data() + got, size - got);
            if (step == 0) {
                throw FormatError("'" + path_ + "' is truncated: it ends before the " +
                                  std::to_string(header_.rows()) + " rows of its idx header");
            }
            got += step;
        }
    }

    std::string path_;
    IdxHeader header_;
    std::unique_ptr<ByteSource> source_;
    std::vector<char> buffer_;
};

IdxInput inspect_idx(const std::vector<std::string>& files, std::uint64_t max_columns) {
    IdxInput input;
    assign_files(files, input);
    input.rows = input.cells.rows();
    if (input.rows == 0) throw InputError("'" + input.cells_path + "' has no rows");
    const std::uint64_t cells = input.cells.cells_per_row();
    if (cells > max_columns) {
        throw LimitError("'" + input.cells_path + "' has " + std::to_string(cells) +
                         " cells a row, more columns than " + std::to_string(max_columns) +
                         "; scale the images down or raise --max-columns");
    }
    auto& columns = input.schema.columns;
    if (!input.labels_path.empty()) {
        columns.push_back({"label", label_type(input.labels.type), data::ColumnRole::label, {}});
    }
    for (std::uint64_t cell = 0; cell < cells; ++cell) {
        columns.push_back(
            {cell_name(input.cells, cell), column_type(input.cells.type), data::ColumnRole::feature, {}});
    }
    return input;
}

IdxRows::IdxRows(const IdxInput& input, RowIndex begin, RowIndex end)
    : next_row_(begin), end_(std::max(begin, end)), reads_last_row_(end_ == input.rows) {
    REGROVE_CHECK(end_ <= input.rows);
    if (begin == end_) return;
    cells_ = std::make_unique<Stream>(input.cells_path, input.cells, begin);
    if (!input.labels_path.empty()) labels_ = std::make_unique<Stream>(input.labels_path, input.labels, begin);
}

IdxRows::~IdxRows() = default;

std::size_t IdxRows::next(std::size_t most_rows, data::TableShard& out) {
    const std::size_t rows = std::min<std::uint64_t>(most_rows, end_ - next_row_);
    if (rows == 0) return 0;
    const std::span<data::ColumnValues> columns(out.values);
    const std::size_t first_cell = labels_ ? 1 : 0;
    if (labels_) labels_->append(next_row_, rows, columns.first(1));
    cells_->append(next_row_, rows, columns.subspan(first_cell));
    next_row_ += rows;
    out.rows += rows;
    if (next_row_ == end_ && reads_last_row_) {
        cells_->require_end();
        if (labels_) labels_->require_end();
    }
    return rows;
}

}  // namespace regrove::ingest
