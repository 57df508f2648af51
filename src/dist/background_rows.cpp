// A keyed permutation of all rows says which are drawn, whoever holds them.
#include "regrove/dist/background_rows.hpp"

#include <limits>
#include <span>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/keyed_permutation.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/predictor.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint64_t k_draw_stream = std::uint64_t{19} << 56U;

/// This rank's rows among the `most` that are drawn.
std::vector<std::uint64_t> drawn_places(std::uint64_t before, std::uint64_t own, std::uint64_t all,
                                        std::uint64_t most, std::uint64_t seed) {
    std::vector<std::uint64_t> places;
    const KeyedPermutation order(seed, k_draw_stream, all);
    for (std::uint64_t row = 0; row < own; ++row)
        if (all <= most || order(before + row) < most) places.push_back(row);
    return places;
}

void refuse_no_rows(std::uint64_t rows) {
    if (rows == 0) throw InputError("the background table has no rows, so there is nothing to compare with");
}

}  // namespace

std::vector<double> background_cells(comm::Communicator& comm, const model::Ensemble& ensemble,
                                     const data::TableShard& shard, std::uint64_t most, std::uint64_t seed) {
    const std::uint64_t before = comm.exclusive_sum(shard.rows);
    const std::uint64_t all = comm.sum(shard.rows);
    refuse_no_rows(all);
    const auto cells = comm::agree_on(comm, [&] {
        const data::TableShard drawn = data::take_rows(shard, drawn_places(before, shard.rows, all, most, seed));
        std::vector<double> own;
        infer::Binding(ensemble, shard.schema).fill(drawn, 0, drawn.rows, own);
        return own;
    });
    return comm.gather_all(std::span<const double>(cells));
}

algebra::TreeCovers counted_covers(comm::Communicator& comm, const model::Ensemble& ensemble,
                                   const data::TableShard& shard) {
    refuse_no_rows(comm.sum(shard.rows));
    auto counts = comm::agree_on(comm, [&] {
        const infer::Predictor predictor(ensemble, shard.schema);
        return algebra::count_covers(ensemble, predictor.leaves(shard));
    });
    comm.sum(std::span<std::uint64_t>(counts));
    return algebra::covers_of_counts(ensemble, counts);
}

}  // namespace regrove::dist
