#include "regrove/dist/node_search.hpp"

#include <algorithm>

#include "regrove/core/parallel.hpp"

namespace regrove::dist {

std::vector<std::uint32_t> slots_of_rows(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) {
    std::uint32_t most = 0;
    for (const auto id : nodes.ids) most = std::max(most, id);
    std::vector<std::uint32_t> slot_of_node(std::size_t{most} + 1, k_no_slot);
    for (std::uint32_t slot = 0; slot < nodes.slots(); ++slot) slot_of_node[nodes.ids[slot]] = slot;
    std::vector<std::uint32_t> slot_of_row(node_of_row.size());
    parallel_for_blocks(node_of_row.size(), 1U << 16U, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const std::uint32_t node = node_of_row[row];
            slot_of_row[row] = node <= most ? slot_of_node[node] : k_no_slot;
        }
    });
    return slot_of_row;
}

}  // namespace regrove::dist
