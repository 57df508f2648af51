// All ranks write their rows straight to their place; the root makes the structure before and the description after.
#include <array>
#include <optional>
#include <utility>

#include <fcntl.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/temporary_file.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/store/binned_file.hpp"

#include "binned_layout.hpp"
#include "cell_sink.hpp"
#include "code_hash.hpp"
#include "file_bytes.hpp"
#include "hdf5_attribute.hpp"
#include "hdf5_create.hpp"
#include "table_builder.hpp"

namespace regrove::store {

namespace {

/// Rows that one thread lays, hashes and writes at a time: 512 KiB of a tile at most.
constexpr std::size_t k_rows_a_block = 16384;

void require_cells(const data::Schema& roles) {
    data::validate(roles);
    for (const auto& column : roles.columns) {
        if (column.type != data::ColumnType::text) continue;
        throw InputError("column '" + column.name + "' (" + std::string(data::to_text(column.role)) +
                         ") holds text, which a kept binned table does not store; ingest the table with "
                         "--categorical " +
                         column.name);
    }
}

}  // namespace

struct BinnedWriter::State {
    comm::Communicator& comm;
    std::string path;
    data::Schema roles;
    std::uint64_t rows;
    std::vector<binning::TileShape> tiles;

    std::string temporary_path;
    std::optional<TemporaryFile> temporary;  ///< root only
    std::vector<std::uint64_t> tile_offsets;
    std::unique_ptr<CellSink> cells;
    OpenFile codes;
    std::uint64_t begin = 0;  ///< this rank's rows so far
    std::uint64_t end = 0;
    std::vector<Hash128> role_hashes;
    std::vector<Hash128> tile_hashes;

    void start(const std::vector<binning::Bins>& bins);
    /// Offsets of the columns, then of the tiles.
    std::vector<std::uint64_t> make_structure();
    void take(const data::TableShard& chunk, std::span<const binning::Codes> columns);
    void take_tile(std::size_t t, std::span<const binning::Codes> columns, std::uint64_t first_row,
                   std::size_t count);
    void sum_hashes();
    void complete(const std::vector<model::Feature>& features, const std::vector<binning::Bins>& bins,
                  const BinningNotes& notes);
};

std::vector<std::uint64_t> BinnedWriter::State::make_structure() {
    temporary.emplace(temporary_path);
    TableBuilder builder =
        TableBuilder::create(temporary_path, roles, rows, Compression::none, layout::k_binned_format);
    builder.with_file(0, [](hid_t file) { create_group(file, binned_layout::k_codes_group); });
    std::vector<std::uint64_t> offsets = builder.cell_offsets();
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        offsets.push_back(builder.add_bytes(binned_layout::tile_path(t), rows * tiles[t].stride_bytes));
    }
    builder.close();
    return offsets;
}

void BinnedWriter::State::start(const std::vector<binning::Bins>& bins) {
    temporary_path = temporary_name(path);
    comm.broadcast(temporary_path);
    std::vector<std::uint64_t> offsets = comm::agree_on(comm, [&] {
        require_cells(roles);
        tiles = binning::plan_tiles(bins);
        return comm.is_root() ? make_structure() : std::vector<std::uint64_t>{};
    });
    comm.broadcast(offsets);
    comm::agree_on(comm, [&] {
        const auto columns = static_cast<std::ptrdiff_t>(roles.columns.size());
        tile_offsets.assign(offsets.begin() + columns, offsets.end());
        offsets.resize(roles.columns.size());
        cells = make_direct_cells(temporary_path, std::move(offsets));
        codes = OpenFile(temporary_path, O_WRONLY, "write");
        role_hashes.resize(roles.columns.size());
        tile_hashes.resize(tiles.size());
    });
}

void BinnedWriter::State::take(const data::TableShard& chunk, std::span<const binning::Codes> columns) {
    if (chunk.rows == 0) return;
    REGROVE_CHECK(chunk.schema == roles);
    if (begin == end) begin = end = chunk.first_row;
    REGROVE_CHECK(chunk.first_row == end && chunk.rows <= rows - end);
    const auto hashes = data::column_hashes(chunk);
    for (std::size_t c = 0; c < hashes.size(); ++c) role_hashes[c] = data::merge(role_hashes[c], hashes[c]);
    cells->write(chunk);
    for (std::size_t t = 0; t < tiles.size(); ++t) take_tile(t, columns, chunk.first_row, chunk.rows);
    end += chunk.rows;
}

void BinnedWriter::State::take_tile(std::size_t t, std::span<const binning::Codes> columns, std::uint64_t first_row,
                                    std::size_t count) {
    const binning::TileShape& tile = tiles[t];
    std::vector<Hash128> hashes((count + k_rows_a_block - 1) / k_rows_a_block);
    parallel_for_blocks(count, k_rows_a_block, [&](std::size_t from, std::size_t to) {
        std::vector<std::uint8_t> laid((to - from) * tile.stride_bytes);
        binning::lay_rows(tile, columns, from, to, laid.data());
        hashes[from / k_rows_a_block] = hash_codes(laid.data(), tile.stride_bytes, first_row + from, to - from, t);
        codes.write_at(tile_offsets[t] + (first_row + from) * tile.stride_bytes, laid.data(), laid.size());
    });
    for (const Hash128& hash : hashes) tile_hashes[t] = data::merge(tile_hashes[t], hash);
}

void BinnedWriter::State::sum_hashes() {
    for (auto* hashes : {&role_hashes, &tile_hashes}) {
        std::vector<std::uint64_t> lanes;
        for (const Hash128& hash : *hashes) lanes.insert(lanes.end(), {hash.low, hash.high});
        comm.sum(std::span(lanes));
        for (std::size_t i = 0; i < hashes->size(); ++i) (*hashes)[i] = {lanes[2 * i], lanes[2 * i + 1]};
    }
}

/// On the root: the description, and the name.
void BinnedWriter::State::complete(const std::vector<model::Feature>& features,
                                   const std::vector<binning::Bins>& bins, const BinningNotes& notes) {
    TableBuilder builder = TableBuilder::reopen(temporary_path, roles, rows);
    builder.put_hashes(role_hashes);
    builder.with_file(binned_layout::feature_bytes(features, bins), [&](hid_t file) {
        for (std::size_t t = 0; t < tiles.size(); ++t) {
            const Hdf5Handle tile = open_dataset(file, binned_layout::tile_path(t));
            write_attribute(tile.get(), binned_layout::k_stride, static_cast<std::int64_t>(tiles[t].stride_bytes));
            write_attribute(tile.get(), binned_layout::k_code_bytes, std::int64_t{tiles[t].code_bytes});
            write_attribute(tile.get(), binned_layout::k_hash, to_hex(tile_hashes[t]));
        }
        write_attribute(file, binned_layout::k_max_bin, std::int64_t{notes.max_bin});
        write_attribute(file, binned_layout::k_quantile_rows, static_cast<std::int64_t>(notes.quantile_rows));
        write_attribute(file, binned_layout::k_table_hash, notes.table_hash);
        binned_layout::write_features(file, features, bins);
    });
    builder.close();
    sync_file(temporary_path);
    temporary->rename_to(path, true);
    temporary.reset();
    sync_folder_of(path);
}

BinnedWriter::BinnedWriter(comm::Communicator& comm, std::string path, data::Schema roles, std::uint64_t rows,
                           std::vector<binning::Bins> bins)
    : state_(new State{comm, std::move(path), std::move(roles), rows, {}, {}, {}, {}, {}, {}, 0, 0, {}, {}}) {
    state_->start(bins);
}

BinnedWriter::~BinnedWriter() = default;

void BinnedWriter::write(const data::TableShard& roles, std::span<const binning::Codes> codes) {
    comm::agree_on(state_->comm, [&] { state_->take(roles, codes); });
}

void BinnedWriter::finish(const std::vector<model::Feature>& features, const std::vector<binning::Bins>& bins,
                          const BinningNotes& notes) {
    State& s = *state_;
    comm::agree_on(s.comm, [&] {
        s.cells->flush();
        s.codes.sync();
        s.codes = OpenFile();
        REGROVE_CHECK(binning::plan_tiles(bins) == s.tiles);
    });
    REGROVE_CHECK(s.comm.sum(s.end - s.begin) == s.rows);
    s.sum_hashes();
    comm::agree_on(s.comm, [&] {
        if (s.comm.is_root()) s.complete(features, bins, notes);
    });
}

}  // namespace regrove::store
