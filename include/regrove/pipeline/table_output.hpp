// A table that a job writes: CSV, TSV or HDF5, by the name of the file.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/pipeline/output_file.hpp"

namespace regrove::pipeline {

/// Opened before long work, so that an existing file is refused at once; written at its end.
class TableOutput {
  public:
    /// .h5 and .hdf5 are HDF5, .tsv has tabs, all others are CSV; "-" is CSV on standard output. Collective; throws
    /// IoError, agreed.
    TableOutput(comm::Communicator& comm, std::string path, bool overwrite);

    /// Parts of one schema, each spread over the ranks in rank order, behind each other. HDF5 of several parts needs room
    /// for all of them on every rank. Collective.
    void write(comm::Communicator& comm, std::span<const data::TableShard> parts);
    /// One table, spread over the ranks.
    void write(comm::Communicator& comm, const data::TableShard& rows) { write(comm, std::span(&rows, 1)); }
    /// A table that every rank has whole.
    void write_whole(comm::Communicator& comm, const data::TableShard& table);

  private:
    void write_text(comm::Communicator& comm, std::span<const data::TableShard> parts);
    void write_hdf5(comm::Communicator& comm, std::span<const data::TableShard> parts);

    std::string path_;
    bool is_hdf5_;
    std::unique_ptr<OutputFile> file_;  ///< on the root, for text
};

}  // namespace regrove::pipeline
