// Starts with integers, widens to doubles at the first real, and starts over with codes at the first text.
#include "regrove/ingest/column_chunk.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include "regrove/core/check.hpp"

namespace regrove::ingest {
namespace {

/// Walks down one column of a piece.
class ColumnView {
  public:
    ColumnView(const PieceFields& fields, std::size_t column)
        : fields_(fields), column_(column), first_(fields.column(column)), stride_(fields.columns()) {}
    std::size_t rows() const { return fields_.rows(); }
    std::string_view operator[](std::size_t row) const { return first_[row * stride_].text(); }
    CellPlace place(std::size_t row) const { return fields_.place(row, column_); }

  private:
    const PieceFields& fields_;
    std::size_t column_;
    const Field* first_;
    std::size_t stride_;
};

void note(CellPlace& first, const ColumnView& cells, std::size_t row) {
    if (!first.known()) first = cells.place(row);
}

void note_finite(CellSummary& summary, const NumberCell& number, const CellReading& reading) {
    summary.low = std::min(summary.low, number.real);
    summary.high = std::max(summary.high, number.real);
    if (summary.float64_only == 0 && !recoverable_from_float32(number)) summary.float64_only = 1;
    if (number.has_mark && reading.decimal_mark == ',') summary.comma_marks = 1;
}

/// Enters one cell that is a number of some kind.
void note_number(CellSummary& summary, const NumberCell& number, const ColumnView& cells, std::size_t row,
                 const CellReading& reading) {
    switch (number.kind) {
        case NumberKind::integer:
            ++summary.integers;
            summary.low_integer = std::min(summary.low_integer, number.integer);
            summary.high_integer = std::max(summary.high_integer, number.integer);
            note_finite(summary, number, reading);
            break;
        case NumberKind::big_integer:
            ++summary.big_integers;
            note_finite(summary, number, reading);
            if (is_exact_double(cells[row], number.real)) break;
            ++summary.lossy_integers;
            note(summary.first_lossy_integer, cells, row);
            break;
        case NumberKind::real:
            ++summary.reals;
            note_finite(summary, number, reading);
            break;
        case NumberKind::infinite:
            ++summary.infinities;
            note(summary.first_infinity, cells, row);
            break;
        case NumberKind::overflow:
            ++summary.overflows;
            note(summary.first_overflow, cells, row);
            break;
        case NumberKind::leading_zero:
        case NumberKind::none:
            break;
    }
}

/// Reads a number with the dialect's mark; where that is a comma, a point is taken too and noted.
NumberCell read_marked(std::string_view text, const CellReading& reading) {
    NumberCell number = read_number(text, reading.decimal_mark);
    if (number.kind == NumberKind::none && reading.decimal_mark == ',') {
        number = read_number(text, '.');
        number.has_mark = false;
    }
    return number;
}

bool is_point_number(std::string_view text, const CellReading& reading) {
    return reading.decimal_mark == ',' && read_number(text, ',').kind == NumberKind::none;
}

void note_text(CellSummary& summary, NumberKind kind, const ColumnView& cells, std::size_t row,
               const CellReading& reading) {
    note(summary.first_text, cells, row);
    if (kind == NumberKind::leading_zero)
        ++summary.codes;
    else if (reading.decimal_mark == '.' && read_number(cells[row], ',').kind == NumberKind::real)
        ++summary.comma_texts;
    else
        ++summary.other_texts;
}

/// Collects numbers, as integers while all are.
class NumberCells {
  public:
    explicit NumberCells(std::size_t rows) : rows_(rows) { integers_.reserve(rows); }
    void add(const NumberCell& number) {
        if (!reals_mode_ && number.kind == NumberKind::integer)
            integers_.push_back(number.integer);
        else
            add_real(number);
    }
    void add_missing() {
        if (reals_mode_)
            reals_.push_back(std::nan(""));
        else
            integers_.push_back(data::k_missing_int64);
    }
    /// In the narrowest type that keeps the values.
    data::ColumnValues finish(const CellSummary& summary) const {
        if (reals_mode_) return summary.float64_only == 0 ? data::ColumnValues(narrowed<float>(reals_)) : reals_;
        const bool narrow = summary.low_integer > data::k_missing_int32 &&
                            summary.high_integer <= std::numeric_limits<std::int32_t>::max();
        if (!narrow && summary.integers > 0) return integers_;
        std::vector<std::int32_t> small;
        small.reserve(integers_.size());
        for (const std::int64_t value : integers_)
            small.push_back(value == data::k_missing_int64 ? data::k_missing_int32
                                                           : static_cast<std::int32_t>(value));
        return small;
    }

  private:
    template <class To>
    static std::vector<To> narrowed(const std::vector<double>& from) {
        std::vector<To> to(from.size());
        std::ranges::transform(from, to.begin(), [](double value) { return static_cast<To>(value); });
        return to;
    }
    void add_real(const NumberCell& number) {
        if (!reals_mode_) {
            reals_mode_ = true;
            reals_.reserve(rows_);
            for (const std::int64_t value : integers_)
                reals_.push_back(value == data::k_missing_int64 ? std::nan("") : static_cast<double>(value));
        }
        reals_.push_back(number.real);
    }

    std::size_t rows_;
    bool reals_mode_ = false;
    std::vector<std::int64_t> integers_;
    std::vector<double> reals_;
};

/// nullopt at the first text; codes such as 007 are texts unless `codes_too`.
std::optional<ColumnChunk> read_numbers(const ColumnView& cells, const CellReading& reading, bool codes_too) {
    ColumnChunk chunk;
    CellSummary& summary = chunk.summary;
    NumberCells numbers(cells.rows());
    for (std::size_t row = 0; row < cells.rows(); ++row) {
        const std::string_view text = cells[row];
        if (text.empty() || (reading.missing.has_number() && reading.missing.is_missing(text))) {
            ++summary.missing;
            numbers.add_missing();
            continue;
        }
        NumberCell number = read_marked(text, reading);
        if (codes_too && number.kind == NumberKind::leading_zero)
            number = read_number_or_code(text, reading.decimal_mark);
        if (number.kind == NumberKind::none || number.kind == NumberKind::leading_zero) {
            if (!reading.missing.is_missing(text)) return std::nullopt;
            ++summary.missing;
            numbers.add_missing();
            continue;
        }
        note_number(summary, number, cells, row, reading);
        if (number.kind == NumberKind::real && is_point_number(text, reading)) {
            ++summary.point_marks;
            note(summary.first_point_mark, cells, row);
        }
        numbers.add(number);
    }
    summary.cells = cells.rows();
    chunk.kind = summary.present() == 0 ? ChunkKind::missing : ChunkKind::numbers;
    chunk.values = numbers.finish(summary);
    return chunk;
}

/// Looks at a text that the dictionary has met for the first time.
void note_level(CellSummary& summary, const ColumnView& cells, std::size_t row, const CellReading& reading) {
    const NumberCell number = read_marked(cells[row], reading);
    if (number.kind == NumberKind::none || number.kind == NumberKind::leading_zero)
        note_text(summary, number.kind, cells, row, reading);
    else
        note_number(summary, number, cells, row, reading);
}

ColumnChunk read_codes(const ColumnView& cells, const CellReading& reading) {
    ColumnChunk chunk;
    CategoryDictionary dictionary;
    std::vector<data::CategoryCode> codes;
    codes.reserve(cells.rows());
    for (std::size_t row = 0; row < cells.rows(); ++row) {
        const std::string_view text = cells[row];
        if (reading.missing.is_missing(text)) {
            ++chunk.summary.missing;
            codes.push_back(data::k_missing_category);
            continue;
        }
        const std::size_t known = dictionary.size();
        codes.push_back(dictionary.add(text));
        if (dictionary.size() != known) note_level(chunk.summary, cells, row, reading);
    }
    chunk.summary.cells = cells.rows();
    chunk.kind = chunk.summary.present() == 0 ? ChunkKind::missing : ChunkKind::codes;
    chunk.values = std::move(codes);
    chunk.names = dictionary.names();
    return chunk;
}

ColumnChunk read_texts(const ColumnView& cells, const CellReading& reading) {
    ColumnChunk chunk;
    std::vector<std::string> texts;
    texts.reserve(cells.rows());
    for (std::size_t row = 0; row < cells.rows(); ++row) {
        const bool missing = reading.missing.is_missing(cells[row]);
        if (missing) ++chunk.summary.missing;
        texts.emplace_back(missing ? std::string_view() : cells[row]);
    }
    chunk.summary.cells = cells.rows();
    chunk.kind = ChunkKind::texts;
    chunk.values = std::move(texts);
    return chunk;
}

template <class To, class From>
To converted(From value) {
    if constexpr (std::is_floating_point_v<From>) {
        if (!std::is_floating_point_v<To> && std::isnan(value)) return std::numeric_limits<To>::min();
        return static_cast<To>(value);
    } else {
        if (value == std::numeric_limits<From>::min())
            return std::is_floating_point_v<To> ? std::numeric_limits<To>::quiet_NaN()
                                                : std::numeric_limits<To>::min();
        return static_cast<To>(value);
    }
}

template <class To>
void append_numbers(std::vector<To>& out, const data::ColumnValues& values) {
    std::visit(
        [&out](const auto& from) {
            using From = typename std::decay_t<decltype(from)>::value_type;
            if constexpr (std::is_same_v<From, To>)
                out.insert(out.end(), from.begin(), from.end());
            else if constexpr (std::is_arithmetic_v<From>)
                for (const From value : from) out.push_back(converted<To>(value));
        },
        values);
}

template <class T>
void append_missing(std::vector<T>& out, std::size_t count) {
    if constexpr (std::is_floating_point_v<T>)
        out.insert(out.end(), count, std::numeric_limits<T>::quiet_NaN());
    else if constexpr (std::is_integral_v<T>)
        out.insert(out.end(), count, std::numeric_limits<T>::min());
    else
        out.resize(out.size() + count);
}

}  // namespace

ColumnChunk read_column(const PieceFields& fields, std::size_t column, CellMode mode, const CellReading& reading) {
    const ColumnView cells(fields, column);
    if (mode == CellMode::text) return read_texts(cells, reading);
    if (mode == CellMode::infer || mode == CellMode::number) {
        auto numbers = read_numbers(cells, reading, mode == CellMode::number);
        if (numbers) return std::move(*numbers);
    }
    return read_codes(cells, reading);
}

bool fits(const ColumnChunk& chunk, data::ColumnType type) {
    if (chunk.kind == ChunkKind::missing) return true;
    if (type == data::ColumnType::text) return chunk.kind == ChunkKind::texts;
    return chunk.kind == (type == data::ColumnType::category ? ChunkKind::codes : ChunkKind::numbers);
}

void append_cells(data::ColumnValues& out, data::ColumnType type, const ColumnChunk& chunk,
                  const std::vector<data::CategoryCode>& code_of) {
    REGROVE_CHECK(fits(chunk, type));
    const std::size_t rows = data::row_count(chunk.values);
    if (type == data::ColumnType::category) {
        auto& codes = std::get<std::vector<std::int32_t>>(out);
        if (chunk.kind == ChunkKind::missing) {
            codes.insert(codes.end(), rows, data::k_missing_category);
            return;
        }
        for (const std::int32_t code : std::get<std::vector<std::int32_t>>(chunk.values))
            codes.push_back(code < 0 ? data::k_missing_category : code_of[static_cast<std::size_t>(code)]);
        return;
    }
    std::visit(
        [&](auto& to) {
            using To = typename std::decay_t<decltype(to)>::value_type;
            if (chunk.kind == ChunkKind::missing) {
                append_missing(to, rows);
            } else if constexpr (std::is_same_v<To, std::string>) {
                const auto& from = std::get<std::vector<std::string>>(chunk.values);
                to.insert(to.end(), from.begin(), from.end());
            } else {
                append_numbers(to, chunk.values);
            }
        },
        out);
}

std::uint64_t memory_bytes(const ColumnChunk& chunk) {
    std::uint64_t bytes = sizeof chunk;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&chunk.values))
        for (const std::string& text : *texts) bytes += sizeof text + (text.size() > 15 ? text.size() : 0);
    else
        std::visit([&bytes](const auto& cells) { bytes += cells.size() * sizeof cells[0]; }, chunk.values);
    for (const std::string& name : chunk.names) bytes += sizeof name + name.size();
    return bytes;
}

}  // namespace regrove::ingest
