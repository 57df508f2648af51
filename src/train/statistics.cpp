#include "regrove/train/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/portable_math.hpp"

namespace regrove::train {

EntropyTerms::EntropyTerms(std::int64_t total_weight, double unit) : unit_(unit) {
    const double real = static_cast<double>(total_weight) * unit;
    // |sum of x log2 x| over up to 2^16 classes is at most real * (|log2 real| + 16); two bits of head room.
    const double bound = std::max(1.0, real * (std::fabs(portable::log2(std::max(real, 1e-300))) + 16));
    int exponent = 0;
    std::frexp(bound, &exponent);
    scale_ = std::ldexp(1.0, exponent - 60);
}

std::int64_t EntropyTerms::operator()(std::int64_t weight) const {
    if (weight <= 0) return 0;
    const double x = static_cast<double>(weight) * unit_;
    return std::llround(x * portable::log2(x) / scale_);
}

}  // namespace regrove::train
