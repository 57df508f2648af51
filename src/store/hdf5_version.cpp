#include "regrove/store/hdf5_version.hpp"

#include <hdf5.h>

namespace regrove::store {

std::string hdf5_version_text() {
    unsigned major = 0;
    unsigned minor = 0;
    unsigned release = 0;
    H5get_libversion(&major, &minor, &release);
#ifdef H5_HAVE_PARALLEL
    const std::string kind = "parallel";
#else
    const std::string kind = "serial";
#endif
    return "HDF5 " + std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(release) + " (" +
           kind + ")";
}

}  // namespace regrove::store
