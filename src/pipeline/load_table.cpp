// Chooses the reader by the file's first bytes; rank 0 looks, all follow.
#include "regrove/pipeline/load_table.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/ingest_table.hpp"
#include "regrove/store/table_file.hpp"

namespace regrove::pipeline {
namespace {

/// Part of the handshake of ranks: a file that ranks see differently must not end in a model.
void require_same_schema(comm::Communicator& comm, const data::Schema& schema, const std::string& path) {
    const auto hashes = comm.gather_all(schema.hash());
    for (std::size_t rank = 1; rank < hashes.size(); ++rank) {
        if (hashes[rank] != hashes[0]) {
            throw InputError(path + ": rank " + std::to_string(rank) +
                             " reads other columns than rank 0; is it the same file on every machine?");
        }
    }
}

void require_columns(const data::Schema& schema, const TableRequest& request) {
    std::string missing;
    for (const std::string& name : request.required)
        if (!schema.find(name)) missing += (missing.empty() ? "'" : ", '") + name + "'";
    if (!missing.empty()) throw InputError(request.path + ": the table lacks the column " + missing);
}

LoadedTable load_other(comm::Communicator& comm, const TableRequest& request, dist::RowForm form,
                       std::uint64_t memory_limit_bytes) {
    dist::IngestRequest ingest;
    ingest.inputs = {request.path};
    ingest.options.target = request.target;
    ingest.options.refuse_useless = request.refuse_useless;
    ingest.options.expected = request.expected;
    ingest.form = form;
    ingest.memory_limit_bytes = memory_limit_bytes;
    ingest.keep_bytes = std::numeric_limits<std::uint64_t>::max();  // the table is to be in memory anyway
    const auto table = dist::scan_table(comm, ingest);
    require_columns(table->schema(), request);
    if (!table->is_sparse()) return {dist::read_rows(comm, *table), std::nullopt};
    data::SparseTable sparse = table->read_sparse();
    return {std::move(sparse.rows), std::move(sparse.cells)};
}

bool is_hdf5(comm::Communicator& comm, const std::string& path) {
    const bool hdf5 = comm::agree_on(comm, [&] { return comm.is_root() && store::is_hdf5_file(path); });
    return comm.sum(std::uint64_t{hdf5 ? 1U : 0U}) != 0;
}

data::TableShard load_hdf5(comm::Communicator& comm, const TableRequest& request) {
    data::TableShard shard = store::read_table(comm, request.path);
    mark_label(shard.schema, request);
    require_columns(shard.schema, request);
    require_same_schema(comm, shard.schema, request.path);
    return shard;
}

}  // namespace

void mark_label(data::Schema& schema, const TableRequest& request) {
    if (request.target.empty()) return;
    auto column = schema.find(request.target);
    if (!column) {
        const auto place = parse_int64(request.target);
        const bool is_place = place.status == NumberStatus::ok && place.value >= 0;
        if (is_place && static_cast<std::size_t>(place.value) < schema.columns.size()) {
            column = static_cast<std::size_t>(place.value);
        }
    }
    if (!column) throw ConfigError(request.path + ": --target: no column '" + request.target + "'");
    const auto label = schema.find(data::ColumnRole::label);
    if (label == column) return;
    if (label)
        throw ConfigError(request.path + ": its label is column '" + schema.columns[*label].name + "', not '" +
                          request.target + "'; ingest the table again with another --target");
    schema.columns[*column].role = data::ColumnRole::label;
}

data::TableShard load_table(comm::Communicator& comm, const TableRequest& request) {
    if (is_hdf5(comm, request.path)) return load_hdf5(comm, request);
    return load_other(comm, request, dist::RowForm::dense, 0).rows;
}

LoadedTable load_table(comm::Communicator& comm, const TableRequest& request, dist::RowForm form,
                       std::uint64_t memory_limit_bytes) {
    LoadedTable loaded;
    if (is_hdf5(comm, request.path)) {
        loaded.rows = load_hdf5(comm, request);
    } else {
        loaded = load_other(comm, request, form, memory_limit_bytes);
    }
    if (form != dist::RowForm::sparse || loaded.cells) return loaded;
    data::SparseTable sparse = comm::agree_on(comm, [&] { return data::make_sparse(std::move(loaded.rows)); });
    return {std::move(sparse.rows), std::move(sparse.cells)};
}

}  // namespace regrove::pipeline
