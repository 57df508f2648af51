// The rows of all ranks in another order, each rank with a stretch of it, and the way there and back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/keyed_permutation.hpp"

namespace regrove::dist {

/// Rank r holds places [r * s, (r + 1) * s) of the order, s = rows / ranks rounded up; a place in it is a slot.
class PlacedRows {
  public:
    /// This rank has `rows` rows, of which the first is number `first_row`. Collective.
    PlacedRows(comm::Communicator& comm, const KeyedPermutation& order, std::uint64_t first_row, std::size_t rows);

    /// Of this rank's stretch.
    std::size_t slots() const { return slot_of_.size(); }

    /// Values of this rank's rows (`width` a row) as values of its slots. Collective.
    template <class T>
    std::vector<T> to_slots(comm::Communicator& comm, std::span<const T> rows, std::size_t width = 1) const {
        std::vector<T> send(rows.size());
        for (std::size_t i = 0; i < row_of_.size(); ++i) copy(rows, row_of_[i], width, send, i);
        std::vector<T> received(slots() * width);
        comm.exchange_known(std::span<const T>(send), scaled(sent_, width), std::span<T>(received),
                            scaled(received_, width));
        std::vector<T> slots_values(received.size());
        for (std::size_t i = 0; i < slots(); ++i) copy<T>(received, i, width, slots_values, slot_of_[i]);
        return slots_values;
    }
    /// The way back.
    template <class T>
    std::vector<T> to_rows(comm::Communicator& comm, std::span<const T> values, std::size_t width = 1) const {
        std::vector<T> send(values.size());
        for (std::size_t i = 0; i < slots(); ++i) copy(values, slot_of_[i], width, send, i);
        std::vector<T> received(row_of_.size() * width);
        comm.exchange_known(std::span<const T>(send), scaled(received_, width), std::span<T>(received),
                            scaled(sent_, width));
        std::vector<T> rows(received.size());
        for (std::size_t i = 0; i < row_of_.size(); ++i) copy<T>(received, i, width, rows, row_of_[i]);
        return rows;
    }

  private:
    template <class T>
    static void copy(std::span<const T> from, std::size_t i, std::size_t width, std::vector<T>& to, std::size_t j) {
        for (std::size_t k = 0; k < width; ++k) to[j * width + k] = from[i * width + k];
    }
    static std::vector<std::uint64_t> scaled(std::vector<std::uint64_t> counts, std::size_t width) {
        for (auto& count : counts) count *= width;
        return counts;
    }

    std::vector<std::uint32_t> row_of_;    ///< sent rows, rank by rank
    std::vector<std::uint64_t> sent_;      ///< how many, a rank
    std::vector<std::uint64_t> slot_of_;   ///< of received rows, rank by rank
    std::vector<std::uint64_t> received_;  ///< how many, a rank
};

}  // namespace regrove::dist
