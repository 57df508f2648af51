#include "hdf5_attribute.hpp"

#include <cstring>

namespace regrove::store {

namespace {

Hdf5Handle create_attribute(hid_t object, const char* name, hid_t type) {
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose, "creating a data space");
    return {H5Acreate2(object, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
            std::string("creating attribute '") + name + "'"};
}

/// An attribute of one element, or nothing.
Hdf5Handle open_single(hid_t object, const char* name) {
    const std::string tried = std::string("reading attribute '") + name + "'";
    if (checked(H5Aexists(object, name), tried) == 0) return {};
    Hdf5Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, tried);
    const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose, tried);
    if (H5Sget_simple_extent_npoints(space.get()) != 1) return {};
    return attribute;
}

}  // namespace

void write_attribute(hid_t object, const char* name, std::string_view text) {
    const Hdf5Handle type = text_type(text.size());
    const Hdf5Handle attribute = create_attribute(object, name, type.get());
    const std::string terminated(text);
    checked(H5Awrite(attribute.get(), type.get(), terminated.c_str()),
            std::string("writing attribute '") + name + "'");
}

void write_attribute(hid_t object, const char* name, std::int64_t value) {
    const Hdf5Handle attribute = create_attribute(object, name, H5T_STD_I64LE);
    checked(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), std::string("writing attribute '") + name + "'");
}

std::optional<std::string> read_text_attribute(hid_t object, const char* name) {
    const Hdf5Handle attribute = open_single(object, name);
    if (!attribute) return std::nullopt;
    const std::string tried = std::string("reading attribute '") + name + "'";
    const Hdf5Handle stored(H5Aget_type(attribute.get()), H5Tclose, tried);
    if (H5Tget_class(stored.get()) != H5T_STRING) return std::nullopt;
    if (checked(H5Tis_variable_str(stored.get()), tried) > 0) {
        char* text = nullptr;
        checked(H5Aread(attribute.get(), stored.get(), &text), tried);
        std::string result = text != nullptr ? text : "";
        H5free_memory(text);
        return result;
    }
    std::string field(H5Tget_size(stored.get()), '\0');
    checked(H5Aread(attribute.get(), stored.get(), field.data()), tried);
    field.resize(strnlen(field.data(), field.size()));
    return field;
}

std::optional<std::int64_t> read_integer_attribute(hid_t object, const char* name) {
    const Hdf5Handle attribute = open_single(object, name);
    if (!attribute) return std::nullopt;
    const std::string tried = std::string("reading attribute '") + name + "'";
    const Hdf5Handle stored(H5Aget_type(attribute.get()), H5Tclose, tried);
    if (H5Tget_class(stored.get()) != H5T_INTEGER) return std::nullopt;
    std::int64_t value = 0;
    checked(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value), tried);
    return value;
}

}  // namespace regrove::store
