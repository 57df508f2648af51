// Rows are counted and sent by the owner of their place.
#include "regrove/dist/placed_rows.hpp"

#include <numeric>
#include <utility>

namespace regrove::dist {

PlacedRows::PlacedRows(comm::Communicator& comm, const KeyedPermutation& order, std::uint64_t first_row,
                       std::size_t rows) {
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    const std::uint64_t stretch = (order.size() + ranks - 1) / ranks;
    std::vector<std::uint64_t> places(rows);
    sent_.assign(ranks, 0);
    for (std::size_t row = 0; row < rows; ++row) {
        places[row] = order(first_row + row);
        ++sent_[places[row] / stretch];
    }
    std::vector<std::uint64_t> next(ranks, 0);
    std::exclusive_scan(sent_.begin(), sent_.end(), next.begin(), std::uint64_t{0});
    comm::Pieces<std::uint64_t> send{std::vector<std::uint64_t>(rows), sent_};
    row_of_.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t i = next[places[row] / stretch]++;
        row_of_[i] = static_cast<std::uint32_t>(row);
        send.values[i] = places[row] % stretch;
    }
    auto received = comm.exchange(send);
    slot_of_ = std::move(received.values);
    received_ = std::move(received.counts);
}

}  // namespace regrove::dist
