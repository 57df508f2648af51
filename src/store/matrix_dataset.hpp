// HDF5 datasets of rows of equal width that grow by whole blocks of rows, in checksummed chunks.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

/// A two-dimensional dataset; its type is what memory holds too. All calls throw Hdf5Failure.
class MatrixDataset {
  public:
    /// An empty one with `columns` elements a row and `chunk_rows` > 0 rows a chunk; its group must be there.
    static MatrixDataset create(hid_t file, const std::string& name, hid_t type, std::uint64_t columns,
                                std::uint64_t chunk_rows);
    static MatrixDataset open(hid_t file, const std::string& name, hid_t type);

    std::uint64_t rows() const { return rows_; }
    std::uint64_t columns() const { return columns_; }
    void append(const void* rows, std::uint64_t count);
    /// [begin, begin + count) must lie within rows().
    void read(std::uint64_t begin, std::uint64_t count, void* rows) const;
    void close() { dataset_.close("closing a dataset"); }

  private:
    Hdf5Handle dataset_;
    hid_t type_ = -1;
    std::uint64_t rows_ = 0;
    std::uint64_t columns_ = 0;
};

}  // namespace regrove::store
