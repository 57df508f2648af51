// Histograms cut into shares of ranks.
#include "regrove/train/boosting_exchange.hpp"

#include <algorithm>

namespace regrove::train {

OwnedPositions::OwnedPositions(const HistogramLayout& layout, int ranks) {
    const auto parts = static_cast<std::uint64_t>(ranks);
    for (std::uint64_t r = 0; r <= parts; ++r) {
        const auto place =
            std::lower_bound(layout.first_word.begin(), layout.first_word.end(), layout.words() * r / parts);
        begins.push_back(static_cast<std::uint32_t>(place - layout.first_word.begin()));
    }
}

int OwnedPositions::owner(std::uint32_t position) const {
    const auto after = std::upper_bound(begins.begin(), begins.end(), position);
    return static_cast<int>(after - begins.begin()) - 1;
}

}  // namespace regrove::train
