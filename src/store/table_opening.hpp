// Opening a table file, with errors that say what is wrong with it.
#pragma once

#include <string>

#include "regrove/core/error.hpp"
#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

/// Throws IoError when the system refuses, FormatError when the file is no HDF5 file or is damaged.
Hdf5Handle open_table(const std::string& path);

/// Runs `work`; HDF5's failures become a FormatError that names the file and `what` cannot be read.
template <class Work>
auto naming_damage(const std::string& path, const std::string& what, const Work& work) {
    try {
        return work();
    } catch (const Hdf5Failure& failure) {
        throw FormatError("'" + path + "' is damaged or truncated: " + what + " cannot be read (" + failure.what() +
                          "); make it again or restore a copy");
    }
}

}  // namespace regrove::store
