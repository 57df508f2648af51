// Names in a kept binned table, and its description of features: docs/binned-file.md in code.
#pragma once

#include <string>
#include <vector>

#include "regrove/store/binned_file.hpp"
#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store::binned_layout {

constexpr const char* k_codes_group = "codes";
constexpr const char* k_features_group = "features";
// attributes of the file
constexpr const char* k_features = "features";
constexpr const char* k_max_bin = "max_bin";
constexpr const char* k_quantile_rows = "quantile_rows";
constexpr const char* k_table_hash = "table_content_hash";
constexpr const char* k_description_hash = "description_hash";
// attributes of a tile
constexpr const char* k_hash = "hash";
constexpr const char* k_stride = "row_bytes";
constexpr const char* k_code_bytes = "code_bytes";

std::string tile_path(std::size_t tile);

/// Bytes that write_features adds at most.
std::uint64_t feature_bytes(const std::vector<model::Feature>& features, const std::vector<binning::Bins>& bins);
/// Features and bins as datasets of the file, with a hash of them all.
void write_features(hid_t file, const std::vector<model::Feature>& features, const std::vector<binning::Bins>& bins);
/// The inverse; throws FormatError when it makes no sense or has another hash.
void read_features(const std::string& path, hid_t file, std::vector<model::Feature>& features,
                   std::vector<binning::Bins>& bins);

/// For messages between ranks, and for the hash.
std::string to_bytes(const std::vector<model::Feature>& features, const std::vector<binning::Bins>& bins);
void from_bytes(std::string_view bytes, std::vector<model::Feature>& features, std::vector<binning::Bins>& bins);

}  // namespace regrove::store::binned_layout
