// Text goes through the root in rank order; HDF5 is written by all ranks.
#include "regrove/pipeline/table_output.hpp"

#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/generate/delimited_text.hpp"
#include "regrove/pipeline/rank_text.hpp"
#include "regrove/store/table_file.hpp"

namespace regrove::pipeline {

TableOutput::Form TableOutput::form_of(std::string_view path) {
    if (path.ends_with(".h5") || path.ends_with(".hdf5")) return Form::hdf5;
    return path.ends_with(".tsv") ? Form::tsv : Form::csv;
}

TableOutput::TableOutput(comm::Communicator& comm, std::string path, bool overwrite)
    : path_(std::move(path)), form_(form_of(path_)) {
    comm::agree_on(comm, [&] {
        if (!comm.is_root()) return;
        if (form_ == Form::hdf5) {
            require_writable(path_, overwrite);
        } else {
            file_ = std::make_unique<OutputFile>(path_, overwrite);
        }
    });
}

void TableOutput::write(comm::Communicator& comm, const data::TableShard& rows) {
    if (form_ == Form::hdf5) {
        store::TableWriter writer(comm, path_, rows.schema, rows.global_rows, store::Compression::fast);
        writer.write(rows);
        writer.finish();
        return;
    }
    const char delimiter = form_ == Form::tsv ? '\t' : ',';
    const auto text = comm::agree_on(comm, [&] {
        if (file_) file_->write(generate::delimited_header(rows.schema, delimiter));
        return generate::delimited_rows(rows, delimiter);
    });
    write_in_rank_order(comm, text, file_.get());
    comm::agree_on(comm, [&] {
        if (file_) file_->commit();
    });
}

}  // namespace regrove::pipeline
