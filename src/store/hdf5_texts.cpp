#include "hdf5_texts.hpp"

#include <algorithm>
#include <cstring>

namespace regrove::store {

namespace {

std::vector<std::string> read_variable(hid_t dataset, hid_t type, const LineSelection& rows, hsize_t count) {
    std::vector<char*> pointers(count, nullptr);
    const herr_t status = H5Dread(dataset, type, rows.memory.get(), rows.file.get(), H5P_DEFAULT, pointers.data());
    if (status < 0) throw_hdf5_failure("reading texts");
    std::vector<std::string> texts(count);
    for (hsize_t i = 0; i < count; ++i)
        if (pointers[i] != nullptr) texts[i] = pointers[i];
    checked(H5Dvlen_reclaim(type, rows.memory.get(), H5P_DEFAULT, pointers.data()), "releasing texts");
    return texts;
}

std::vector<std::string> read_fixed(hid_t dataset, hid_t type, const LineSelection& rows, hsize_t count) {
    const std::size_t field_bytes = H5Tget_size(type);
    std::string fields(field_bytes * count, '\0');
    checked(H5Dread(dataset, type, rows.memory.get(), rows.file.get(), H5P_DEFAULT, fields.data()), "reading texts");
    std::vector<std::string> texts;
    texts.reserve(count);
    for (hsize_t i = 0; i < count; ++i) {
        const char* field = fields.data() + i * field_bytes;
        std::size_t length = strnlen(field, field_bytes);
        if (H5Tget_strpad(type) == H5T_STR_SPACEPAD)
            while (length > 0 && field[length - 1] == ' ') --length;
        texts.emplace_back(field, length);
    }
    return texts;
}

}  // namespace

std::vector<std::string> read_texts(hid_t dataset, hsize_t begin, hsize_t count) {
    if (count == 0) return {};
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, "reading the type");
    const LineSelection rows(dataset, begin, count);
    const bool variable = checked(H5Tis_variable_str(type.get()), "reading the type") > 0;
    return variable ? read_variable(dataset, type.get(), rows, count) : read_fixed(dataset, type.get(), rows, count);
}

void write_texts(hid_t dataset, hsize_t begin, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, "reading the type");
    const std::size_t field_bytes = H5Tget_size(type.get());
    const LineSelection rows(dataset, begin, texts.size());
    std::string fields;
    fields.reserve(texts.size() * field_bytes);
    for (const auto& text : texts) {
        fields += text;
        fields.resize(fields.size() + field_bytes - text.size(), '\0');
    }
    checked(H5Dwrite(dataset, type.get(), rows.memory.get(), rows.file.get(), H5P_DEFAULT, fields.data()),
            "writing texts");
}

hsize_t text_batch_rows(std::size_t field_bytes) {
    constexpr hsize_t k_most_rows = 65536;
    constexpr hsize_t k_batch_bytes = hsize_t{4} << 20U;
    return std::clamp<hsize_t>(k_batch_bytes / std::max<std::size_t>(field_bytes, 1), 1, k_most_rows);
}

hsize_t text_batch_rows_of(hid_t dataset) {
    const Hdf5Handle type(H5Dget_type(dataset), H5Tclose, "reading the type");
    return text_batch_rows(H5Tget_size(type.get()));
}

}  // namespace regrove::store
