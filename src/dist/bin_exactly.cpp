// A bin for every distinct value, from the sorted columns of a table that one rank holds whole.
#include <algorithm>

#include "regrove/binning/bin_codes.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/bin_table.hpp"
#include "regrove/train/column_order.hpp"

namespace regrove::dist {

namespace {

using binning::BinnedTable;
using binning::Bins;
using binning::Codes;

/// Calls act(cells, order) for a column of numbers.
template <class Act>
void with_order(const data::ColumnValues& values, Act act) {
    std::visit(
        [&](const auto& cells) {
            if constexpr (std::is_arithmetic_v<typename std::decay_t<decltype(cells)>::value_type>) {
                act(cells, train::order_column(cells).entries);
            }
        },
        values);
}

bool takes_part(const TrainingSet& set, std::uint32_t row) { return set.left_out.empty() || !set.left_out[row]; }

/// The distinct keys of the rows that take part, ascending.
template <class Entries>
auto keys_of(const TrainingSet& set, const Entries& entries) {
    std::vector<decltype(entries[0].key + 0)> keys;
    for (const auto& entry : entries) {
        if (takes_part(set, entry.row) && (keys.empty() || keys.back() != entry.key)) keys.push_back(entry.key);
    }
    return keys;
}

/// Entries and bins both ascend: one walk through both. Rows left out may lie between bins or beyond the last.
template <class Entries, class Keys>
Codes codes_of(const Entries& entries, const Keys& keys, std::size_t rows) {
    Codes codes = binning::make_codes(static_cast<std::uint32_t>(keys.size()), rows);
    if (keys.empty()) return codes;
    std::visit(
        [&](auto& own) {
            using Code = typename std::decay_t<decltype(own)>::value_type;
            std::size_t bin = 0;
            for (const auto& entry : entries) {
                while (bin + 1 < keys.size() && keys[bin] < entry.key) ++bin;
                own[entry.row] = static_cast<Code>(bin);
            }
        },
        codes);
    return codes;
}

void bin_numbers(const TrainingSet& set, std::size_t feature, BinnedTable& table) {
    with_order(set.columns[feature], [&](const auto& cells, const auto& entries) {
        using Cell = typename std::decay_t<decltype(cells)>::value_type;
        const auto keys = keys_of(set, entries);
        Bins& bins = table.bins[feature];
        bins.count = static_cast<std::uint32_t>(keys.size());
        bins.high.reserve(keys.size());
        for (const auto key : keys) bins.high.push_back(static_cast<double>(data::value_of_key(key, Cell{})));
        bins.low = bins.high;
        table.codes[feature] = codes_of(entries, keys, set.rows());
    });
}

}  // namespace

BinnedTable bin_exactly(const TrainingSet& set) {
    BinnedTable table;
    table.rows = set.rows();
    table.bins.resize(set.features.size());
    table.codes.resize(set.features.size());
    parallel_for(set.features.size(), [&](std::size_t f) {
        if (set.features[f].kind != model::FeatureKind::category) {
            bin_numbers(set, f, table);
            return;
        }
        table.bins[f].category = true;
        table.bins[f].count = static_cast<std::uint32_t>(set.features[f].categories.size());
        table.codes[f] =
            binning::encode_categories(std::get<std::vector<std::int32_t>>(set.columns[f]), table.bins[f].count);
    });
    return table;
}

}  // namespace regrove::dist
