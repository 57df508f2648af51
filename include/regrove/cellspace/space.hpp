// The space that models decide over, cut into its finest cells: within a cell no question of any of the models tells
// two points apart.
//
// Glossary of the module:
//   axis        one feature that some question asks for, with its cells in order
//   cell        on a numeric axis an interval (a, b] between neighbouring thresholds; on a category axis the categories
//               that all questions treat alike, in the order of their smallest code; then, each where it is part of the
//               space, a cell for a category in no dictionary ("unknown") and one for a missing value, always last
//   hyperplane  the border behind cell l of an axis: a question sends cells above l right; axes with n cells have n - 1
//   box         the cells between two corners, both included: an interval of cells on every axis (the paper's region)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::cellspace {

/// Whether values that training never saw are part of the space: a missing value of a feature that was never missing
/// in training, and categories that are in no dictionary.
enum class UnseenValues : std::uint8_t { outside, inside };

struct Axis {
    std::string name;
    model::FeatureKind kind = model::FeatureKind::numeric;
    model::NumericPrecision precision = model::NumericPrecision::float64;
    /// Numeric: rising; cell l holds thresholds[l - 1] < x <= thresholds[l]. In double, exact for float32 features too:
    /// the largest double that rounds to at most the model's threshold.
    std::vector<double> thresholds;
    /// Numeric: the same borders as a model of this precision writes them.
    std::vector<double> written_thresholds;
    /// Category: the dictionary (of all models, in the order of the first) and each code's cell.
    std::vector<std::string> categories;
    std::vector<std::uint32_t> cell_of_category;
    bool has_unknown = false;
    bool has_missing = false;
    std::uint32_t value_cells = 1;  ///< cells without unknown and missing

    std::uint32_t cells() const { return value_cells + (has_unknown ? 1U : 0U) + (has_missing ? 1U : 0U); }
    std::uint32_t unknown_cell() const { return value_cells; }                            ///< if has_unknown
    std::uint32_t missing_cell() const { return value_cells + (has_unknown ? 1U : 0U); }  ///< if has_missing
};

struct Space {
    std::vector<Axis> axes;  ///< in the order of the first model's features, then the second's further ones
    UnseenValues unseen = UnseenValues::outside;

    /// log10 of the number of cells.
    double log10_cells() const;
    std::uint64_t hyperplanes() const;
};

/// The common space of models, whose features are matched by name. Throws InputError when a feature is numeric in one
/// and a category in another. A feature's missing value is part of the space when some question saw one in training,
/// or `unseen` says so.
Space make_space(std::span<const model::Ensemble* const> models, UnseenValues unseen);

/// Corners of a box, one number an axis, both included.
struct Box {
    std::vector<std::uint32_t> low;
    std::vector<std::uint32_t> high;
    friend bool operator==(const Box&, const Box&) = default;
};

Box whole(const Space& space);

/// The cell of a value: a number, or for category axes a code of Axis::categories; NaN is missing, -1 an unknown
/// category. Values outside the space (a missing value where the axis has no such cell) give nothing useful: UINT32_MAX.
std::uint32_t cell_of(const Axis& axis, double value);

/// A value in a cell, for people: a number strictly inside the interval where one can be, a category's name, "missing".
std::string example_text(const Axis& axis, std::uint32_t cell);
/// "x <= 2.5", "colour in {red, blue}", "x is missing": the cells low..high of an axis.
std::string cells_text(const Axis& axis, std::uint32_t low, std::uint32_t high);

}  // namespace regrove::cellspace
