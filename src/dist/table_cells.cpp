#include "regrove/dist/table_cells.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"

namespace regrove::dist {

namespace {

using Cell = std::vector<std::uint32_t>;

constexpr std::uint32_t k_nowhere = 0xFFFFFFFF;  ///< what cellspace::cell_of gives outside of the space
constexpr std::size_t k_block_rows = 4096;

/// Where each axis finds its value among a row's cells as Binding::fill writes them.
std::vector<std::size_t> features_of(const cellspace::Space& space, const model::Ensemble& ensemble) {
    std::vector<std::size_t> places;
    for (const cellspace::Axis& axis : space.axes) {
        const auto found = std::ranges::find(ensemble.features, axis.name, &model::Feature::name);
        if (found == ensemble.features.end())
            throw InternalError("axis '" + axis.name + "' of the space is no feature of the ensemble");
        places.push_back(static_cast<std::size_t>(found - ensemble.features.begin()));
    }
    return places;
}

/// Calls visit(cell) for each of this rank's rows that lies in the space; returns how many do not.
template <class Visit>
std::uint64_t for_each_cell(const cellspace::Space& space, const model::Ensemble& ensemble,
                            const infer::Binding& binding, const data::TableShard& shard, Visit visit) {
    const std::vector<std::size_t> places = features_of(space, ensemble);
    std::uint64_t outside = 0;
    std::vector<double> values;
    Cell cell(space.axes.size());
    for (std::size_t begin = 0; begin < shard.rows; begin += k_block_rows) {
        const std::size_t end = std::min<std::size_t>(begin + k_block_rows, shard.rows);
        binding.fill(shard, begin, end, values);
        for (std::size_t row = begin; row < end; ++row) {
            const double* const own = values.data() + (row - begin) * binding.features();
            bool inside = true;
            for (std::size_t a = 0; a < cell.size(); ++a) {
                cell[a] = cellspace::cell_of(space.axes[a], own[places[a]]);
                inside = inside && cell[a] != k_nowhere;
            }
            if (inside)
                visit(cell);
            else
                ++outside;
        }
    }
    return outside;
}

std::vector<std::uint32_t> flat(const std::set<Cell>& cells) {
    std::vector<std::uint32_t> all;
    for (const Cell& cell : cells) all.insert(all.end(), cell.begin(), cell.end());
    return all;
}

/// The cells of all ranks, sorted, each once. A space without axes has the one cell that needs no numbers.
std::vector<std::uint32_t> joined(comm::Communicator& comm, const std::set<Cell>& own, std::size_t axes) {
    const auto all = comm.gather_all(std::span<const std::uint32_t>(flat(own)));
    std::set<Cell> cells;
    for (std::size_t i = 0; i < all.size(); i += axes)
        cells.emplace(all.begin() + static_cast<std::ptrdiff_t>(i),
                      all.begin() + static_cast<std::ptrdiff_t>(i + axes));
    return flat(cells);
}

struct Corners {
    Cell low;
    Cell high;
};

void widen(std::optional<Corners>& corners, const Cell& cell) {
    if (!corners) corners = Corners{cell, cell};
    for (std::size_t a = 0; a < cell.size(); ++a) {
        corners->low[a] = std::min(corners->low[a], cell[a]);
        corners->high[a] = std::max(corners->high[a], cell[a]);
    }
}

std::set<Cell> as_cells(const std::optional<Corners>& corners) {
    return corners ? std::set<Cell>{corners->low, corners->high} : std::set<Cell>{};
}

}  // namespace

TableCells distinct_cells(comm::Communicator& comm, const cellspace::Space& space, const model::Ensemble& ensemble,
                          const infer::Binding& binding, const data::TableShard& shard) {
    std::set<Cell> own;
    std::uint64_t outside = 0;
    comm::agree_on(comm, [&] {
        outside = for_each_cell(space, ensemble, binding, shard, [&](const Cell& cell) { own.insert(cell); });
    });
    return {joined(comm, own, space.axes.size()), comm.sum(outside)};
}

TableCells range_corners(comm::Communicator& comm, const cellspace::Space& space, const model::Ensemble& ensemble,
                         const infer::Binding& binding, const data::TableShard& shard) {
    std::optional<Corners> own;
    std::uint64_t outside = 0;
    comm::agree_on(comm, [&] {
        outside = for_each_cell(space, ensemble, binding, shard, [&](const Cell& cell) { widen(own, cell); });
    });
    const std::size_t axes = space.axes.size();
    const auto all = joined(comm, as_cells(own), axes);
    std::optional<Corners> corners;
    for (std::size_t i = 0; i < all.size(); i += axes)
        widen(corners, Cell(all.begin() + static_cast<std::ptrdiff_t>(i),
                            all.begin() + static_cast<std::ptrdiff_t>(i + axes)));
    return {flat(as_cells(corners)), comm.sum(outside)};
}

}  // namespace regrove::dist
