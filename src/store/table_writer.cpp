#include <exception>
#include <optional>
#include <span>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/temporary_file.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/store/table_file.hpp"

#include "cell_sink.hpp"
#include "file_bytes.hpp"
#include "table_builder.hpp"

namespace regrove::store {

namespace {

/// HDF5 keeps texts as C strings.
void refuse_nul(const std::string& text, const std::string& column) {
    if (text.find('\0') == std::string::npos) return;
    throw InputError("column '" + column + "': a text holds a NUL byte, which a table file cannot store; remove it");
}

void require_storable(const data::Schema& schema) {
    data::validate(schema);
    for (const auto& column : schema.columns) {
        refuse_nul(column.name, column.name);
        for (const auto& category : column.categories) refuse_nul(category, column.name);
    }
}

void require_storable(const data::TableShard& chunk, const data::Schema& schema) {
    REGROVE_CHECK(chunk.schema == schema);
    REGROVE_CHECK(chunk.values.size() == schema.columns.size());
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
        const auto& values = chunk.values[c];
        REGROVE_CHECK(values.index() == data::make_values(schema.columns[c].type).index());
        REGROVE_CHECK(data::row_count(values) == chunk.rows);
        if (const auto* texts = std::get_if<std::vector<std::string>>(&values)) {
            for (const auto& text : *texts) refuse_nul(text, schema.columns[c].name);
        }
    }
}

/// The rows that this rank has written.
struct RowRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

void require_all_rows(comm::Communicator& comm, const RowRange& own, std::uint64_t table_rows) {
    std::uint64_t next = 0;
    for (const RowRange& range : comm.gather_all(own)) {
        if (range.begin == range.end) continue;
        REGROVE_CHECK(range.begin == next);
        next = range.end;
    }
    REGROVE_CHECK(next == table_rows);
}

}  // namespace

struct TableWriter::State {
    comm::Communicator& comm;
    std::string path;
    data::Schema schema;
    std::uint64_t rows;
    Compression compression;

    std::string temporary_path;
    std::optional<TemporaryFile> temporary;  ///< root only
    std::optional<TableBuilder> builder;     ///< root only, while the HDF5 file is open
    std::unique_ptr<CellSink> cells;
    std::unique_ptr<CellSink> texts;
    RowRange own;
    std::vector<Hash128> hashes;

    void start();
    void take(const data::TableShard& chunk);
    Hash128 sum_hashes();
    void complete();
};

void TableWriter::State::start() {
    temporary_path = temporary_name(path);
    comm.broadcast(temporary_path);
    std::vector<std::uint64_t> offsets;
    comm::agree_on(comm, [&] {
        require_storable(schema);
        if (!comm.is_root()) return;
        temporary.emplace(temporary_path);
        builder = TableBuilder::create(temporary_path, schema, rows, compression);
        if (compression == Compression::none) {
            offsets = builder->cell_offsets();
            builder->close();
            builder.reset();
        }
    });
    comm.broadcast(offsets);
    const std::string spool_name = temporary_path + "-spool-" + std::to_string(comm.rank());
    comm::agree_on(comm, [&] {
        TableBuilder* own_builder = builder ? &*builder : nullptr;
        cells = compression == Compression::none
                    ? make_direct_cells(temporary_path, std::move(offsets))
                    : make_packed_cells(schema, rows, deflate_level(compression), spool_name, own_builder);
        texts = make_spooled_texts(schema, rows, spool_name);
        hashes.resize(schema.columns.size());
    });
}

void TableWriter::State::take(const data::TableShard& chunk) {
    if (chunk.rows == 0) return;
    require_storable(chunk, schema);
    if (own.begin == own.end) own = {chunk.first_row, chunk.first_row};
    REGROVE_CHECK(chunk.first_row == own.end);
    REGROVE_CHECK(chunk.rows <= rows - own.end);
    const auto chunk_hashes = data::column_hashes(chunk);
    for (std::size_t c = 0; c < hashes.size(); ++c) hashes[c] = data::merge(hashes[c], chunk_hashes[c]);
    cells->write(chunk);
    texts->write(chunk);
    own.end += chunk.rows;
}

Hash128 TableWriter::State::sum_hashes() {
    std::vector<std::uint64_t> lanes;
    for (const auto& hash : hashes) lanes.insert(lanes.end(), {hash.low, hash.high});
    comm.sum(std::span(lanes));
    Hash128 all;
    for (std::size_t c = 0; c < hashes.size(); ++c) {
        hashes[c] = {lanes[2 * c], lanes[2 * c + 1]};
        all = data::merge(all, hashes[c]);
    }
    return all;
}

/// On the root: the last pieces, and the name.
void TableWriter::State::complete() {
    builder->put_hashes(hashes);
    builder->close();
    builder.reset();
    sync_file(temporary_path);
    temporary->rename_to(path, true);
    temporary.reset();
    sync_folder_of(path);
}

TableWriter::TableWriter(comm::Communicator& comm, std::string path, data::Schema schema, std::uint64_t global_rows,
                         Compression compression)
    : state_(
          new State{comm, std::move(path), std::move(schema), global_rows, compression, {}, {}, {}, {}, {}, {}, {}}) {
    state_->start();
}

TableWriter::~TableWriter() = default;

void TableWriter::write(const data::TableShard& chunk) {
    comm::agree_on(state_->comm, [&] { state_->take(chunk); });
}

Hash128 TableWriter::finish() {
    State& s = *state_;
    comm::agree_on(s.comm, [&] {
        s.cells->flush();
        s.texts->flush();
    });
    require_all_rows(s.comm, s.own, s.rows);
    comm::agree_on(s.comm, [&] {
        if (s.comm.is_root() && !s.builder) s.builder = TableBuilder::reopen(s.temporary_path, s.schema, s.rows);
    });
    TableBuilder* builder = s.builder ? &*s.builder : nullptr;
    s.cells->collect(s.comm, builder);
    s.texts->collect(s.comm, builder);
    const Hash128 hash = s.sum_hashes();
    comm::agree_on(s.comm, [&] {
        if (s.comm.is_root()) s.complete();
    });
    return hash;
}

}  // namespace regrove::store
