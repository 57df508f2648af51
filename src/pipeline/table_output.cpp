// Text goes to the root's file in rank order; HDF5 is written by all ranks.
#include "regrove/pipeline/table_output.hpp"

#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/dist/replicate_table.hpp"
#include "regrove/generate/delimited_text.hpp"
#include "regrove/pipeline/rank_text.hpp"
#include "regrove/store/table_file.hpp"

namespace regrove::pipeline {

namespace {

/// The rows on the root alone.
data::TableShard on_root(comm::Communicator& comm, data::TableShard whole) {
    if (comm.is_root()) return whole;
    data::TableShard none = data::make_shard(whole.schema);
    none.first_row = none.global_rows = whole.rows;
    return none;
}

}  // namespace

TableOutput::TableOutput(comm::Communicator& comm, std::string path, bool overwrite)
    : path_(std::move(path)), is_hdf5_(path_.ends_with(".h5") || path_.ends_with(".hdf5")) {
    comm::agree_on(comm, [&] {
        if (!comm.is_root()) return;
        if (is_hdf5_)
            require_writable(path_, overwrite);
        else
            file_ = std::make_unique<OutputFile>(path_, overwrite);
    });
}

void TableOutput::write(comm::Communicator& comm, std::span<const data::TableShard> parts) {
    if (is_hdf5_)
        write_hdf5(comm, parts);
    else
        write_text(comm, parts);
}

void TableOutput::write_whole(comm::Communicator& comm, const data::TableShard& table) {
    const data::TableShard part = on_root(comm, table);
    write(comm, {&part, 1});
}

void TableOutput::write_text(comm::Communicator& comm, std::span<const data::TableShard> parts) {
    const char delimiter = path_.ends_with(".tsv") ? '\t' : ',';
    comm::agree_on(comm, [&] {
        if (file_) file_->write(generate::delimited_header(parts.front().schema, delimiter));
    });
    for (const data::TableShard& part : parts) {
        const auto text = comm::agree_on(comm, [&] { return generate::delimited_rows(part, delimiter); });
        write_in_rank_order(comm, text, file_.get());
    }
    comm::agree_on(comm, [&] {
        if (file_) file_->commit();
    });
}

void TableOutput::write_hdf5(comm::Communicator& comm, std::span<const data::TableShard> parts) {
    data::TableShard joined;
    if (parts.size() > 1) {
        joined = data::make_shard(parts.front().schema);
        for (const data::TableShard& part : parts) data::append(joined, dist::replicate_table(comm, part));
        joined.global_rows = joined.rows;
        joined = on_root(comm, std::move(joined));
    }
    const data::TableShard& table = parts.size() > 1 ? joined : parts.front();
    store::TableWriter writer(comm, path_, table.schema, table.global_rows, store::Compression::fast);
    writer.write(table);
    writer.finish();
}

}  // namespace regrove::pipeline
