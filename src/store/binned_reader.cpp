// The root reads the description for all; each rank reads its rows by their place in the file.
#include <array>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <utility>

#include <fcntl.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/store/binned_file.hpp"

#include "binned_layout.hpp"
#include "byte_stream.hpp"
#include "code_hash.hpp"
#include "column_reader.hpp"
#include "file_bytes.hpp"
#include "hdf5_attribute.hpp"
#include "table_description.hpp"
#include "table_opening.hpp"

namespace regrove::store {

namespace {

/// Where a tile begins in the file.
std::uint64_t tile_offset(const std::string& path, hid_t file, std::size_t t, const binning::TileShape& shape,
                          std::uint64_t rows, Hash128& hash) {
    const std::string name = binned_layout::tile_path(t);
    if (!link_exists(file, binned_layout::k_codes_group) || !link_exists(file, name)) {
        refuse(path, "has no dataset '" + name + "'");
    }
    const Hdf5Handle dataset = open_dataset(file, name);
    const auto stride = read_integer_attribute(dataset.get(), binned_layout::k_stride);
    const auto code_bytes = read_integer_attribute(dataset.get(), binned_layout::k_code_bytes);
    const haddr_t offset = H5Dget_offset(dataset.get());
    hash = read_hash(path, dataset.get(), binned_layout::k_hash);
    const bool fits = stride == static_cast<std::int64_t>(shape.stride_bytes) &&
                      code_bytes == std::int64_t{shape.code_bytes} &&
                      line_size(dataset.get()) == rows * shape.stride_bytes;
    if (!fits || (rows != 0 && offset == HADDR_UNDEF)) {
        refuse(path, "has a dataset '" + name + "' that does not hold the codes of its features in one piece");
    }
    return offset == HADDR_UNDEF ? 0 : std::uint64_t{offset};
}

void read_notes(const std::string& path, hid_t file, BinningNotes& notes) {
    notes.max_bin = static_cast<std::uint32_t>(need_count(path, file, binned_layout::k_max_bin));
    notes.quantile_rows = need_count(path, file, binned_layout::k_quantile_rows);
    const auto hash = read_text_attribute(file, binned_layout::k_table_hash);
    if (!hash) refuse(path, "has no text attribute 'table_content_hash'");
    notes.table_hash = *hash;
}

}  // namespace

struct BinnedFile::State {
    comm::Communicator& comm;
    std::string path;
    BinnedFileInfo info;
    std::vector<binning::TileShape> tiles;
    std::vector<std::uint64_t> offsets;
    OpenFile codes;
    std::vector<Hash128> hashes;  ///< of the rows read so far, a tile
    std::mutex hashing;

    /// On the root: everything as bytes.
    std::string read_all();
    void take(std::string_view bytes);
    void open();
    data::TableShard read_roles();
    void compare(const Hash128& found, const Hash128& stored, const std::string& what) const;
};

std::string BinnedFile::State::read_all() {
    const Hdf5Handle file = open_table(path);
    const TableFileInfo roles = read_description(path, file.get(), layout::k_binned_format);
    return naming_damage(path, "its description", [&] {
        ByteWriter out;
        std::vector<model::Feature> features;
        std::vector<binning::Bins> bins;
        read_notes(path, file.get(), info.notes);
        binned_layout::read_features(path, file.get(), features, bins);
        out.put_text(to_bytes(roles));
        out.put_text(binned_layout::to_bytes(features, bins));
        out.put(info.notes.max_bin);
        out.put(info.notes.quantile_rows);
        out.put_text(info.notes.table_hash);
        const auto shapes = binning::plan_tiles(bins);
        for (std::size_t t = 0; t < shapes.size(); ++t) {
            Hash128 hash;
            out.put(tile_offset(path, file.get(), t, shapes[t], roles.rows, hash));
            out.put(hash);
        }
        return out.take();
    });
}

void BinnedFile::State::take(std::string_view bytes) {
    ByteReader in(bytes);
    info.roles = info_from_bytes(in.get_text());
    binned_layout::from_bytes(in.get_text(), info.features, info.bins);
    info.notes.max_bin = in.get<std::uint32_t>();
    info.notes.quantile_rows = in.get<std::uint64_t>();
    info.notes.table_hash = in.get_text();
    tiles = binning::plan_tiles(info.bins);
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        offsets.push_back(in.get<std::uint64_t>());
        info.tile_hashes.push_back(in.get<Hash128>());
    }
    hashes.resize(tiles.size());
}

void BinnedFile::State::open() {
    std::string bytes = comm::agree_on(comm, [&] { return comm.is_root() ? read_all() : std::string(); });
    comm.broadcast(bytes);
    comm::agree_on(comm, [&] {
        take(bytes);
        codes = OpenFile(path, O_RDONLY, "read");
    });
}

data::TableShard BinnedFile::State::read_roles() {
    data::TableShard shard;
    shard.schema = info.roles.schema;
    shard.global_rows = info.roles.rows;
    shard.first_row = share_begin(shard.global_rows, comm.rank(), comm.size());
    shard.rows = share_begin(shard.global_rows, comm.rank() + 1, comm.size()) - shard.first_row;
    const Hdf5Handle file = open_table(path);
    for (std::size_t c = 0; c < shard.schema.columns.size(); ++c) {
        const ColumnReader reader(path, file.get(), c, shard.schema.columns[c]);
        shard.values.push_back(reader.read(shard.first_row, shard.rows));
    }
    return shard;
}

void BinnedFile::State::compare(const Hash128& found, const Hash128& stored, const std::string& what) const {
    if (found == stored) return;
    throw FormatError("'" + path + "': " + what + " the hash " + to_hex(found) + ", not " + to_hex(stored) +
                      " as stored; the file was damaged or edited after it was written; make it again with "
                      "`regrove bin`");
}

bool is_binned_file(const std::string& path) {
    if (!is_hdf5_file(path)) return false;
    try {
        const Hdf5Handle file = open_for_reading(path);
        return read_text_attribute(file.get(), layout::k_format) == layout::k_binned_format.name;
    } catch (const Hdf5Failure&) {
        return false;  // whoever opens it next says what is wrong
    }
}

BinnedFile::BinnedFile(comm::Communicator& comm, const std::string& path)
    : state_(new State{comm, path, {}, {}, {}, {}, {}, {}}) {
    state_->open();
}

BinnedFile::~BinnedFile() = default;

const std::string& BinnedFile::path() const { return state_->path; }
const BinnedFileInfo& BinnedFile::info() const { return state_->info; }

data::TableShard BinnedFile::read_roles() {
    State& s = *state_;
    std::vector<std::uint64_t> lanes;
    data::TableShard shard = comm::agree_on(s.comm, [&] {
        data::TableShard own = s.read_roles();
        for (const Hash128& hash : data::column_hashes(own)) lanes.insert(lanes.end(), {hash.low, hash.high});
        return own;
    });
    s.comm.sum(std::span(lanes));
    for (std::size_t c = 0; c < shard.schema.columns.size(); ++c) {
        s.compare({lanes[2 * c], lanes[2 * c + 1]}, s.info.roles.column_hashes[c],
                  "the cells of column '" + shard.schema.columns[c].name + "' have");
    }
    return shard;
}

void BinnedFile::read_tile(std::size_t tile, std::uint64_t begin, std::uint64_t rows, std::uint8_t* laid) {
    State& s = *state_;
    const std::size_t stride = s.tiles[tile].stride_bytes;
    s.codes.read_at(s.offsets[tile] + begin * stride, laid, rows * stride);
    const Hash128 hash = hash_codes(laid, stride, begin, rows, tile);
    const std::lock_guard guard(s.hashing);
    s.hashes[tile] = data::merge(s.hashes[tile], hash);
}

void BinnedFile::check_tiles() {
    State& s = *state_;
    std::vector<std::uint64_t> lanes;
    for (const Hash128& hash : s.hashes) lanes.insert(lanes.end(), {hash.low, hash.high});
    s.comm.sum(std::span(lanes));
    for (std::size_t t = 0; t < s.tiles.size(); ++t) {
        s.compare({lanes[2 * t], lanes[2 * t + 1]}, s.info.tile_hashes[t],
                  "the codes in '" + binned_layout::tile_path(t) + "' have");
    }
}

}  // namespace regrove::store
