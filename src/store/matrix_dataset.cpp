// Extends, selects, transfers.
#include "matrix_dataset.hpp"

#include <array>

#include "shard_file_layout.hpp"

namespace regrove::store {

namespace {

using Shape = std::array<hsize_t, 2>;

/// Rows [begin, begin + count) of the file's space, and as many in memory.
struct RowSelection {
    Hdf5Handle file;
    Hdf5Handle memory;

    RowSelection(hid_t dataset, std::uint64_t begin, std::uint64_t count, std::uint64_t columns)
        : file(H5Dget_space(dataset), H5Sclose, "reading the shape") {
        const Shape start{begin, 0};
        const Shape size{count, columns};
        memory = {H5Screate_simple(2, size.data(), nullptr), H5Sclose, "creating a data space"};
        checked(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
                "selecting rows");
    }
};

/// The cache holds some chunks, so that a chunk which two reads share is not read twice.
Hdf5Handle chunk_cache() {
    Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "creating properties");
    constexpr std::size_t k_slots = 521;
    checked(H5Pset_chunk_cache(access.get(), k_slots, 4 * shard_file::k_chunk_bytes, 1.0), "choosing the cache");
    return access;
}

}  // namespace

MatrixDataset MatrixDataset::create(hid_t file, const std::string& name, hid_t type, std::uint64_t columns,
                                    std::uint64_t chunk_rows) {
    const Shape empty{0, columns};
    const Shape most{H5S_UNLIMITED, columns};
    const Shape chunk{chunk_rows, columns};
    const Hdf5Handle space(H5Screate_simple(2, empty.data(), most.data()), H5Sclose, "creating a data space");
    const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "creating properties");
    checked(H5Pset_obj_track_times(properties.get(), false), "switching time stamps off");
    checked(H5Pset_chunk(properties.get(), 2, chunk.data()), "choosing chunks");
    checked(H5Pset_fletcher32(properties.get()), "choosing checksums");
    checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "choosing no fill");
    const Hdf5Handle access = chunk_cache();
    MatrixDataset made;
    made.dataset_ = {H5Dcreate2(file, name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), access.get()),
                     H5Dclose, "creating dataset '" + name + "'"};
    made.type_ = type;
    made.columns_ = columns;
    return made;
}

MatrixDataset MatrixDataset::open(hid_t file, const std::string& name, hid_t type) {
    const Hdf5Handle access = chunk_cache();
    MatrixDataset opened;
    opened.dataset_ = {H5Dopen2(file, name.c_str(), access.get()), H5Dclose, "opening dataset '" + name + "'"};
    opened.type_ = type;
    const Hdf5Handle space(H5Dget_space(opened.dataset_.get()), H5Sclose, "reading the shape");
    const Hdf5Handle stored(H5Dget_type(opened.dataset_.get()), H5Tclose, "reading the type");
    Shape shape{};
    if (H5Sget_simple_extent_ndims(space.get()) != 2 || H5Tequal(stored.get(), type) <= 0)
        throw Hdf5Failure("dataset '" + name + "' has another shape or type", 0);
    checked(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr), "reading the shape");
    opened.rows_ = shape[0];
    opened.columns_ = shape[1];
    return opened;
}

void MatrixDataset::append(const void* rows, std::uint64_t count) {
    if (count == 0) return;
    const Shape size{rows_ + count, columns_};
    checked(H5Dset_extent(dataset_.get(), size.data()), "extending a dataset");
    const RowSelection selection(dataset_.get(), rows_, count, columns_);
    checked(H5Dwrite(dataset_.get(), type_, selection.memory.get(), selection.file.get(), H5P_DEFAULT, rows),
            "writing rows");
    rows_ += count;
}

void MatrixDataset::read(std::uint64_t begin, std::uint64_t count, void* rows) const {
    if (count == 0) return;
    const RowSelection selection(dataset_.get(), begin, count, columns_);
    checked(H5Dread(dataset_.get(), type_, selection.memory.get(), selection.file.get(), H5P_DEFAULT, rows),
            "reading rows");
}

}  // namespace regrove::store
