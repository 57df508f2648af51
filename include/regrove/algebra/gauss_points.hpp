// Points and weights that integrate polynomials over [0, 1] exactly: Gauss-Legendre quadrature.
#pragma once

#include <cstddef>
#include <vector>

namespace regrove::algebra {

struct GaussPoint {
    double place = 0;       ///< t in (0, 1), ascending
    double complement = 0;  ///< 1 - t, with all of its digits
    double weight = 0;      ///< all weights sum to 1
};

/// `count` >= 1 points: exact for degrees below 2 * count, but for the rounding of the figures themselves (computed
/// in long double from basic operations). O(count^3).
std::vector<GaussPoint> gauss_points(std::size_t count);

}  // namespace regrove::algebra
