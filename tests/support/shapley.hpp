// Shapley values of any game of a few players by their definition: sums over all subsets.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

namespace regrove::test {

/// `worth`: of a set of players, one bit each.
inline std::vector<double> shapley_values(unsigned players, const std::function<double(std::uint32_t)>& worth) {
    std::vector<double> worths(std::size_t{1} << players);
    for (std::uint32_t set = 0; set < worths.size(); ++set) worths[set] = worth(set);
    std::vector<long double> chance(players);  // of one set of each size before a player: s! (n - 1 - s)! / n!
    for (unsigned size = 0; size < players; ++size) {
        chance[size] = 1.0L / players;
        for (unsigned i = 1; i <= size; ++i) chance[size] *= static_cast<long double>(i) / (players - i);
    }
    std::vector<double> values;
    for (unsigned player = 0; player < players; ++player) {
        long double sum = 0;
        for (std::uint32_t set = 0; set < worths.size(); ++set)
            if ((set >> player & 1U) == 0)
                sum += chance[static_cast<unsigned>(std::popcount(set))] *
                       (static_cast<long double>(worths[set | std::uint32_t{1} << player]) - worths[set]);
        values.push_back(static_cast<double>(sum));
    }
    return values;
}

}  // namespace regrove::test
