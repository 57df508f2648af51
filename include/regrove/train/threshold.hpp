// Where a threshold stands between two neighbouring values.
#pragma once

namespace regrove::train {

/// The middle of two neighbouring values, but never so high that the greater one would not exceed it.
inline double threshold_between(double low, double high) {
    const double middle = low + (high - low) / 2;
    return (middle < high ? middle : low) + 0.0;  // turns -0 into +0: which of them came first is chance
}

}  // namespace regrove::train
