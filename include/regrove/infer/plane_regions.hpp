// Where a model's answer changes over the plane of two numeric features, all others held still: exact borders.
//
// Glossary:
//   plane    a rectangle of values of two features, with one cell (see binding.hpp) for each other feature
//   region   the part of the plane that one leaf answers for: x_low < x <= x_high, and y alike
//   cut      a value at which some tree asks: the answer is the same between neighbouring cuts
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

struct Plane {
    FeatureId across = k_no_feature;
    FeatureId up = k_no_feature;
    double x_low = 0;
    double x_high = 1;
    double y_low = 0;
    double y_high = 1;
    /// One a feature of the model; those of `across` and `up` are of no account. None is NaN, for a surrogate might
    /// then ask the plane's own features; k_unknown_category is a category that no question knows.
    std::vector<double> cells;
};

struct TreeRegion {
    double x_low = 0;
    double x_high = 0;
    double y_low = 0;
    double y_high = 0;
    NodeId leaf = k_no_node;
    friend bool operator==(const TreeRegion&, const TreeRegion&) = default;
};

/// The leaves that a row of the plane can reach, from left to right: they tile the plane. O(nodes).
std::vector<TreeRegion> tree_regions(const model::Tree& tree, const Plane& plane);

/// The whole model's answers between its cuts, row by row from low y: columns() * rows() cells.
struct PlaneGrid {
    std::vector<double> x_cuts;         ///< ascending, inside the plane
    std::vector<double> y_cuts;         ///< likewise
    std::vector<std::int32_t> classes;  ///< as Predictor::classes; empty for regression
    std::vector<double> shares;         ///< the probability of that class; empty for regression
    std::vector<double> values;         ///< as Predictor::values; empty for classification

    std::size_t columns() const { return x_cuts.size() + 1; }
    std::size_t rows() const { return y_cuts.size() + 1; }
};

/// Time and memory: O(cells * trees) and O(cells + columns * trees). Throws LimitError when there are more than
/// `most_cells` cells.
PlaneGrid plane_grid(const model::Ensemble& ensemble, const Plane& plane, std::size_t most_cells);

}  // namespace regrove::infer
