// The rows of a round and the trees that a round leaves out: pure functions of the seed, the round and the row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/train/boosting_gradients.hpp"
#include "regrove/train/boosting_options.hpp"

namespace regrove::dist {

/// This rank's rows: `left_out` marks those of weight zero (empty: none).
struct DrawnFrom {
    std::uint64_t first_row = 0;  ///< over all ranks
    std::size_t rows = 0;
    std::span<const std::uint8_t> left_out;
};

/// `round` counts from the model's first round. Gradient sampling reads the round's gradients (score-major): rows whose sum of
/// absolute gradients is not below that of the top_rate quantile over all ranks stay (those of equal sum, too), each of the
/// others with probability other_rate / (1 - top_rate), amplified by the inverse. Collective.
train::RowMarks draw_rows(comm::Communicator& comm, const train::BoostingOptions& options, const DrawnFrom& from,
                          std::span<const double> gradients, std::uint64_t seed, std::uint64_t round);

/// DART: the earlier rounds that round `round` leaves out, ascending.
std::vector<std::uint64_t> draw_dropped(const train::BoostingOptions& options, std::uint64_t seed,
                                        std::uint64_t round);

}  // namespace regrove::dist
