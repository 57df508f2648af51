#include "regrove/dist/bin_table.hpp"

#include <algorithm>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/dist/bin_boundaries.hpp"
#include "regrove/dist/bin_encoding.hpp"

namespace regrove::dist {

namespace {

using binning::BinnedTable;

void bin_batch(comm::Communicator& comm, const TrainingSet& set, std::span<const std::size_t> features,
               std::uint32_t max_bin, BinnedTable& table) {
    const auto boundaries = find_boundaries(comm, set, features, max_bin);
    auto lowest = comm::agree_on(comm, [&] {
        auto own = no_lowest(boundaries);
        encode_numbers(set, boundaries, table.codes, own);
        return own;
    });
    merge_lowest(comm, boundaries, lowest);
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
        const std::size_t f = boundaries[i].feature;
        table.bins[f] = make_bins(set.columns[f], boundaries[i], lowest[i]);
    }
}

}  // namespace

BinnedTable bin_categories(const TrainingSet& set) {
    BinnedTable table;
    table.rows = set.rows();
    table.bins.resize(set.features.size());
    table.codes.resize(set.features.size());
    encode_categories(set, set.features, table.codes);
    for (std::size_t f = 0; f < set.features.size(); ++f) {
        if (is_category(set.features[f])) table.bins[f] = category_bins(set.features[f]);
    }
    return table;
}

BinnedTable bin_table(comm::Communicator& comm, const TrainingSet& set, std::uint32_t max_bin) {
    REGROVE_CHECK(max_bin >= 2);
    BinnedTable table;
    std::vector<std::size_t> numeric;
    comm::agree_on(comm, [&] {
        table = bin_categories(set);
        for (std::size_t f = 0; f < set.features.size(); ++f) {
            if (!is_category(set.features[f])) numeric.push_back(f);
        }
    });
    const std::size_t batch = features_a_batch(max_bin, comm.size());
    for (std::size_t begin = 0; begin < numeric.size(); begin += batch) {
        const std::size_t count = std::min(batch, numeric.size() - begin);
        bin_batch(comm, set, std::span<const std::size_t>(numeric).subspan(begin, count), max_bin, table);
    }
    return table;
}

}  // namespace regrove::dist
