#include "regrove/store/hdf5_handle.hpp"

#include <cstdlib>
#include <vector>

namespace regrove::store {

namespace {

herr_t collect(unsigned, const H5E_error2_t* entry, void* out) {
    if (entry->desc != nullptr && *entry->desc != '\0')
        static_cast<std::vector<std::string>*>(out)->push_back(entry->desc);
    return 0;
}

/// HDF5 tells the errno of a failed system call only within its text.
int system_error_number(const std::vector<std::string>& causes) {
    constexpr std::string_view k_mark = "errno = ";
    for (const auto& cause : causes) {
        const auto at = cause.find(k_mark);
        if (at != std::string::npos) return std::atoi(cause.c_str() + at + k_mark.size());
    }
    return 0;
}

}  // namespace

void throw_hdf5_failure(std::string_view tried) {
    std::vector<std::string> causes;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &causes);
    std::string text(tried);
    text += " failed";
    // The innermost causes say most; the outermost repeat what was tried.
    constexpr std::size_t k_shown = 3;
    for (std::size_t i = 0; i < causes.size() && i < k_shown; ++i) text += (i == 0 ? ": " : "; ") + causes[i];
    throw Hdf5Failure(text, system_error_number(causes));
}

Hdf5Handle file_access() {
    checked(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr), "switching HDF5's error printing off");
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "creating file access properties");
    checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "choosing the file format");
    checked(H5Pset_file_locking(access.get(), true, true), "choosing file locks");
    return access;
}

Hdf5Handle open_for_reading(const std::string& path) {
    const Hdf5Handle access = file_access();
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose, "opening"};
}

Hdf5Handle open_dataset(hid_t file, const std::string& name) {
    return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "opening dataset '" + name + "'"};
}

bool link_exists(hid_t file, const std::string& name) {
    return checked(H5Lexists(file, name.c_str(), H5P_DEFAULT), "looking for '" + name + "'") > 0;
}

Hdf5Handle line_space(hsize_t size) {
    return {H5Screate_simple(1, &size, nullptr), H5Sclose, "creating a data space"};
}

LineSelection::LineSelection(hid_t dataset, hsize_t begin, hsize_t count)
    : file(H5Dget_space(dataset), H5Sclose, "reading the shape"), memory(line_space(count)) {
    checked(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr), "selecting rows");
}

Hdf5Handle text_type(std::size_t field_bytes) {
    Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "creating the text type");
    checked(H5Tset_size(type.get(), field_bytes > 0 ? field_bytes : 1), "creating the text type");
    checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "creating the text type");
    checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "creating the text type");
    return type;
}

}  // namespace regrove::store
