// Everything that needs dense cells gets them for few columns and a bounded number of rows at a time.
#include "regrove/dist/sparse_rows.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/dist/replicate_table.hpp"
#include "regrove/dist/row_groups.hpp"
#include "regrove/infer/narrow_model.hpp"
#include "regrove/infer/predictor.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint64_t k_block_bytes = std::uint64_t{64} << 20U;
constexpr std::uint64_t k_most_hashed_cells = std::uint64_t{1} << 30U;

data::SparseCells replicate_cells(comm::Communicator& comm, data::SparseCells cells) {
    if (comm.size() == 1) return cells;
    std::vector<std::uint64_t> lengths;
    for (std::size_t row = 0; row < cells.rows(); ++row)
        lengths.push_back(cells.row_begins[row + 1] - cells.row_begins[row]);
    lengths = comm.gather_all(std::span<const std::uint64_t>(lengths));
    cells.row_begins.assign(lengths.size() + 1, 0);
    std::partial_sum(lengths.begin(), lengths.end(), cells.row_begins.begin() + 1);
    cells.features = comm.gather_all(std::span<const std::uint32_t>(cells.features));
    cells.narrow = comm.gather_all(std::span<const float>(cells.narrow));
    cells.wide = comm.gather_all(std::span<const double>(cells.wide));
    return cells;
}

}  // namespace

void number_rows(comm::Communicator& comm, data::TableShard& rows) {
    rows.first_row = comm.exclusive_sum(rows.rows);
    rows.global_rows = comm.sum(rows.rows);
}

data::SparseTable keep_groups_whole(comm::Communicator& comm, data::SparseTable table) {
    // The dense columns go first: which of all rows are this rank's tells where its cells are.
    table.rows = keep_groups_whole(comm, std::move(table.rows));
    const data::SparseCells all = replicate_cells(comm, std::move(table.cells));
    table.cells = comm::agree_on(comm, [&] {
        std::vector<std::uint64_t> places(table.rows.rows);
        std::iota(places.begin(), places.end(), table.rows.first_row);
        return data::take_rows(all, places);
    });
    return table;
}

NamedHash table_hash(comm::Communicator& comm, const data::TableShard& rows, const data::SparseCells& cells) {
    const std::uint64_t columns = cells.columns.size();
    const std::uint64_t first = rows.values.size();
    const bool all_cells = rows.global_rows <= k_most_hashed_cells / std::max<std::uint64_t>(columns, 1);
    const Hash128 features = all_cells ? data::content_hash(cells, rows.first_row, first)
                                       : data::present_hash(cells, rows.first_row, first);
    const Hash128 own = data::merge(data::content_hash(rows), features);
    std::array<std::uint64_t, 2> lanes{own.low, own.high};
    comm.sum(std::span<std::uint64_t>(lanes));
    return {all_cells ? "data_content_hash" : "data_present_cells_hash", to_hex({lanes[0], lanes[1]})};
}

void for_each_dense_block(const data::TableShard& rows, const data::SparseCells& cells,
                          std::span<const std::uint32_t> columns,
                          const std::function<void(data::TableShard)>& visit) {
    std::vector<std::uint32_t> ascending(columns.begin(), columns.end());
    std::sort(ascending.begin(), ascending.end());
    const auto step = static_cast<std::size_t>(k_block_bytes / ((columns.size() + 1) * sizeof(double)) + 1);
    std::size_t begin = 0;
    do {
        const std::size_t end = std::min<std::size_t>(rows.rows, begin + step);
        visit(data::dense_part(rows, cells, ascending, begin, end));
        begin = end;
    } while (begin < rows.rows);
}

void add_trees(const model::Ensemble& frame, const ScoreTrees& trees, const SparseRowsOfModel& rows,
               RawScores& scores, std::vector<LeafColumn>* leaves) {
    for (std::size_t t = 0; t < trees.trees.size(); ++t) {
        const model::Tree& tree = trees.trees[t];
        const infer::NarrowModel narrow = infer::narrow_tree(frame, tree);
        std::vector<std::uint32_t> asked;
        for (const auto f : narrow.features) asked.push_back(rows.columns[f]);
        std::vector<NodeId> reached;
        for_each_dense_block(rows.rows, rows.cells, asked, [&](const data::TableShard& block) {
            const auto some = infer::Predictor(narrow.model, block.schema).leaves(block);
            reached.insert(reached.end(), some.begin(), some.end());
        });
        const std::span<double> out = scores.of(trees.output(t));
        for (std::size_t row = 0; row < reached.size(); ++row) out[row] += tree.node(reached[row]).value[0];
        if (leaves != nullptr) leaves->push_back(leaf_column(reached, tree.nodes.size()));
    }
}

}  // namespace regrove::dist
