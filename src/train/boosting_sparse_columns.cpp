// Shares of features, and one column's bins.
#include "regrove/train/boosting_sparse_columns.hpp"

#include <algorithm>
#include <numeric>

namespace regrove::train {

int SparseColumns::owner(std::uint32_t feature) const {
    const auto after = std::upper_bound(owner_begins.begin(), owner_begins.end(), feature);
    return static_cast<int>(after - owner_begins.begin()) - 1;
}

binning::Bins SparseColumns::bins(std::uint32_t column) const {
    const auto part = [&](const std::vector<double>& of_all) {
        return std::vector<double>(of_all.begin() + static_cast<std::ptrdiff_t>(bin_begins[column]),
                                   of_all.begin() + static_cast<std::ptrdiff_t>(bin_begins[column + 1]));
    };
    return {false, bin_count(column), part(low), part(high)};
}

std::vector<std::uint32_t> share_features(std::span<const std::uint64_t> entries, int ranks) {
    const std::uint64_t all = std::accumulate(entries.begin(), entries.end(), std::uint64_t{entries.size()});
    const auto parts = static_cast<std::uint64_t>(ranks);
    std::vector<std::uint32_t> begins{0};
    std::uint64_t before = 0;
    for (std::uint32_t f = 0; f < entries.size(); ++f) {
        while (begins.size() < parts && before >= all * begins.size() / parts) begins.push_back(f);
        before += entries[f] + 1;
    }
    begins.resize(parts + 1, static_cast<std::uint32_t>(entries.size()));
    return begins;
}

}  // namespace regrove::train
