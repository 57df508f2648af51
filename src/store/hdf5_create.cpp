#include "hdf5_create.hpp"

#include <algorithm>

#include "hdf5_texts.hpp"

namespace regrove::store {

Hdf5Handle untimed(hid_t of_class) {
    Hdf5Handle properties(H5Pcreate(of_class), H5Pclose, "creating properties");
    checked(H5Pset_obj_track_times(properties.get(), false), "switching time stamps off");
    return properties;
}

void create_group(hid_t file, const char* name) {
    const Hdf5Handle creation = untimed(H5P_GROUP_CREATE);
    const Hdf5Handle group(H5Gcreate2(file, name, H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose,
                           "creating a group");
}

Hdf5Handle create_dataset(hid_t file, const std::string& name, hid_t type, std::uint64_t size, hid_t properties) {
    const Hdf5Handle space = line_space(size);
    return {H5Dcreate2(file, name.c_str(), type, space.get(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
            "creating dataset '" + name + "'"};
}

void set_filters(hid_t properties, hsize_t chunk, int level) {
    checked(H5Pset_chunk(properties, 1, &chunk), "choosing chunks");
    checked(H5Pset_shuffle(properties), "choosing shuffle");
    checked(H5Pset_deflate(properties, static_cast<unsigned>(level)), "choosing deflate");
    checked(H5Pset_fletcher32(properties), "choosing checksums");
}

Hdf5Handle create_texts(hid_t file, const std::string& name, std::uint64_t count, std::size_t field_bytes) {
    const Hdf5Handle properties = untimed(H5P_DATASET_CREATE);
    if (count > 0) set_filters(properties.get(), std::min<hsize_t>(count, text_batch_rows(field_bytes)), 1);
    const Hdf5Handle type = text_type(field_bytes);
    return create_dataset(file, name, type.get(), count, properties.get());
}

void write_new_texts(hid_t file, const std::string& name, const std::vector<std::string>& texts) {
    std::size_t longest = 0;
    for (const auto& text : texts) longest = std::max(longest, text.size());
    const Hdf5Handle dataset = create_texts(file, name, texts.size(), longest);
    write_texts(dataset.get(), 0, texts);
}

Hdf5Handle create_contiguous(hid_t file, const std::string& name, hid_t type, std::uint64_t size) {
    const Hdf5Handle properties = untimed(H5P_DATASET_CREATE);
    checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "choosing no fill");
    checked(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), "reserving space");
    return create_dataset(file, name, type, size, properties.get());
}

}  // namespace regrove::store
