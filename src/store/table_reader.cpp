// Rows of a table dealt over ranks: a stream of chunks, and the whole share as one chunk.
#include <algorithm>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/int128.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/store/table_file.hpp"
#include "regrove/store/table_stream.hpp"

#include "column_reader.hpp"
#include "table_opening.hpp"

namespace regrove::store {

namespace {

/// Indices of the named columns in the table, in the order given; all when none is named.
std::vector<std::size_t> choose_columns(const data::Schema& schema, const std::vector<std::string>& names,
                                        const std::string& path) {
    std::vector<std::size_t> chosen;
    if (names.empty()) {
        for (std::size_t c = 0; c < schema.columns.size(); ++c) chosen.push_back(c);
        return chosen;
    }
    std::string unknown;
    for (const auto& name : names) {
        const auto found = schema.find(name);
        if (found) chosen.push_back(*found);
        if (!found) unknown += (unknown.empty() ? "'" : ", '") + name + "'";
    }
    if (!unknown.empty()) {
        std::string known;
        for (const auto& column : schema.columns) known += (known.empty() ? "'" : ", '") + column.name + "'";
        throw InputError("'" + path + "' has no column " + unknown + "; it has " + known);
    }
    REGROVE_CHECK(std::set<std::size_t>(chosen.begin(), chosen.end()).size() == chosen.size());
    return chosen;
}

bool is_stored(const Hash128& hash) { return hash != Hash128{}; }

}  // namespace

RowIndex share_begin(std::uint64_t global_rows, int rank, int size) {
    const auto ranks = static_cast<UInt128>(size);
    return static_cast<RowIndex>((static_cast<UInt128>(rank) * global_rows + ranks - 1) / ranks);
}

struct TableStream::State {
    comm::Communicator& comm;
    std::string path;
    std::uint64_t chunk_rows;
    ReadOptions options;

    TableFileInfo info;
    std::vector<std::size_t> chosen;
    data::Schema schema;
    Hdf5Handle file;
    std::vector<ColumnReader> readers;
    std::uint64_t next_row = 0;
    std::uint64_t end_row = 0;
    std::uint64_t chunks_left = 0;  ///< the same on every rank
    std::vector<Hash128> hashes;

    void open(const std::vector<std::string>& names);
    data::TableShard read_chunk();
    void compare_hashes();
};

void TableStream::State::open(const std::vector<std::string>& names) {
    REGROVE_CHECK(chunk_rows > 0);
    info = read_table_info(comm, path);
    comm::agree_on(comm, [&] {
        chosen = choose_columns(info.schema, names, path);
        file = open_table(path);
        for (const std::size_t c : chosen) {
            schema.columns.push_back(info.schema.columns[c]);
            readers.emplace_back(path, file.get(), c, info.schema.columns[c]);
        }
        hashes.resize(chosen.size());
    });
    next_row = share_begin(info.rows, comm.rank(), comm.size());
    end_row = share_begin(info.rows, comm.rank() + 1, comm.size());
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    const std::uint64_t largest_share = info.rows / ranks + (info.rows % ranks != 0 ? 1 : 0);
    chunks_left = largest_share / chunk_rows + (largest_share % chunk_rows != 0 ? 1 : 0);
}

data::TableShard TableStream::State::read_chunk() {
    data::TableShard chunk;
    chunk.schema = schema;
    chunk.first_row = next_row;
    chunk.global_rows = info.rows;
    chunk.rows = std::min(chunk_rows, end_row - next_row);
    for (const auto& reader : readers) chunk.values.push_back(reader.read(next_row, chunk.rows));
    if (options.verify) {
        const auto chunk_hashes = data::column_hashes(chunk, chosen);
        for (std::size_t c = 0; c < hashes.size(); ++c) hashes[c] = data::merge(hashes[c], chunk_hashes[c]);
    }
    next_row += chunk.rows;
    return chunk;
}

void TableStream::State::compare_hashes() {
    if (!options.verify) return;
    std::vector<std::uint64_t> lanes;
    for (const auto& hash : hashes) lanes.insert(lanes.end(), {hash.low, hash.high});
    comm.sum(std::span(lanes));
    const std::string advice = "the file was damaged or edited after it was written; make it again or restore a copy";
    Hash128 all;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const Hash128 hash{lanes[2 * i], lanes[2 * i + 1]};
        const Hash128& stored = info.column_hashes[chosen[i]];
        all = data::merge(all, hash);
        if (!is_stored(stored) || hash == stored) continue;
        throw FormatError("'" + path + "': the cells of column '" + schema.columns[i].name + "' have the hash " +
                          to_hex(hash) + ", not " + to_hex(stored) + " as stored; " + advice);
    }
    const bool has_all = chosen.size() == info.schema.columns.size();
    // Columns in another order enter by their place in the table, so the sum is the table's whatever the order.
    if (!has_all || !is_stored(info.content_hash) || all == info.content_hash) return;
    throw FormatError("'" + path + "': the cells have the content hash " + to_hex(all) + ", not " +
                      to_hex(info.content_hash) + " as stored; " + advice);
}

TableStream::TableStream(comm::Communicator& comm, const std::string& path, std::uint64_t chunk_rows,
                         const std::vector<std::string>& columns, const ReadOptions& options)
    : state_(new State{comm, path, chunk_rows, options, {}, {}, {}, {}, {}, 0, 0, 0, {}}) {
    state_->open(columns);
}

TableStream::~TableStream() = default;

const TableFileInfo& TableStream::info() const { return state_->info; }
const data::Schema& TableStream::schema() const { return state_->schema; }

bool TableStream::next(data::TableShard& chunk) {
    chunk = comm::agree_on(state_->comm, [&] { return state_->read_chunk(); });
    if (state_->chunks_left == 0) {
        state_->compare_hashes();
        return false;
    }
    --state_->chunks_left;
    return true;
}

data::TableShard read_table(comm::Communicator& comm, const std::string& path,
                            const std::vector<std::string>& columns, const ReadOptions& options) {
    TableStream stream(comm, path, std::numeric_limits<std::uint64_t>::max(), columns, options);
    data::TableShard share;
    if (!stream.next(share)) return share;
    data::TableShard end;
    stream.next(end);
    return share;
}

}  // namespace regrove::store
