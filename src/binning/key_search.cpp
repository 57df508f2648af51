#include "regrove/binning/key_search.hpp"

#include <array>

namespace regrove::binning {

namespace {

/// Searches that go on side by side, so that one's wait for memory is filled by the others.
constexpr std::size_t k_lanes = 16;

template <std::size_t Lanes>
void search(std::span<const std::uint64_t> sorted, const std::uint64_t* keys, std::uint32_t* places) {
    std::array<std::size_t, Lanes> at{};
    std::size_t length = sorted.size();
    while (length > 1) {
        const std::size_t half = length / 2;
        for (std::size_t lane = 0; lane < Lanes; ++lane) {
            at[lane] += half * static_cast<std::size_t>(sorted[at[lane] + half - 1] < keys[lane]);
        }
        length -= half;
    }
    for (std::size_t lane = 0; lane < Lanes; ++lane) {
        places[lane] = static_cast<std::uint32_t>(at[lane] + (sorted[at[lane]] < keys[lane] ? 1 : 0));
    }
}

}  // namespace

void count_smaller(std::span<const std::uint64_t> sorted, std::span<const std::uint64_t> keys,
                   std::span<std::uint32_t> places) {
    if (sorted.empty()) {
        for (auto& place : places) place = 0;
        return;
    }
    std::size_t i = 0;
    for (; i + k_lanes <= keys.size(); i += k_lanes) search<k_lanes>(sorted, &keys[i], &places[i]);
    for (; i < keys.size(); ++i) search<1>(sorted, &keys[i], &places[i]);
}

}  // namespace regrove::binning
