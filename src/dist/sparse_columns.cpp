// Turned into columns on each rank, dealt to the owners, binned column by column.
#include "regrove/dist/sparse_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "regrove/binning/sparse_bins.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::dist {

namespace {

constexpr std::size_t k_columns_a_block = 256;

/// Cells in the order of their features, within a feature of their rows over all ranks.
struct ColumnCells {
    std::vector<std::uint64_t> counts;  ///< a feature
    std::vector<std::uint32_t> rows;
    std::vector<float> narrow;
    std::vector<double> wide;
};

void check_finite(const data::SparseCells& cells, std::uint64_t first_row) {
    for (std::size_t row = 0; row < cells.rows(); ++row) {
        for (std::uint64_t cell = cells.row_begins[row]; cell < cells.row_begins[row + 1]; ++cell) {
            if (!std::isinf(cells.value(cell))) continue;
            throw InputError("column '" + cells.columns[cells.features[cell]].name + "', row " +
                             std::to_string(first_row + row + 1) +
                             ": the value is infinite; mark it as missing or replace it by a number");
        }
    }
}

ColumnCells turn(data::SparseCells cells, std::uint64_t first_row) {
    ColumnCells turned;
    turned.counts.assign(cells.columns.size(), 0);
    for (const auto f : cells.features) ++turned.counts[f];
    std::vector<std::uint64_t> next(cells.columns.size() + 1, 0);
    std::partial_sum(turned.counts.begin(), turned.counts.end(), next.begin() + 1);
    turned.rows.resize(cells.size());
    turned.narrow.resize(cells.narrow.size());
    turned.wide.resize(cells.wide.size());
    for (std::size_t row = 0; row < cells.rows(); ++row) {
        for (std::uint64_t cell = cells.row_begins[row]; cell < cells.row_begins[row + 1]; ++cell) {
            const std::uint64_t place = next[cells.features[cell]]++;
            turned.rows[place] = static_cast<std::uint32_t>(first_row + row);
            if (cells.is_wide) {
                turned.wide[place] = cells.wide[cell];
            } else {
                turned.narrow[place] = cells.narrow[cell];
            }
        }
    }
    return turned;
}

/// What every rank sends to each owner; `sizes` are elements a rank.
template <class T>
std::vector<T> deal(comm::Communicator& comm, std::vector<T> values, const std::vector<std::uint64_t>& sizes) {
    if (comm.size() == 1) return values;
    return comm.exchange(comm::Pieces<T>{std::move(values), sizes}).values;
}

/// The pieces of all ranks, one behind the other; counts are of the own columns, rank by rank.
ColumnCells deal_columns(comm::Communicator& comm, ColumnCells cells, const std::vector<std::uint32_t>& begins) {
    std::vector<std::uint64_t> columns;
    std::vector<std::uint64_t> sizes;
    for (std::size_t r = 0; r + 1 < begins.size(); ++r) {
        const auto of_rank = std::span(cells.counts).subspan(begins[r], begins[r + 1] - begins[r]);
        columns.push_back(of_rank.size());
        sizes.push_back(std::accumulate(of_rank.begin(), of_rank.end(), std::uint64_t{0}));
    }
    const bool is_wide = comm.max(std::uint64_t{cells.wide.empty() ? 0U : 1U}) != 0;
    ColumnCells dealt;
    dealt.counts = deal(comm, std::move(cells.counts), columns);
    dealt.rows = deal(comm, std::move(cells.rows), sizes);
    if (is_wide) {
        dealt.wide = deal(comm, std::move(cells.wide), sizes);
    } else {
        dealt.narrow = deal(comm, std::move(cells.narrow), sizes);
    }
    return dealt;
}

/// Where each rank's cells of each own column begin: [rank * columns + column].
std::vector<std::uint64_t> begins_of_parts(const ColumnCells& cells) {
    std::vector<std::uint64_t> begins(cells.counts.size() + 1, 0);
    std::partial_sum(cells.counts.begin(), cells.counts.end(), begins.begin() + 1);
    return begins;
}

/// Which rows of all ranks take part.
struct TakingPart {
    std::vector<std::uint8_t> left_out;  ///< of all ranks; empty: none
    std::uint64_t rows = 0;              ///< that take part
};

TakingPart gather_marks(comm::Communicator& comm, std::span<const std::uint8_t> left_out, std::uint64_t rows) {
    TakingPart all;
    std::vector<std::uint8_t> marks(left_out.begin(), left_out.end());
    if (comm.max(std::uint64_t{marks.empty() ? 0U : 1U}) != 0) {
        marks.resize(rows, 0);
        all.left_out = comm.gather_all(std::span<const std::uint8_t>(marks));
    }
    all.rows = comm.sum(rows) - static_cast<std::uint64_t>(std::count_if(all.left_out.begin(), all.left_out.end(),
                                                                         [](std::uint8_t m) { return m != 0; }));
    return all;
}

class Binner {
  public:
    Binner(const ColumnCells& cells, const TakingPart& part, bool absent_is_missing, std::uint32_t max_bin)
        : cells_(cells), part_(part), absent_is_missing_(absent_is_missing), max_bin_(max_bin) {}

    void run(train::SparseColumns& columns) const {
        const std::size_t count = columns.columns();
        const std::vector<std::uint64_t> parts = begins_of_parts(cells_);
        columns.entry_begins.assign(count + 1, 0);
        for (std::size_t i = 0; i < cells_.counts.size(); ++i)
            columns.entry_begins[i % count + 1] += cells_.counts[i];
        std::partial_sum(columns.entry_begins.begin(), columns.entry_begins.end(), columns.entry_begins.begin());
        columns.entry_rows.resize(cells_.rows.size());
        columns.entry_bins.resize(cells_.rows.size());
        columns.absent_bins.resize(count);
        std::vector<BlockBins> blocks((count + k_columns_a_block - 1) / k_columns_a_block);
        parallel_for(blocks.size(), [&](std::size_t b) {
            const std::size_t end = std::min(count, (b + 1) * k_columns_a_block);
            for (std::size_t c = b * k_columns_a_block; c < end; ++c) bin_column(c, parts, columns, blocks[b]);
        });
        join(blocks, columns);
    }

  private:
    struct BlockBins {
        std::vector<std::uint32_t> counts;
        std::vector<double> low;
        std::vector<double> high;
    };

    double value(std::uint64_t cell) const {
        return cells_.wide.empty() ? double{cells_.narrow[cell]} : cells_.wide[cell];
    }

    /// Ranks hold consecutive rows, so that a column's parts in rank order ascend.
    void bin_column(std::size_t column, const std::vector<std::uint64_t>& parts, train::SparseColumns& columns,
                    BlockBins& block) const {
        std::vector<double> values;
        std::vector<std::uint32_t> rows;
        for (std::size_t part = column; part < cells_.counts.size(); part += columns.columns()) {
            for (std::uint64_t cell = parts[part]; cell < parts[part + 1]; ++cell) {
                values.push_back(value(cell));
                rows.push_back(cells_.rows[cell]);
            }
        }
        std::vector<std::uint8_t> left_out;
        if (!part_.left_out.empty()) {
            for (const auto row : rows) left_out.push_back(part_.left_out[row]);
        }
        const auto out = static_cast<std::uint64_t>(std::count(left_out.begin(), left_out.end(), 0));
        const std::uint64_t present = left_out.empty() ? rows.size() : out;
        const auto binned =
            binning::bin_sparse_column({values, left_out, part_.rows - present, absent_is_missing_}, max_bin_);
        columns.absent_bins[column] = binned.absent_bin;
        put_entries(binned, rows, columns.entry_begins[column], columns);
        block.counts.push_back(binned.bins.count);
        block.low.insert(block.low.end(), binned.bins.low.begin(), binned.bins.low.end());
        block.high.insert(block.high.end(), binned.bins.high.begin(), binned.bins.high.end());
    }

    /// In the order of bins, within a bin of rows.
    static void put_entries(const binning::SparseColumnBins& binned, const std::vector<std::uint32_t>& rows,
                            std::uint64_t begin, train::SparseColumns& columns) {
        std::vector<std::uint32_t> next(binned.bins.count + 2, 0);
        for (const auto code : binned.codes) ++next[code + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint64_t place = begin + next[binned.codes[i]]++;
            columns.entry_rows[place] = rows[i];
            columns.entry_bins[place] = static_cast<std::uint16_t>(binned.codes[i]);
        }
    }

    static void join(const std::vector<BlockBins>& blocks, train::SparseColumns& columns) {
        columns.bin_begins.assign(1, 0);
        for (const BlockBins& block : blocks) {
            for (const auto count : block.counts) columns.bin_begins.push_back(columns.bin_begins.back() + count);
        }
        columns.low.reserve(columns.bin_begins.back());
        columns.high.reserve(columns.bin_begins.back());
        for (const BlockBins& block : blocks) {
            columns.low.insert(columns.low.end(), block.low.begin(), block.low.end());
            columns.high.insert(columns.high.end(), block.high.begin(), block.high.end());
        }
    }

    const ColumnCells& cells_;
    const TakingPart& part_;
    bool absent_is_missing_;
    std::uint32_t max_bin_;
};

}  // namespace

std::unique_ptr<train::SparseColumns> make_sparse_columns(comm::Communicator& comm, data::SparseCells cells,
                                                          std::span<const std::uint8_t> left_out,
                                                          std::uint32_t max_bin) {
    auto columns = std::make_unique<train::SparseColumns>();
    columns->rank = comm.rank();
    columns->rows = cells.rows();
    columns->first_row = comm.exclusive_sum(columns->rows);
    columns->global_rows = comm.sum(columns->rows);
    if (columns->global_rows > std::numeric_limits<std::uint32_t>::max()) {
        throw LimitError("boosting of sparse rows takes fewer than 2^32 rows over all ranks, this table has " +
                         std::to_string(columns->global_rows));
    }
    const TakingPart part = gather_marks(comm, left_out, columns->rows);
    const bool absent_is_missing = cells.absent_is_missing;
    ColumnCells turned = comm::agree_on(comm, [&] {
        check_finite(cells, columns->first_row);
        return turn(std::move(cells), columns->first_row);
    });
    std::vector<std::uint64_t> entries = turned.counts;
    comm.sum(std::span<std::uint64_t>(entries));
    columns->owner_begins = train::share_features(entries, comm.size());
    const ColumnCells own = deal_columns(comm, std::move(turned), columns->owner_begins);
    comm::agree_on(comm, [&] { Binner(own, part, absent_is_missing, max_bin).run(*columns); });
    return columns;
}

}  // namespace regrove::dist
