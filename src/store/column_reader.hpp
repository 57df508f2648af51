// Reads rows of one column of an open table file and checks that its cells are allowed.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/data/table.hpp"
#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

class ColumnReader {
  public:
    /// Throws FormatError when the column cannot be opened.
    ColumnReader(std::string path, hid_t file, std::size_t table_index, data::ColumnSchema schema);

    /// The cells [begin, begin + rows) of the table's rows. Throws FormatError on damage, InputError on category
    /// codes outside the dictionary and on infinite feature, label or weight values.
    data::ColumnValues read(std::uint64_t begin, std::uint64_t rows) const;

  private:
    data::ColumnValues read_cells(std::uint64_t begin, std::uint64_t rows) const;
    void check(const data::ColumnValues& values, std::uint64_t begin) const;

    std::string path_;
    data::ColumnSchema schema_;
    Hdf5Handle dataset_;
    std::uint64_t packed_chunk_rows_ = 0;  ///< of chunks behind exactly our filters; zero: HDF5 reads them
};

}  // namespace regrove::store
