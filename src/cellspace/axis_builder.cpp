#include "axis_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "regrove/core/error.hpp"

namespace regrove::cellspace {

namespace {

using model::FeatureKind;
using model::NumericPrecision;
using model::QuestionKind;
using model::Side;

/// Doubles in rising order as integers, and back.
std::int64_t rank_of(double value) {
    const auto bits = std::bit_cast<std::int64_t>(value);
    return bits >= 0 ? bits : std::int64_t{-1} - (bits & 0x7FFFFFFFFFFFFFFF);
}
double value_of(std::int64_t rank) {
    if (rank >= 0) return std::bit_cast<double>(rank);
    return -std::bit_cast<double>(std::int64_t{-1} - rank);
}

char side_letter(bool right) { return right ? '>' : '<'; }

}  // namespace

double float32_border(double threshold) {
    std::int64_t low = rank_of(-HUGE_VAL);  // float(-inf) <= threshold always
    std::int64_t high = rank_of(HUGE_VAL);
    if (threshold == HUGE_VAL) return threshold;
    while (low + 1 < high) {  // their difference may not fit
        const std::int64_t middle = low / 2 + high / 2 + (low % 2 + high % 2) / 2;
        if (static_cast<double>(static_cast<float>(value_of(middle))) <= threshold)
            low = middle;
        else
            high = middle;
    }
    return value_of(low) + 0.0;  // no negative zero
}

std::vector<std::uint32_t> codes_of(const Axis& axis, const model::Feature& feature) {
    std::map<std::string, std::uint32_t> codes;
    for (std::uint32_t code = 0; code < feature.categories.size(); ++code)
        codes.emplace(feature.categories[code], code);
    std::vector<std::uint32_t> result;
    for (const std::string& category : axis.categories) {
        const auto found = codes.find(category);
        result.push_back(found != codes.end() ? found->second
                                              : static_cast<std::uint32_t>(feature.categories.size()));
    }
    return result;
}

AxisBuilder::AxisBuilder(const model::Feature& feature) {
    axis_.name = feature.name;
    axis_.kind = feature.kind;
    axis_.precision = feature.precision;
    axis_.categories = feature.categories;
    signatures_.resize(axis_.categories.size());
}

void AxisBuilder::join(const model::Feature& feature) {
    if (feature.kind != axis_.kind)
        throw InputError("feature '" + axis_.name +
                         "' is numeric in one model and a category in the other: they cannot be compared");
    const auto known = axis_.categories.size();
    for (const std::string& category : feature.categories) {
        const auto end = axis_.categories.begin() + static_cast<std::ptrdiff_t>(known);
        if (std::find(axis_.categories.begin(), end, category) == end) axis_.categories.push_back(category);
    }
    if (axis_.categories.size() > known && !signatures_.empty() && !signatures_.front().empty())
        throw InternalError("models must be joined before their questions are asked");
    signatures_.resize(axis_.categories.size());
}

void AxisBuilder::add_threshold(const model::Feature& feature, double threshold) {
    if (threshold == HUGE_VAL) return;
    const bool narrow = feature.precision == NumericPrecision::float32;
    const double border = narrow ? float32_border(threshold) : threshold + 0.0;
    double written = border;
    if (narrow) {  // the largest float at or below the threshold
        written = static_cast<double>(static_cast<float>(border)) + 0.0;
    }
    thresholds_.emplace(border, written);
}

template <class Answer>
void AxisBuilder::add_signature(const model::Feature& feature, Answer answer) {
    const std::vector<std::uint32_t> codes = codes_of(axis_, feature);
    for (std::size_t i = 0; i < codes.size(); ++i) signatures_[i] += answer(codes[i]);
}

void AxisBuilder::ask(const model::Feature& feature, const model::Question& question) {
    missing_seen_ = missing_seen_ || question.missing_seen;
    if (question.kind == QuestionKind::threshold) return add_threshold(feature, question.threshold);
    add_signature(feature, [&](std::uint32_t code) {
        const bool seen = model::contains(question.seen_categories, code);
        return side_letter(seen ? model::contains(question.right_categories, code)
                                : question.heavier_side == Side::right);
    });
}

void AxisBuilder::ask(const model::Feature& feature, const model::Surrogate& surrogate) {
    if (surrogate.kind == QuestionKind::threshold) return add_threshold(feature, surrogate.threshold);
    add_signature(feature, [&](std::uint32_t code) {
        if (!model::contains(surrogate.seen_categories, code)) return '?';
        return side_letter(model::contains(surrogate.right_categories, code) != surrogate.reversed);
    });
}

Axis AxisBuilder::build(UnseenValues unseen) const {
    Axis axis = axis_;
    axis.has_missing = missing_seen_ || unseen == UnseenValues::inside;
    if (axis.kind == FeatureKind::numeric) {
        for (const auto& [border, written] : thresholds_) {
            axis.thresholds.push_back(border);
            axis.written_thresholds.push_back(written);
        }
        axis.value_cells = static_cast<std::uint32_t>(axis.thresholds.size()) + 1;
        return axis;
    }
    std::map<std::string, std::uint32_t> cells;
    for (const std::string& signature : signatures_)
        axis.cell_of_category.push_back(
            cells.emplace(signature, static_cast<std::uint32_t>(cells.size())).first->second);
    axis.value_cells = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(cells.size()));  // an empty dictionary
    axis.has_unknown = unseen == UnseenValues::inside;
    return axis;
}

}  // namespace regrove::cellspace
