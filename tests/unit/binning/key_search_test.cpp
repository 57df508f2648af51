#include "regrove/binning/key_search.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace regrove::binning {
namespace {

TEST(CountSmaller, EqualsLowerBoundForEveryLength) {
    for (std::size_t length = 0; length <= 70; ++length) {
        std::vector<std::uint64_t> sorted;
        for (std::size_t i = 0; i < length; ++i) sorted.push_back(3 * i + 2);
        std::vector<std::uint64_t> keys;
        // More than a whole number of lanes, so that the rest is searched, too.
        for (std::uint64_t key = 0; key < 3 * length + 7; ++key) keys.push_back(key);
        keys.push_back(~std::uint64_t{0});
        std::vector<std::uint32_t> places(keys.size(), 99999);
        count_smaller(sorted, keys, places);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            EXPECT_EQ(places[i], std::lower_bound(sorted.begin(), sorted.end(), keys[i]) - sorted.begin())
                << keys[i] << " among " << length;
        }
    }
}

}  // namespace
}  // namespace regrove::binning
