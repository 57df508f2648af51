// The mergeable facts of LibSVM text: scanning, merging, packing.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "regrove/core/check.hpp"
#include "regrove/ingest/libsvm.hpp"
#include "regrove/ingest/libsvm_row.hpp"
#include "regrove/ingest/text_lines.hpp"

namespace regrove::ingest {
namespace {

bool is_int32(double value) {
    return value == std::trunc(value) && value > static_cast<double>(data::k_missing_int32) &&
           value <= static_cast<double>(std::numeric_limits<std::int32_t>::max());
}

void set_bit(std::vector<std::uint64_t>& bits, std::uint64_t i) {
    if (i / 64 >= bits.size()) bits.resize(i / 64 + 1, 0);
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

void add_label(LibsvmLabels& labels, double label, bool first) {
    labels.whole_numbers = labels.whole_numbers && is_int32(label);
    labels.low = first ? label : std::min(labels.low, label);
    labels.high = first ? label : std::max(labels.high, label);
    const auto place = std::ranges::lower_bound(labels.distinct, label);
    if (place != labels.distinct.end() && *place == label) return;
    if (place == labels.distinct.end() && labels.distinct.size() == LibsvmLabels::k_max_distinct) return;
    labels.distinct.insert(place, label);
    if (labels.distinct.size() > LibsvmLabels::k_max_distinct) labels.distinct.pop_back();
}

void add_row(LibsvmSummary& summary, const LibsvmRow& row, std::uint64_t max_columns) {
    add_label(summary.labels, row.label, summary.rows == 0);
    ++summary.rows;
    summary.entries += row.entries.size();
    auto& first_line = row.group ? summary.first_line_with_group : summary.first_line_without_group;
    if (!first_line) first_line = summary.lines;
    for (const LibsvmEntry& entry : row.entries) {
        summary.low_index = std::min(summary.low_index.value_or(entry.index), entry.index);
        summary.high_index = std::max(summary.high_index, entry.index);
        if (!entry.fits_float32 && entry.index <= max_columns) set_bit(summary.needs_float64, entry.index);
    }
}

LibsvmLabels merge_labels(const LibsvmLabels& a, const LibsvmLabels& b) {
    LibsvmLabels merged;
    merged.whole_numbers = a.whole_numbers && b.whole_numbers;
    merged.low = std::min(a.low, b.low);
    merged.high = std::max(a.high, b.high);
    std::ranges::set_union(a.distinct, b.distinct, std::back_inserter(merged.distinct));
    merged.distinct.resize(std::min(merged.distinct.size(), LibsvmLabels::k_max_distinct));
    return merged;
}

std::optional<std::uint64_t> earlier(const std::optional<std::uint64_t>& left,
                                     const std::optional<std::uint64_t>& right, std::uint64_t lines_left) {
    if (left) return left;
    if (right) return *right + lines_left;
    return std::nullopt;
}

/// Appends plain values to a string of bytes; ranks share one byte order.
class Packer {
  public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    template <class T>
    void put_all(const std::vector<T>& values) {
        put<std::uint64_t>(values.size());
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    void put_text(const std::string& text) {
        put<std::uint64_t>(text.size());
        bytes_ += text;
    }
    void put_optional(const std::optional<std::uint64_t>& value) {
        put<std::uint8_t>(value.has_value() ? 1 : 0);
        put<std::uint64_t>(value.value_or(0));
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
    template <class T>
    requires std::is_trivially_copyable_v<T> T get() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    template <class T>
    std::vector<T> get_all() {
        const auto count = get<std::uint64_t>();
        REGROVE_CHECK(count <= bytes_.size() / sizeof(T));
        std::vector<T> values(count);
        const std::string_view raw = take(count * sizeof(T));
        if (count > 0) std::memcpy(values.data(), raw.data(), raw.size());
        return values;
    }
    std::string get_text() {
        const auto size = get<std::uint64_t>();
        return std::string(take(size));
    }
    std::optional<std::uint64_t> get_optional() {
        const bool has = get<std::uint8_t>() != 0;
        const auto value = get<std::uint64_t>();
        return has ? std::optional(value) : std::nullopt;
    }
    bool done() const { return bytes_.empty(); }

  private:
    std::string_view take(std::size_t size) {
        REGROVE_CHECK(size <= bytes_.size());
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }
    std::string_view bytes_;
};

}  // namespace

LibsvmSummary scan_libsvm(std::string_view text, const LibsvmOptions& options) {
    LibsvmLineReader reader({.missing = options.missing,
                             .lowest_index = options.index_base == IndexBase::one ? 1U : 0U,
                             .as_float32 = options.width == NumberWidth::float32});
    LibsvmSummary summary;
    LibsvmRow row;
    LibsvmBadRow problem;
    TextLines lines(text);
    for (std::string_view line; lines.next(line); ++summary.lines) {
        const LibsvmLine kind = reader.read(line, row, problem);
        if (kind == LibsvmLine::row) add_row(summary, row, options.max_columns);
        if (kind != LibsvmLine::bad) continue;
        ++summary.bad_rows;
        if (summary.first_bad_row) continue;
        summary.first_bad_row = problem;
        summary.first_bad_row->line = summary.lines;
    }
    return summary;
}

LibsvmSummary merge(const LibsvmSummary& left, const LibsvmSummary& right) {
    LibsvmSummary merged = left;
    merged.lines += right.lines;
    merged.rows += right.rows;
    merged.entries += right.entries;
    merged.bad_rows += right.bad_rows;
    if (!left.first_bad_row && right.first_bad_row) {
        merged.first_bad_row = right.first_bad_row;
        merged.first_bad_row->line += left.lines;
    }
    if (right.low_index) merged.low_index = std::min(left.low_index.value_or(*right.low_index), *right.low_index);
    merged.high_index = std::max(left.high_index, right.high_index);
    merged.first_line_with_group = earlier(left.first_line_with_group, right.first_line_with_group, left.lines);
    merged.first_line_without_group =
        earlier(left.first_line_without_group, right.first_line_without_group, left.lines);
    if (left.rows == 0) merged.labels = right.labels;
    if (left.rows > 0 && right.rows > 0) merged.labels = merge_labels(left.labels, right.labels);
    merged.needs_float64.resize(std::max(left.needs_float64.size(), right.needs_float64.size()), 0);
    for (std::size_t i = 0; i < right.needs_float64.size(); ++i) merged.needs_float64[i] |= right.needs_float64[i];
    return merged;
}

LibsvmSummary merge_files(const LibsvmSummary& left, const LibsvmSummary& right) {
    LibsvmSummary merged = merge(left, right);
    merged.first_bad_row.reset();
    if (merged.first_line_with_group) merged.first_line_with_group = 0;
    if (merged.first_line_without_group) merged.first_line_without_group = 0;
    return merged;
}

std::string pack(const LibsvmSummary& summary) {
    Packer packer;
    for (const auto value : {summary.lines, summary.rows, summary.entries, summary.bad_rows, summary.high_index}) {
        packer.put(value);
    }
    packer.put_optional(summary.low_index);
    packer.put_optional(summary.first_line_with_group);
    packer.put_optional(summary.first_line_without_group);
    const LibsvmBadRow bad = summary.first_bad_row.value_or(LibsvmBadRow{});
    packer.put<std::uint8_t>(summary.first_bad_row ? 1 : 0);
    packer.put(bad.line);
    packer.put(bad.column);
    packer.put_text(bad.message);
    packer.put_text(bad.text);
    packer.put<std::uint8_t>(summary.labels.whole_numbers ? 1 : 0);
    packer.put(summary.labels.low);
    packer.put(summary.labels.high);
    packer.put_all(summary.labels.distinct);
    packer.put_all(summary.needs_float64);
    return packer.take();
}

LibsvmSummary unpack_libsvm_summary(std::string_view bytes) {
    Unpacker unpacker(bytes);
    LibsvmSummary summary;
    for (auto* value : {&summary.lines, &summary.rows, &summary.entries, &summary.bad_rows, &summary.high_index}) {
        *value = unpacker.get<std::uint64_t>();
    }
    summary.low_index = unpacker.get_optional();
    summary.first_line_with_group = unpacker.get_optional();
    summary.first_line_without_group = unpacker.get_optional();
    const bool has_bad = unpacker.get<std::uint8_t>() != 0;
    LibsvmBadRow bad;
    bad.line = unpacker.get<std::uint64_t>();
    bad.column = unpacker.get<std::uint64_t>();
    bad.message = unpacker.get_text();
    bad.text = unpacker.get_text();
    if (has_bad) summary.first_bad_row = std::move(bad);
    summary.labels.whole_numbers = unpacker.get<std::uint8_t>() != 0;
    summary.labels.low = unpacker.get<double>();
    summary.labels.high = unpacker.get<double>();
    summary.labels.distinct = unpacker.get_all<double>();
    summary.needs_float64 = unpacker.get_all<std::uint64_t>();
    REGROVE_CHECK(unpacker.done());
    return summary;
}

}  // namespace regrove::ingest
