// The HDF5 side of writing a table: one process makes the file's structure and stores what it is handed, in row
// order.
//
// The sequence of HDF5 calls depends on the schema, the row count and the cells only, and so do the file's bytes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/core/hash.hpp"
#include "regrove/data/schema.hpp"
#include "regrove/store/hdf5_handle.hpp"
#include "regrove/store/table_file.hpp"

#include "space_reservation.hpp"
#include "table_layout.hpp"

namespace regrove::store {

/// All functions throw IoError, with the system's reason where there is one.
class TableBuilder {
  public:
    /// Makes the file with all datasets but the texts and all attributes but the hashes. Without compression, number
    /// and category columns have their place in the file from the start, and anyone may write the cells there.
    static TableBuilder create(const std::string& path, const data::Schema& schema, std::uint64_t rows,
                               Compression compression, const layout::FileFormat& format = layout::k_table_format);
    /// Opens a file made by create() and closed since.
    static TableBuilder reopen(const std::string& path, const data::Schema& schema, std::uint64_t rows);

    /// Where each column's cells begin in the file; zero for text and for empty tables. Only without compression.
    std::vector<std::uint64_t> cell_offsets() const;
    /// Makes a dataset of bytes that anyone may write at once; returns where it begins in the file.
    std::uint64_t add_bytes(const std::string& name, std::uint64_t size);
    /// Runs `work`, which adds at most about `bytes`, on the open file.
    void with_file(std::uint64_t bytes, const std::function<void(hid_t)>& work);
    /// Stores the packed chunk (pack_chunk) that begins at `first_row`.
    void put_chunk(std::size_t column, std::uint64_t first_row, std::string_view packed);
    /// Makes the dataset of a text column whose longest text has this many bytes.
    void start_texts(std::size_t column, const data::ColumnSchema& schema, std::uint64_t rows,
                     std::size_t longest_bytes);
    void put_texts(std::size_t column, std::uint64_t first_row, const std::vector<std::string>& texts);
    void put_hashes(const std::vector<Hash128>& columns);
    /// Writes what HDF5 has buffered.
    void close();

  private:
    TableBuilder(std::string path, const data::Schema& schema, std::uint64_t rows);
    /// Makes sure that `bytes` more fit on the disk.
    void require_space(std::uint64_t bytes);
    std::string path_;
    SpaceReservation space_;
    Hdf5Handle file_;
    std::vector<Hdf5Handle> columns_;
};

/// The deflate level of a compression; zero for none.
int deflate_level(Compression compression);

}  // namespace regrove::store
