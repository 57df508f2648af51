// Sorted present values, among which zero stands once with the number of absent rows.
#include "regrove/binning/sparse_bins.hpp"

#include <algorithm>
#include <cmath>

namespace regrove::binning {

namespace {

struct Value {
    double value = 0;
    std::uint64_t rows = 0;
};

/// The distinct values of rows that take part, ascending, -0 as 0.
std::vector<Value> distinct_values(const SparseColumn& column) {
    std::vector<double> sorted;
    for (std::size_t i = 0; i < column.values.size(); ++i) {
        const bool left_out = !column.left_out.empty() && column.left_out[i] != 0;
        if (!left_out && !std::isnan(column.values[i])) sorted.push_back(column.values[i] + 0.0);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<Value> distinct;
    for (const double value : sorted) {
        if (distinct.empty() || distinct.back().value != value) distinct.push_back({value, 0});
        ++distinct.back().rows;
    }
    if (column.absent_is_missing || column.absent_rows == 0) return distinct;
    const auto zero = std::find_if(distinct.begin(), distinct.end(), [](const Value& v) { return v.value >= 0; });
    if (zero != distinct.end() && zero->value == 0) {
        zero->rows += column.absent_rows;
    } else {
        distinct.insert(zero, {0, column.absent_rows});
    }
    return distinct;
}

/// ceil(j * rows / parts) without the product, which may pass 64 bits.
std::uint64_t place_of(std::uint64_t j, std::uint64_t rows, std::uint64_t parts) {
    return rows / parts * j + (rows % parts * j + parts - 1) / parts;
}

/// Each bin ends at the value that one or several of the places have.
Bins quantile_bins(const std::vector<Value>& distinct, std::uint32_t max_bin) {
    std::uint64_t rows = 0;
    for (const Value& value : distinct) rows += value.rows;
    Bins bins;
    std::uint64_t j = 1;
    std::uint64_t before = 0;
    bool opens = true;
    for (const Value& value : distinct) {
        if (opens) bins.low.push_back(value.value);
        before += value.rows;
        opens = j <= max_bin && place_of(j, rows, max_bin) <= before;
        if (!opens) continue;
        bins.high.push_back(value.value);
        while (j <= max_bin && place_of(j, rows, max_bin) <= before) ++j;
    }
    bins.count = static_cast<std::uint32_t>(bins.high.size());
    return bins;
}

Bins exact_bins(const std::vector<Value>& distinct) {
    Bins bins;
    for (const Value& value : distinct) bins.high.push_back(value.value);
    bins.low = bins.high;
    bins.count = static_cast<std::uint32_t>(bins.high.size());
    return bins;
}

std::uint32_t code_of(const Bins& bins, double value) {
    if (std::isnan(value) || bins.count == 0) return bins.missing_code();
    const auto place = std::lower_bound(bins.high.begin(), bins.high.end() - 1, value);
    return static_cast<std::uint32_t>(place - bins.high.begin());
}

}  // namespace

SparseColumnBins bin_sparse_column(const SparseColumn& column, std::uint32_t max_bin) {
    const std::vector<Value> distinct = distinct_values(column);
    SparseColumnBins binned;
    binned.bins = distinct.size() <= max_bin ? exact_bins(distinct) : quantile_bins(distinct, max_bin);
    binned.absent_bin = column.absent_is_missing ? binned.bins.missing_code() : code_of(binned.bins, 0);
    binned.codes.reserve(column.values.size());
    for (const double value : column.values) binned.codes.push_back(code_of(binned.bins, value));
    return binned;
}

}  // namespace regrove::binning
