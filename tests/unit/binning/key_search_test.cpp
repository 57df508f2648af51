#include "regrove/binning/key_search.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace regrove::binning {
namespace {

void check(const std::vector<std::uint64_t>& sorted, const std::vector<std::uint64_t>& keys) {
    std::vector<std::uint32_t> places(keys.size(), 99999);
    KeySearch(sorted).count_smaller(keys, places);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(places[i], std::lower_bound(sorted.begin(), sorted.end(), keys[i]) - sorted.begin())
            << keys[i] << " among " << sorted.size();
    }
}

TEST(KeySearch, EqualsLowerBoundForEveryLength) {
    for (std::size_t length = 0; length <= 70; ++length) {
        std::vector<std::uint64_t> sorted;
        for (std::size_t i = 0; i < length; ++i) sorted.push_back(3 * i + 2);
        std::vector<std::uint64_t> keys;
        // More than a whole number of lanes, so that the rest is searched, too.
        for (std::uint64_t key = 0; key < 3 * length + 7; ++key) keys.push_back(key);
        keys.push_back(~std::uint64_t{0});
        check(sorted, keys);
    }
}

TEST(KeySearch, FindsPlacesInCrowdedAndEmptyCells) {
    const std::uint64_t largest = ~std::uint64_t{0};
    std::vector<std::uint64_t> sorted{0, 5};
    for (std::uint64_t i = 0; i < 3000; ++i) sorted.push_back((std::uint64_t{1} << 50U) + i * i);
    for (std::uint64_t i = 0; i < 200; ++i) sorted.push_back((std::uint64_t{1} << 63U) + (i << 54U));
    sorted.push_back(largest - 1);
    sorted.push_back(largest);
    std::vector<std::uint64_t> keys;
    for (const auto key : sorted) {
        for (const std::uint64_t step : {0U, 1U}) {
            keys.push_back(key - step);
            keys.push_back(key + step);
        }
    }
    check(sorted, keys);
    check({7}, {0, 6, 7, 8, largest});
    check({7, 7, 7, 9}, {0, 7, 8, 9, 10});
    check({largest}, {0, largest});
}

}  // namespace
}  // namespace regrove::binning
