#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include <fcntl.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/store/table_file.hpp"

#include "byte_stream.hpp"
#include "file_bytes.hpp"
#include "hdf5_attribute.hpp"
#include "hdf5_texts.hpp"
#include "table_description.hpp"
#include "table_layout.hpp"
#include "table_opening.hpp"

namespace regrove::store {

using data::ColumnSchema;
using data::ColumnType;

constexpr const char* k_see_format = "; docs/table-format.md describes the format";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw FormatError("'" + path + "' " + why + k_see_format);
}

std::uint64_t need_count(const std::string& path, hid_t object, const char* name) {
    const auto value = read_integer_attribute(object, name);
    if (!value) refuse(path, "has no integer attribute '" + std::string(name) + "' of the file");
    if (*value < 0) refuse(path, "has a negative attribute '" + std::string(name) + "'");
    return static_cast<std::uint64_t>(*value);
}

Hash128 read_hash(const std::string& path, hid_t object, const char* name) {
    const auto text = read_text_attribute(object, name);
    if (!text) return {};
    Hash128 hash;
    const char* const middle = text->data() + 16;
    const char* const end = text->data() + text->size();
    const bool ok = text->size() == 32 && std::from_chars(text->data(), middle, hash.high, 16).ptr == middle &&
                    std::from_chars(middle, end, hash.low, 16).ptr == end;
    if (!ok) refuse(path, "has a hash '" + *text + "' that is no text of 32 hexadecimal digits");
    return hash;
}

std::optional<std::uint64_t> line_size(hid_t dataset) {
    const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "reading the shape");
    hsize_t size = 0;
    if (H5Sget_simple_extent_ndims(space.get()) != 1) return std::nullopt;
    checked(H5Sget_simple_extent_dims(space.get(), &size, nullptr), "reading the shape");
    return size;
}

namespace {

std::string need_text(const std::string& path, hid_t object, const char* name, const std::string& of) {
    if (auto text = read_text_attribute(object, name)) return *text;
    refuse(path, "has no text attribute '" + std::string(name) + "' of " + of);
}

void require_format(const std::string& path, hid_t file, const layout::FileFormat& wanted) {
    const auto format = read_text_attribute(file, layout::k_format);
    const std::string called = wanted.called;
    if (!format) {
        refuse(path, "is an HDF5 file but no " + called + ": it has no text attribute 'format'");
    }
    if (*format == layout::k_binned_format.name && called != layout::k_binned_format.called) {
        throw FormatError("'" + path +
                          "' holds rows binned by `regrove bin`, without the values of their features; only "
                          "`regrove train --method boosting --data` takes it: give the table that it was made of");
    }
    if (*format != wanted.name) {
        refuse(path, "is no " + called + ": its attribute 'format' is '" + *format + "', not '" + wanted.name + "'");
    }
    const auto version = read_integer_attribute(file, layout::k_version);
    if (!version) refuse(path, "has no integer attribute 'version' of the file");
    if (*version != wanted.version) {
        refuse(path, "is a " + std::string(wanted.name == layout::k_table_format.name ? "table" : called) +
                         " of format version " + std::to_string(*version) + "; this Regrove reads version " +
                         std::to_string(wanted.version));
    }
}

std::vector<std::string> read_dictionary(const std::string& path, hid_t file, std::size_t c,
                                         const std::string& name) {
    const std::string dataset_name = layout::dictionary_path(c);
    if (!link_exists(file, layout::k_dictionaries_group) || !link_exists(file, dataset_name)) {
        refuse(path, "has no dataset '" + dataset_name + "', the dictionary of column '" + name + "'");
    }
    const Hdf5Handle dataset = open_dataset(file, dataset_name);
    const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose, "reading the type");
    const auto size = line_size(dataset.get());
    if (!size || H5Tget_class(type.get()) != H5T_STRING) {
        refuse(path, "has a dataset '" + dataset_name + "' that is no one-dimensional dataset of texts");
    }
    return read_texts(dataset.get(), 0, *size);
}

/// Whether the cells in the file all have a place in a column of `type`: same kind, no wider.
bool fits(hid_t stored, ColumnType type) {
    const H5T_class_t kind = H5Tget_class(stored);
    if (type == ColumnType::text) return kind == H5T_STRING;
    const std::size_t bytes = H5Tget_size(stored);
    const std::size_t limit = layout::cell_bytes(type);
    if (type == ColumnType::float32 || type == ColumnType::float64) return kind == H5T_FLOAT && bytes <= limit;
    if (kind != H5T_INTEGER) return false;
    return H5Tget_sign(stored) == H5T_SGN_NONE ? bytes < limit : bytes <= limit;
}

struct Column {
    ColumnSchema schema;
    Hash128 hash;
};

Column read_column(const std::string& path, hid_t file, std::size_t c, std::uint64_t rows) {
    const std::string dataset_name = layout::column_path(c);
    if (!link_exists(file, dataset_name)) refuse(path, "has no dataset '" + dataset_name + "'");
    const Hdf5Handle dataset = open_dataset(file, dataset_name);
    const std::string of = "dataset '" + dataset_name + "'";
    Column column;
    column.schema.name = need_text(path, dataset.get(), layout::k_name, of);
    const std::string named = "column '" + column.schema.name + "' (" + of + ")";
    const std::string type_text = need_text(path, dataset.get(), layout::k_type, named);
    const auto type = data::column_type_from_text(type_text);
    if (!type) {
        refuse(path, "has " + named + " of the unknown type '" + type_text +
                         "'; known are float32, float64, int32, int64, category and text");
    }
    const std::string role_text = need_text(path, dataset.get(), layout::k_role, named);
    const auto role = data::column_role_from_text(role_text);
    if (!role) {
        refuse(path, "has " + named + " of the unknown role '" + role_text +
                         "'; known are feature, label, weight, group, fold and id");
    }
    column.schema.type = *type;
    column.schema.role = *role;
    if (line_size(dataset.get()) != rows) {
        refuse(path,
               "has " + named + " that is not one-dimensional with the table's " + std::to_string(rows) + " rows");
    }
    const Hdf5Handle stored(H5Dget_type(dataset.get()), H5Tclose, "reading the type");
    if (!fits(stored.get(), *type)) {
        refuse(path, "has " + named + " whose stored cells do not fit its type '" + type_text + "'");
    }
    if (*type == ColumnType::category) column.schema.categories = read_dictionary(path, file, c, column.schema.name);
    column.hash = read_hash(path, dataset.get(), layout::k_hash);
    return column;
}

}  // namespace

TableFileInfo read_description(const std::string& path, hid_t file_id, const layout::FileFormat& format) {
    return naming_damage(path, "its description", [&] {
        require_format(path, file_id, format);
        TableFileInfo info;
        info.rows = need_count(path, file_id, layout::k_rows);
        const std::uint64_t columns = need_count(path, file_id, layout::k_columns);
        info.content_hash = read_hash(path, file_id, layout::k_content_hash);
        if (!link_exists(file_id, layout::k_columns_group)) refuse(path, "has no group 'columns'");
        for (std::size_t c = 0; c < columns; ++c) {
            Column column = read_column(path, file_id, c, info.rows);
            info.schema.columns.push_back(std::move(column.schema));
            info.column_hashes.push_back(column.hash);
        }
        data::validate(info.schema);
        return info;
    });
}

std::string to_bytes(const TableFileInfo& info) {
    ByteWriter out;
    out.put(info.rows);
    out.put(info.content_hash);
    out.put(static_cast<std::uint64_t>(info.schema.columns.size()));
    for (std::size_t c = 0; c < info.schema.columns.size(); ++c) {
        const ColumnSchema& column = info.schema.columns[c];
        out.put_text(column.name);
        out.put(column.type);
        out.put(column.role);
        out.put(info.column_hashes[c]);
        out.put(static_cast<std::uint64_t>(column.categories.size()));
        for (const auto& category : column.categories) out.put_text(category);
    }
    return out.take();
}

TableFileInfo info_from_bytes(std::string_view bytes) {
    ByteReader in(bytes);
    TableFileInfo info;
    info.rows = in.get<std::uint64_t>();
    info.content_hash = in.get<Hash128>();
    info.schema.columns.resize(in.get<std::uint64_t>());
    for (auto& column : info.schema.columns) {
        column.name = in.get_text();
        column.type = in.get<ColumnType>();
        column.role = in.get<data::ColumnRole>();
        info.column_hashes.push_back(in.get<Hash128>());
        column.categories.resize(in.get<std::uint64_t>());
        for (auto& category : column.categories) category = in.get_text();
    }
    return info;
}

bool is_hdf5_file(const std::string& path) {
    constexpr std::string_view k_signature = "\x89HDF\r\n\x1a\n";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    char begin[k_signature.size()];
    return file && std::fread(begin, 1, sizeof begin, file.get()) == sizeof begin &&
           std::string_view(begin, sizeof begin) == k_signature;
}

Hdf5Handle open_table(const std::string& path) {
    OpenFile(path, O_RDONLY, "read");  // for the system's own word on why not
    if (!is_hdf5_file(path)) throw FormatError("'" + path + "' is no HDF5 file");
    return naming_damage(path, "the file", [&] { return open_for_reading(path); });
}

TableFileInfo read_table_info(comm::Communicator& comm, const std::string& path) {
    std::string bytes = comm::agree_on(comm, [&] {
        if (!comm.is_root()) return std::string();
        const Hdf5Handle file = open_table(path);
        return to_bytes(read_description(path, file.get(), layout::k_table_format));
    });
    comm.broadcast(bytes);
    return info_from_bytes(bytes);
}

}  // namespace regrove::store
