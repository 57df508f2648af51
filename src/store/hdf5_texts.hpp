// Datasets of texts: read with variable or fixed length, written with variable length.
#pragma once

#include <string>
#include <vector>

#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

/// Texts [begin, begin + count) of a one-dimensional dataset of variable- or fixed-length strings.
std::vector<std::string> read_texts(hid_t dataset, hsize_t begin, hsize_t count);
/// Writes texts (without NUL bytes) at `begin` of a dataset of variable-length strings.
void write_texts(hid_t dataset, hsize_t begin, const std::vector<std::string>& texts);

}  // namespace regrove::store
