// Roots of the Legendre polynomials, each set found between the roots of the one before.
#include "regrove/algebra/gauss_points.hpp"

#include "regrove/core/check.hpp"

namespace regrove::algebra {

namespace {

constexpr int k_halvings = 70;  ///< more than a long double's digits on any machine that has 80 bits of it

struct Legendre {
    long double value = 1;
    long double before = 0;  ///< of the degree below
};

/// Bonnet's recursion.
Legendre legendre(std::size_t degree, long double x) {
    Legendre at;
    for (std::size_t n = 1; n <= degree; ++n) {
        const auto number = static_cast<long double>(n);
        const long double next = ((2 * number - 1) * x * at.value - (number - 1) * at.before) / number;
        at.before = at.value;
        at.value = next;
    }
    return at;
}

/// The one root between two places where the polynomial has different signs.
long double root_between(std::size_t degree, long double low, long double high) {
    const bool rises = legendre(degree, high).value > 0;
    for (int i = 0; i < k_halvings; ++i) {
        const long double middle = (low + high) / 2;
        if ((legendre(degree, middle).value > 0) == rises)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

/// The roots of each degree lie between those of the degree below, which are given, and the ends.
std::vector<long double> next_roots(std::size_t degree, const std::vector<long double>& roots) {
    std::vector<long double> next;
    for (std::size_t i = 0; i < degree; ++i) {
        const long double low = i == 0 ? -1 : roots[i - 1];
        const long double high = i + 1 == degree ? 1 : roots[i];
        next.push_back(root_between(degree, low, high));
    }
    return next;
}

GaussPoint point_at(std::size_t degree, long double root) {
    const auto n = static_cast<long double>(degree);
    const Legendre at = legendre(degree, root);
    const long double slope = n * (at.before - root * at.value) / (1 - root * root);
    GaussPoint point;
    point.place = static_cast<double>((1 + root) / 2);
    point.complement = static_cast<double>((1 - root) / 2);
    point.weight = static_cast<double>(1 / ((1 - root * root) * slope * slope));
    return point;
}

}  // namespace

std::vector<GaussPoint> gauss_points(std::size_t count) {
    REGROVE_CHECK(count > 0);
    std::vector<long double> roots;
    for (std::size_t degree = 1; degree <= count; ++degree) roots = next_roots(degree, roots);
    std::vector<GaussPoint> points;
    for (const long double root : roots) points.push_back(point_at(count, root));
    return points;
}

}  // namespace regrove::algebra
