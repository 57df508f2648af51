// The HDF5 library's version, for --version.
#pragma once

#include <string>

namespace regrove::store {

/// "HDF5 1.10.8 (parallel)".
std::string hdf5_version_text();

}  // namespace regrove::store
