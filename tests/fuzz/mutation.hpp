// Seeded mutations of a text: the same for the same (seed, index) everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::fuzz {

/// One to four changes: bytes flipped, removed, repeated or swapped, words put in, the end cut off.
std::string mutate(std::string_view original, const std::vector<std::string>& words, std::uint64_t seed,
                   std::uint64_t index);

}  // namespace regrove::fuzz
