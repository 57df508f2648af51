// The one way in which jobs write a table of results: HDF5, TSV or CSV by the file's name.
#pragma once

#include <memory>
#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/pipeline/output_file.hpp"

namespace regrove::pipeline {

/// .h5 and .hdf5 are HDF5, .tsv has tabs, everything else commas; "-" is CSV on standard output. Refuses an existing file
/// (IoError, 73) when made, before any work is done; nothing half-written is left.
class TableOutput {
  public:
    /// Collective; errors are agreed.
    TableOutput(comm::Communicator& comm, std::string path, bool overwrite);
    /// Writes the rows of all ranks, in rank order, and completes the file. Once. Collective; errors are agreed.
    void write(comm::Communicator& comm, const data::TableShard& rows);

  private:
    enum class Form { csv, tsv, hdf5 };
    static Form form_of(std::string_view path);

    std::string path_;
    Form form_;
    std::unique_ptr<OutputFile> file_;  ///< on the root, for text
};

}  // namespace regrove::pipeline
