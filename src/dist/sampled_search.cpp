#include "regrove/dist/sampled_search.hpp"

#include <utility>

namespace regrove::dist {

std::vector<FoundSplit> SampledSearch::search(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) {
    const AllowedFeatures drawn{drawn_features(nodes, features_, draws_.features_a_node), false};
    auto found = exact_.search_among(nodes, node_of_row, &drawn);
    // Nodes where nothing drawn gains look at the other features, one after the other.
    const std::size_t width = nodes.slots() == 0 ? 0 : nodes.totals.size() / nodes.slots();
    OpenNodes again;
    AllowedFeatures others{{}, true};
    std::vector<std::size_t> places;
    for (std::size_t slot = 0; slot < nodes.slots(); ++slot) {
        if (found[slot].gains || drawn.features[slot].size() == features_) continue;
        again.ids.push_back(nodes.ids[slot]);
        const auto begin = nodes.totals.begin() + static_cast<std::ptrdiff_t>(slot * width);
        again.totals.insert(again.totals.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
        others.features.push_back(nodes.random[slot].order_of_others(features_, draws_.features_a_node));
        places.push_back(slot);
    }
    if (places.empty()) return found;
    auto second = exact_.search_among(again, node_of_row, &others);
    for (std::size_t i = 0; i < places.size(); ++i) found[places[i]] = std::move(second[i]);
    return found;
}

}  // namespace regrove::dist
