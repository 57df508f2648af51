#include "table_builder.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/data/content_hash.hpp"

#include "hdf5_attribute.hpp"
#include "hdf5_create.hpp"
#include "hdf5_texts.hpp"
#include "table_layout.hpp"

namespace regrove::store {

using data::ColumnSchema;
using data::ColumnType;

namespace {

Hdf5Handle create_file(const std::string& path) {
    const Hdf5Handle creation = untimed(H5P_FILE_CREATE);
    const Hdf5Handle access = file_access();
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose, "creating the file"};
}

/// How the cells of a column lie in the file: in one piece, or in compressed and checksummed chunks.
Hdf5Handle column_properties(std::uint64_t rows, std::uint64_t chunk_rows, int level) {
    Hdf5Handle properties = untimed(H5P_DATASET_CREATE);
    checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "choosing no fill");
    if (rows == 0 || level == 0) {
        checked(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "reserving space");
    } else {
        set_filters(properties.get(), std::min(rows, chunk_rows), level);
    }
    return properties;
}

void describe_file(hid_t file, const layout::FileFormat& format, const data::Schema& schema, std::uint64_t rows) {
    write_attribute(file, layout::k_format, format.name);
    write_attribute(file, layout::k_version, format.version);
    write_attribute(file, layout::k_rows, static_cast<std::int64_t>(rows));
    write_attribute(file, layout::k_columns, static_cast<std::int64_t>(schema.columns.size()));
    write_attribute(file, layout::k_missing, layout::k_missing_text);
}

void describe_column(hid_t dataset, const ColumnSchema& column) {
    write_attribute(dataset, layout::k_name, column.name);
    write_attribute(dataset, layout::k_type, data::to_text(column.type));
    write_attribute(dataset, layout::k_role, data::to_text(column.role));
}

/// Runs `work`; HDF5's failures become errors that name the file.
template <class Work>
auto naming(const std::string& path, const Work& work) {
    try {
        return work();
    } catch (const Hdf5Failure& failure) {
        if (failure.error_number != 0) throw io_error("write", path, failure.error_number);
        throw IoError("cannot write '" + path + "': " + failure.what());
    }
}

void fill_structure(hid_t file, const data::Schema& schema, std::uint64_t rows, int level,
                    std::vector<Hdf5Handle>& columns) {
    create_group(file, layout::k_columns_group);
    create_group(file, layout::k_dictionaries_group);
    const std::uint64_t chunk_rows = layout::chunk_rows(schema);
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
        const ColumnSchema& column = schema.columns[c];
        columns.emplace_back();
        if (column.type == ColumnType::text) continue;
        const Hdf5Handle properties = column_properties(rows, chunk_rows, level);
        columns.back() =
            create_dataset(file, layout::column_path(c), layout::file_type(column.type), rows, properties.get());
        describe_column(columns.back().get(), column);
        if (column.type == ColumnType::category) write_new_texts(file, layout::dictionary_path(c), column.categories);
    }
}

/// What HDF5 may add to the file on its own: object headers, attributes, and an entry of an index for each chunk.
std::uint64_t metadata_bytes(const data::Schema& schema, std::uint64_t rows) {
    const std::uint64_t chunks = rows / layout::chunk_rows(schema) + 1;
    constexpr std::uint64_t k_file_bytes = std::uint64_t{1} << 20U;
    return k_file_bytes + schema.columns.size() * (4096 + 32 * chunks);
}

/// Bytes of the dictionaries, and of the cells that have their place from the start.
std::uint64_t initial_bytes(const data::Schema& schema, std::uint64_t rows, Compression compression) {
    std::uint64_t bytes = 0;
    for (const auto& column : schema.columns) {
        if (compression == Compression::none) bytes += rows * layout::cell_bytes(column.type);
        std::size_t longest = 0;
        for (const auto& category : column.categories) longest = std::max(longest, category.size());
        bytes += longest * column.categories.size();
    }
    return bytes;
}

}  // namespace

int deflate_level(Compression compression) {
    switch (compression) {
        case Compression::none:
            return 0;
        case Compression::fast:
            return 1;
        case Compression::small:
            return 6;
    }
    REGROVE_CHECK(false);
}

TableBuilder::TableBuilder(std::string path, const data::Schema& schema, std::uint64_t rows)
    : path_(std::move(path)), space_(path_, metadata_bytes(schema, rows)) {}

void TableBuilder::require_space(std::uint64_t bytes) {
    hsize_t size = 0;
    checked(H5Fget_filesize(file_.get(), &size), "asking for the file's size");
    space_.require(size + bytes);
}

TableBuilder TableBuilder::create(const std::string& path, const data::Schema& schema, std::uint64_t rows,
                                  Compression compression, const layout::FileFormat& format) {
    return naming(path, [&] {
        TableBuilder builder(path, schema, rows);
        builder.space_.require(initial_bytes(schema, rows, compression));
        builder.file_ = create_file(path);
        describe_file(builder.file_.get(), format, schema, rows);
        fill_structure(builder.file_.get(), schema, rows, deflate_level(compression), builder.columns_);
        return builder;
    });
}

TableBuilder TableBuilder::reopen(const std::string& path, const data::Schema& schema, std::uint64_t rows) {
    return naming(path, [&] {
        TableBuilder builder(path, schema, rows);
        const Hdf5Handle access = file_access();
        builder.file_ = Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, "reopening the file");
        builder.require_space(0);
        for (std::size_t c = 0; c < schema.columns.size(); ++c) {
            const bool is_text = schema.columns[c].type == ColumnType::text;
            builder.columns_.push_back(is_text ? Hdf5Handle()
                                               : open_dataset(builder.file_.get(), layout::column_path(c)));
        }
        return builder;
    });
}

std::vector<std::uint64_t> TableBuilder::cell_offsets() const {
    std::vector<std::uint64_t> offsets;
    for (const auto& column : columns_) {
        const haddr_t offset = column ? H5Dget_offset(column.get()) : HADDR_UNDEF;
        offsets.push_back(offset == HADDR_UNDEF ? 0 : offset);
    }
    return offsets;
}

std::uint64_t TableBuilder::add_bytes(const std::string& name, std::uint64_t size) {
    return naming(path_, [&] {
        require_space(size);
        const Hdf5Handle dataset = create_contiguous(file_.get(), name, H5T_STD_U8LE, size);
        const haddr_t offset = H5Dget_offset(dataset.get());
        return offset == HADDR_UNDEF ? 0 : std::uint64_t{offset};
    });
}

void TableBuilder::with_file(std::uint64_t bytes, const std::function<void(hid_t)>& work) {
    naming(path_, [&] {
        require_space(bytes);
        work(file_.get());
    });
}

void TableBuilder::put_chunk(std::size_t column, std::uint64_t first_row, std::string_view packed) {
    const hsize_t offset = first_row;
    naming(path_, [&] {
        require_space(packed.size());
        checked(H5Dwrite_chunk(columns_[column].get(), H5P_DEFAULT, 0, &offset, packed.size(), packed.data()),
                "writing a chunk");
    });
}

void TableBuilder::start_texts(std::size_t column, const ColumnSchema& schema, std::uint64_t rows,
                               std::size_t longest_bytes) {
    naming(path_, [&] {
        columns_[column] = create_texts(file_.get(), layout::column_path(column), rows, longest_bytes);
        describe_column(columns_[column].get(), schema);
    });
}

void TableBuilder::put_texts(std::size_t column, std::uint64_t first_row, const std::vector<std::string>& texts) {
    naming(path_, [&] {
        const Hdf5Handle type(H5Dget_type(columns_[column].get()), H5Tclose, "reading the type");
        require_space(texts.size() * (H5Tget_size(type.get()) + 64));  // with what deflate may add
        write_texts(columns_[column].get(), first_row, texts);
    });
}

void TableBuilder::put_hashes(const std::vector<Hash128>& columns) {
    naming(path_, [&] {
        Hash128 all;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            write_attribute(columns_[c].get(), layout::k_hash, to_hex(columns[c]));
            all = data::merge(all, columns[c]);
        }
        write_attribute(file_.get(), layout::k_content_hash, to_hex(all));
    });
}

void TableBuilder::close() {
    naming(path_, [&] {
        for (auto& column : columns_) column.close("closing a column");
        columns_.clear();
        file_.close("writing the end of the file");
        space_.release();
    });
}

}  // namespace regrove::store
