// The place of many keys in one short sorted list, without a branch that a processor could guess wrong.
#pragma once

#include <cstdint>
#include <span>

namespace regrove::binning {

/// places[i] = how many elements of `sorted` (ascending) are smaller than keys[i]; places is as long as keys.
/// ceil(log2) + 1 comparisons a key.
void count_smaller(std::span<const std::uint64_t> sorted, std::span<const std::uint64_t> keys,
                   std::span<std::uint32_t> places);

}  // namespace regrove::binning
