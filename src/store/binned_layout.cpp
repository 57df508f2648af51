// One dataset for each property, all features behind each other.
#include "binned_layout.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"

#include "byte_stream.hpp"
#include "hdf5_attribute.hpp"
#include "hdf5_create.hpp"
#include "hdf5_texts.hpp"
#include "table_description.hpp"

namespace regrove::store::binned_layout {

namespace {

using binning::Bins;
using model::Feature;

std::string path_of(const char* property) { return std::string(k_features_group) + '/' + property; }

void write_integers(hid_t file, const char* property, const std::vector<std::int64_t>& values) {
    const Hdf5Handle dataset = create_contiguous(file, path_of(property), H5T_STD_I64LE, values.size());
    if (values.empty()) return;
    checked(H5Dwrite(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "writing");
}

void write_doubles(hid_t file, const char* property, const std::vector<double>& values) {
    const Hdf5Handle dataset = create_contiguous(file, path_of(property), H5T_IEEE_F64LE, values.size());
    if (values.empty()) return;
    checked(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "writing");
}

Hdf5Handle open_property(const std::string& path, hid_t file, const char* property, std::uint64_t& size) {
    if (!link_exists(file, k_features_group) || !link_exists(file, path_of(property))) {
        refuse(path, "has no dataset '" + path_of(property) + "'");
    }
    Hdf5Handle dataset = open_dataset(file, path_of(property));
    const auto elements = line_size(dataset.get());
    if (!elements) refuse(path, "has a dataset '" + path_of(property) + "' that is not one-dimensional");
    size = *elements;
    return dataset;
}

template <class Value>
std::vector<Value> read_values(const std::string& path, hid_t file, const char* property, hid_t type) {
    std::uint64_t size = 0;
    const Hdf5Handle dataset = open_property(path, file, property, size);
    std::vector<Value> values(size);
    if (size == 0) return values;
    checked(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading");
    return values;
}

std::vector<std::string> read_names(const std::string& path, hid_t file, const char* property) {
    std::uint64_t size = 0;
    const Hdf5Handle dataset = open_property(path, file, property, size);
    const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose, "reading the type");
    if (H5Tget_class(type.get()) != H5T_STRING) refuse(path, "has no texts in '" + path_of(property) + "'");
    return read_texts(dataset.get(), 0, size);
}

/// The file's columns of features.
struct Properties {
    std::vector<std::string> names;
    std::vector<std::int64_t> categorical;
    std::vector<std::int64_t> value_bits;
    std::vector<std::int64_t> bins;
    std::vector<double> low;
    std::vector<double> high;
    std::vector<std::string> categories;
};

Properties gather(const std::vector<Feature>& features, const std::vector<Bins>& bins) {
    Properties all;
    for (std::size_t f = 0; f < features.size(); ++f) {
        all.names.push_back(features[f].name);
        all.categorical.push_back(bins[f].category ? 1 : 0);
        all.value_bits.push_back(features[f].precision == model::NumericPrecision::float32 ? 32 : 64);
        all.bins.push_back(bins[f].count);
        all.low.insert(all.low.end(), bins[f].low.begin(), bins[f].low.end());
        all.high.insert(all.high.end(), bins[f].high.begin(), bins[f].high.end());
        all.categories.insert(all.categories.end(), features[f].categories.begin(), features[f].categories.end());
    }
    return all;
}

/// Takes a feature's part of a list; throws when there is not as much left.
template <class Value>
std::vector<Value> take(const std::string& path, const std::vector<Value>& from, std::size_t& at,
                        std::uint64_t count) {
    if (count > from.size() - at) refuse(path, "has fewer bins of features than it says");
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(at);
    at += count;
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

void spread(const std::string& path, const Properties& all, std::vector<Feature>& features, std::vector<Bins>& bins) {
    const std::size_t count = all.names.size();
    if (all.categorical.size() != count || all.value_bits.size() != count || all.bins.size() != count ||
        all.low.size() != all.high.size()) {
        refuse(path, "describes its features by lists of different lengths");
    }
    std::size_t number = 0;
    std::size_t category = 0;
    for (std::size_t f = 0; f < count; ++f) {
        if (all.bins[f] < 0 || all.bins[f] >= binning::k_most_tile_codes) refuse(path, "has too many bins");
        Feature feature;
        Bins own;
        feature.name = all.names[f];
        feature.precision =
            all.value_bits[f] == 32 ? model::NumericPrecision::float32 : model::NumericPrecision::float64;
        own.category = all.categorical[f] != 0;
        feature.kind = own.category ? model::FeatureKind::category : model::FeatureKind::numeric;
        own.count = static_cast<std::uint32_t>(all.bins[f]);
        if (own.category) {
            feature.categories = take(path, all.categories, category, own.count);
        } else {
            std::size_t same = number;
            own.low = take(path, all.low, same, own.count);
            own.high = take(path, all.high, number, own.count);
        }
        features.push_back(std::move(feature));
        bins.push_back(std::move(own));
    }
}

}  // namespace

std::string tile_path(std::size_t tile) { return std::string(k_codes_group) + '/' + std::to_string(tile); }

std::uint64_t feature_bytes(const std::vector<Feature>& features, const std::vector<Bins>& bins) {
    std::uint64_t bytes = std::uint64_t{1} << 20U;
    std::uint64_t longest = 0;
    std::uint64_t texts = 0;
    for (std::size_t f = 0; f < features.size(); ++f) {
        bytes += 3 * sizeof(std::int64_t) + 2 * sizeof(double) * bins[f].low.size();
        longest = std::max<std::uint64_t>(longest, features[f].name.size());
        for (const auto& category : features[f].categories) {
            longest = std::max<std::uint64_t>(longest, category.size());
        }
        texts += 1 + features[f].categories.size();
    }
    return bytes + texts * (longest + 64);
}

void write_features(hid_t file, const std::vector<Feature>& features, const std::vector<Bins>& bins) {
    create_group(file, k_features_group);
    const Properties all = gather(features, bins);
    write_new_texts(file, path_of("name"), all.names);
    write_integers(file, "is_category", all.categorical);
    write_integers(file, "value_bits", all.value_bits);
    write_integers(file, "bins", all.bins);
    write_doubles(file, "low", all.low);
    write_doubles(file, "high", all.high);
    write_new_texts(file, path_of("categories"), all.categories);
    write_attribute(file, k_features, static_cast<std::int64_t>(features.size()));
    write_attribute(file, k_description_hash, to_hex(hash_bytes(to_bytes(features, bins))));
}

void read_features(const std::string& path, hid_t file, std::vector<Feature>& features, std::vector<Bins>& bins) {
    Properties all;
    all.names = read_names(path, file, "name");
    all.categorical = read_values<std::int64_t>(path, file, "is_category", H5T_NATIVE_INT64);
    all.value_bits = read_values<std::int64_t>(path, file, "value_bits", H5T_NATIVE_INT64);
    all.bins = read_values<std::int64_t>(path, file, "bins", H5T_NATIVE_INT64);
    all.low = read_values<double>(path, file, "low", H5T_NATIVE_DOUBLE);
    all.high = read_values<double>(path, file, "high", H5T_NATIVE_DOUBLE);
    all.categories = read_names(path, file, "categories");
    spread(path, all, features, bins);
    if (read_hash(path, file, k_description_hash) == hash_bytes(to_bytes(features, bins))) return;
    throw FormatError("'" + path + "' is damaged: its features and bins do not have the stored hash; make it again");
}

std::string to_bytes(const std::vector<Feature>& features, const std::vector<Bins>& bins) {
    ByteWriter out;
    out.put(std::uint64_t{features.size()});
    for (std::size_t f = 0; f < features.size(); ++f) {
        out.put_text(features[f].name);
        out.put(features[f].kind);
        out.put(features[f].precision);
        out.put(bins[f].category);
        out.put(bins[f].count);
        out.put(std::uint64_t{features[f].categories.size()});
        for (const auto& category : features[f].categories) out.put_text(category);
        out.put(std::uint64_t{bins[f].low.size()});
        for (const double low : bins[f].low) out.put(low);
        for (const double high : bins[f].high) out.put(high);
    }
    return out.take();
}

void from_bytes(std::string_view bytes, std::vector<Feature>& features, std::vector<Bins>& bins) {
    ByteReader in(bytes);
    features.resize(in.get<std::uint64_t>());
    bins.resize(features.size());
    for (std::size_t f = 0; f < features.size(); ++f) {
        features[f].name = in.get_text();
        features[f].kind = in.get<model::FeatureKind>();
        features[f].precision = in.get<model::NumericPrecision>();
        bins[f].category = in.get<bool>();
        bins[f].count = in.get<std::uint32_t>();
        features[f].categories.resize(in.get<std::uint64_t>());
        for (auto& category : features[f].categories) category = in.get_text();
        bins[f].low.resize(in.get<std::uint64_t>());
        bins[f].high.resize(bins[f].low.size());
        for (double& low : bins[f].low) low = in.get<double>();
        for (double& high : bins[f].high) high = in.get<double>();
    }
}

}  // namespace regrove::store::binned_layout
