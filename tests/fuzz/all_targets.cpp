// The table of fuzz targets.
#include "fuzz/fuzz_target.hpp"

namespace regrove::fuzz {

std::span<const Target> all_targets() {
    static const std::vector<Target> targets = {libsvm_target(), csv_target(),   bytes_target(),
                                                idx_target(),    model_target(), number_target()};
    return targets;
}

}  // namespace regrove::fuzz
