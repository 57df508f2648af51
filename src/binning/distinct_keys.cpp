#include "regrove/binning/distinct_keys.hpp"

#include <algorithm>
#include <bit>

namespace regrove::binning {

namespace {

/// A set of keys by open addressing; k_no_key marks a free place. At most an eighth full, so that a key is nearly always
/// found at the first look.
class KeySet {
  public:
    explicit KeySet(std::size_t most_keys)
        : places_(std::bit_ceil(8 * std::max<std::size_t>(most_keys, 8)), k_no_key),
          shift_(64 - static_cast<unsigned>(std::countr_zero(places_.size()))) {}

    std::size_t size() const { return size_; }
    void insert(std::uint64_t key) {
        // 2^64 divided by the golden ratio spreads neighbouring keys (Knuth, TAOCP 6.4).
        std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> shift_);
        while (places_[at] != key) {
            if (places_[at] == k_no_key) {
                places_[at] = key;
                ++size_;
                return;
            }
            at = (at + 1) & (places_.size() - 1);
        }
    }
    std::vector<std::uint64_t> ascending() const {
        std::vector<std::uint64_t> keys;
        keys.reserve(size_);
        std::copy_if(places_.begin(), places_.end(), std::back_inserter(keys),
                     [](auto key) { return key != k_no_key; });
        std::sort(keys.begin(), keys.end());
        return keys;
    }

  private:
    std::vector<std::uint64_t> places_;
    unsigned shift_;
    std::size_t size_ = 0;
};

}  // namespace

std::vector<std::uint64_t> distinct_keys(const KeyColumn& column, RowRange rows, std::size_t limit) {
    KeySet found(std::min(limit + 1, rows.end - rows.begin));
    visit_keys(column, rows, [&](std::span<const std::uint64_t> keys) {
        for (const auto key : keys) {
            found.insert(key);
            if (found.size() > limit) return false;
        }
        return true;
    });
    return found.ascending();
}

void make_distinct(std::vector<std::uint64_t>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

}  // namespace regrove::binning
