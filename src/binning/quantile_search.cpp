#include "regrove/binning/quantile_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "regrove/binning/key_search.hpp"
#include "regrove/core/check.hpp"

namespace regrove::binning {

std::size_t QuantileSizes::table_bound(std::uint32_t max_bin) const {
    const std::size_t first = std::size_t{1} << first_digit_bits;
    const std::size_t later = std::min(std::size_t{max_bin} << digit_bits, most_counts);
    // A digit has at least one bit.
    return std::max({first, later, std::size_t{max_bin} * 2});
}

QuantileSearch::QuantileSearch(unsigned key_bits, std::uint32_t max_bin, std::uint64_t row_bound,
                               const QuantileSizes& sizes)
    : sizes_(sizes), max_bin_(max_bin), key_bits_(key_bits), prefixes_{0}, below_{0}, rows_left_(row_bound) {
    REGROVE_CHECK(max_bin >= 1 && sizes.first_digit_bits <= key_bits);
    choose_digit();
}

bool QuantileSearch::wants_keys() const {
    return sizes_.collect_factor != 0 && rows_left_ <= table_size() / sizes_.collect_factor;
}

/// Calls take(stretch, key, inside) for every key; `inside` is whether it is in that stretch at all.
template <class Take>
void QuantileSearch::visit_stretches(const KeyColumn& column, RowRange rows, Take take) const {
    // Without the last one, places are stretches: what is beyond the others can only be in the last.
    const KeySearch all_but_last({prefixes_.data(), prefixes_.size() - 1});
    std::array<std::uint64_t, k_block_rows> prefixes;
    std::array<std::uint32_t, k_block_rows> stretches;
    visit_keys(column, rows, [&](std::span<const std::uint64_t> keys) {
        for (std::size_t i = 0; i < keys.size(); ++i) prefixes[i] = prefix_of(keys[i]);
        all_but_last.count_smaller(std::span(prefixes).first(keys.size()), std::span(stretches));
        for (std::size_t i = 0; i < keys.size(); ++i) {
            take(stretches[i], keys[i], prefixes_[stretches[i]] == prefixes[i]);
        }
        return true;
    });
}

void QuantileSearch::count(const KeyColumn& column, RowRange rows, std::span<std::uint64_t> table) const {
    REGROVE_CHECK(!done_ && table.size() == table_size());
    const unsigned shift = key_bits_ - prefix_bits_ - digit_bits_;
    const std::uint64_t mask = (std::uint64_t{1} << digit_bits_) - 1;
    visit_stretches(column, rows, [&](std::uint32_t stretch, std::uint64_t key, bool inside) {
        const std::size_t digit = (key >> shift) & mask;
        table[(std::size_t{stretch} << digit_bits_) + digit] += inside ? 1 : 0;
    });
}

std::vector<std::uint64_t> QuantileSearch::collect(const KeyColumn& column, RowRange rows) const {
    REGROVE_CHECK(!done_);
    std::vector<std::uint64_t> keys;
    visit_stretches(column, rows, [&](std::uint32_t, std::uint64_t key, bool inside) {
        if (inside) keys.push_back(key);
    });
    return keys;
}

void QuantileSearch::want_places(std::uint64_t rows) {
    if (prefix_bits_ != 0 || rows == 0) return;
    for (std::uint64_t j = 1; j <= max_bin_; ++j) {
        // ceil(j * rows / max_bin) without the product, which may pass 64 bits.
        const std::uint64_t whole = rows / max_bin_ * j;
        const std::uint64_t place = whole + (rows % max_bin_ * j + max_bin_ - 1) / max_bin_;
        if (places_.empty() || places_.back() != place) places_.push_back(place);
    }
}

void QuantileSearch::choose_digit() {
    const unsigned bits_left = key_bits_ - prefix_bits_;
    digit_bits_ = std::min(prefix_bits_ == 0 ? sizes_.first_digit_bits : sizes_.digit_bits, bits_left);
    if (prefix_bits_ == 0) return;
    while (digit_bits_ > 1 && table_size() > sizes_.most_counts) --digit_bits_;
}

void QuantileSearch::advance(std::span<const std::uint64_t> table) {
    REGROVE_CHECK(!done_ && table.size() == table_size());
    want_places(std::accumulate(table.begin(), table.end(), std::uint64_t{0}));
    std::vector<std::uint64_t> prefixes;
    std::vector<std::uint64_t> below;
    rows_left_ = 0;
    auto place = places_.begin();
    for (std::size_t stretch = 0; stretch < prefixes_.size(); ++stretch) {
        std::uint64_t before = below_[stretch];
        for (std::size_t digit = 0; digit < (std::size_t{1} << digit_bits_); ++digit) {
            const std::uint64_t rows = table[(stretch << digit_bits_) + digit];
            const auto next = std::find_if(place, places_.end(), [&](auto p) { return p > before + rows; });
            if (next != place) {
                prefixes.push_back((prefixes_[stretch] << digit_bits_) | digit);
                below.push_back(before);
                rows_left_ += rows;
                place = next;
            }
            before += rows;
        }
    }
    REGROVE_CHECK(place == places_.end());
    prefixes_.swap(prefixes);
    below_.swap(below);
    prefix_bits_ += digit_bits_;
    done_ = prefix_bits_ == key_bits_ || prefixes_.empty();
    choose_digit();
}

void QuantileSearch::advance_by_keys(std::vector<std::uint64_t> keys) {
    REGROVE_CHECK(!done_);
    want_places(keys.size());
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint64_t> boundaries;
    auto place = places_.begin();
    auto key = keys.begin();
    for (std::size_t stretch = 0; stretch < prefixes_.size(); ++stretch) {
        const auto end =
            std::find_if(key, keys.end(), [&](std::uint64_t k) { return prefix_of(k) != prefixes_[stretch]; });
        const std::uint64_t last = below_[stretch] + static_cast<std::uint64_t>(end - key);
        for (; place != places_.end() && *place <= last; ++place) {
            const std::uint64_t boundary = key[static_cast<std::ptrdiff_t>(*place - below_[stretch] - 1)];
            if (boundaries.empty() || boundaries.back() != boundary) boundaries.push_back(boundary);
        }
        key = end;
    }
    REGROVE_CHECK(place == places_.end() && key == keys.end());
    prefixes_.swap(boundaries);
    done_ = true;
}

}  // namespace regrove::binning
