// Datasets of texts: read with variable or fixed length, written with fixed length.
#pragma once

#include <string>
#include <vector>

#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

/// Texts [begin, begin + count) of a one-dimensional dataset of variable- or fixed-length strings.
std::vector<std::string> read_texts(hid_t dataset, hsize_t begin, hsize_t count);
/// Writes texts (without NUL bytes, no longer than the field) at `begin` of a dataset of fixed-length strings.
void write_texts(hid_t dataset, hsize_t begin, const std::vector<std::string>& texts);

/// Texts that are read, written and compressed at a time: at most 65536, and at most 4 MiB.
hsize_t text_batch_rows(std::size_t field_bytes);
hsize_t text_batch_rows_of(hid_t dataset);

}  // namespace regrove::store
