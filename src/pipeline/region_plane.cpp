// Names to features, texts to cells, and the ends of axes from what model and table know.
#include "region_plane.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::pipeline {

namespace {

constexpr double k_room_at_ends = 0.04;  // of the range, so that nothing lies on the frame
constexpr std::size_t k_names_in_a_message = 10;

struct Range {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    bool is_known() const { return low <= high; }
    void widen(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

FeatureId find_feature(const model::Ensemble& ensemble, const std::string& name, const std::string& option) {
    std::vector<std::string> names;
    for (std::uint32_t f = 0; f < ensemble.features.size(); ++f) {
        if (ensemble.features[f].name == name) return FeatureId{f};
        names.push_back(ensemble.features[f].name);
    }
    const std::string nearest = nearest_name(name, names);
    throw ConfigError(option + ": the model has no feature '" + name + "'" +
                      (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

FeatureId axis_feature(const model::Ensemble& ensemble, const std::string& name) {
    const FeatureId id = find_feature(ensemble, name, "regions");
    if (ensemble.features[index(id)].kind == model::FeatureKind::category)
        throw ConfigError("regions: '" + name +
                          "' holds categories, which have no place on an axis; name numeric "
                          "features, and hold this one with --at " +
                          name + "=CATEGORY");
    return id;
}

/// What the model itself tells of a feature's values.
Range asked_range(const model::Ensemble& ensemble, FeatureId feature) {
    Range range;
    for (const model::Tree& tree : ensemble.trees) {
        for (const model::Node& node : tree.nodes) {
            const model::Question& question = node.question;
            if (question.kind != model::QuestionKind::threshold || question.feature != feature) continue;
            range.widen(question.threshold);
            if (!(question.training_low < question.training_high)) continue;  // not known
            range.widen(question.training_low);
            range.widen(question.training_high);
        }
    }
    return range;
}

Range axis_range(const model::Ensemble& ensemble, FeatureId feature, const data::TableShard* rows) {
    const std::string& name = ensemble.features[index(feature)].name;
    Range range = asked_range(ensemble, feature);
    if (rows != nullptr)
        for (const double value : column_numbers(*rows, name)) range.widen(value);
    if (!range.is_known())
        throw ConfigError("regions: the model asks nothing about '" + name +
                          "' and there is no --data to tell its range; name another feature");
    const double width = range.high - range.low;
    const double room = width > 0 ? width * k_room_at_ends : std::max(std::abs(range.low) / 10, 0.5);
    return {range.low - room, range.high + room};
}

double category_cell(const model::Feature& feature, const std::string& value) {
    for (std::size_t code = 0; code < feature.categories.size(); ++code)
        if (feature.categories[code] == value) return static_cast<double>(code);
    std::string known;
    for (std::size_t code = 0; code < std::min(feature.categories.size(), k_names_in_a_message); ++code)
        known += (code == 0 ? "" : ", ") + feature.categories[code];
    if (feature.categories.size() > k_names_in_a_message) known += ", ...";
    throw ConfigError("at: '" + feature.name + "' has no category '" + value + "'; it has " + known);
}

double number_cell(const model::Feature& feature, const std::string& value) {
    const auto number = parse_double(value);
    if (number.status != NumberStatus::ok)
        throw ConfigError("at: '" + value + "' is no number, and '" + feature.name + "' holds numbers");
    return feature.precision == model::NumericPrecision::float32 ? static_cast<float>(number.value) : number.value;
}

std::map<std::uint32_t, double> given_cells(const model::Ensemble& ensemble, const RegionRequest& request) {
    std::map<std::uint32_t, double> cells;
    for (const std::string& item : request.at) {
        const std::size_t sign = item.rfind('=');
        if (sign == std::string::npos) throw ConfigError("at: '" + item + "' is not of the form feature=value");
        const std::string name = item.substr(0, sign);
        const std::uint32_t f = index(find_feature(ensemble, name, "at"));
        if (std::ranges::find(request.features, name) != request.features.end())
            throw ConfigError("at: '" + name + "' is an axis of the map and cannot be held");
        const model::Feature& feature = ensemble.features[f];
        const std::string value = item.substr(sign + 1);
        const double cell = feature.kind == model::FeatureKind::category ? category_cell(feature, value)
                                                                         : number_cell(feature, value);
        if (!cells.emplace(f, cell).second) throw ConfigError("at: '" + name + "' is given twice");
    }
    return cells;
}

/// The lower median of the numbers that are there.
std::optional<double> median(std::vector<double> numbers) {
    std::erase_if(numbers, [](double number) { return std::isnan(number); });
    if (numbers.empty()) return std::nullopt;
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>((numbers.size() - 1) / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

/// The smallest code among the most frequent ones.
std::optional<double> most_frequent(const std::vector<double>& codes) {
    std::map<double, std::size_t> counts;
    for (const double code : codes)
        if (code >= 0) ++counts[code];
    if (counts.empty()) return std::nullopt;
    return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })->first;
}

/// Where a feature that no one holds is put: by the table, else by the model.
double usual_cell(const model::Ensemble& ensemble, FeatureId feature, const std::vector<double>& table_cells) {
    const bool category = ensemble.features[index(feature)].kind == model::FeatureKind::category;
    const auto usual = category ? most_frequent(table_cells) : median(table_cells);
    if (usual) return *usual;
    if (category) return infer::k_unknown_category;
    const Range range = asked_range(ensemble, feature);
    return range.is_known() ? range.low / 2 + range.high / 2 : 0;
}

std::string held_text(const model::Feature& feature, double cell) {
    if (feature.kind == model::FeatureKind::numeric) return feature.name + " = " + draw::value_text(cell);
    if (cell == infer::k_unknown_category) return feature.name + " = (the heavier side)";
    return feature.name + " = " + feature.categories[static_cast<std::size_t>(cell)];
}

std::vector<bool> asked_features(const model::Ensemble& ensemble) {
    std::vector<bool> asked(ensemble.features.size());
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes)
            if (!node.is_leaf()) asked[index(node.question.feature)] = true;
    return asked;
}

}  // namespace

std::vector<double> column_numbers(const data::TableShard& rows, const std::string& name) {
    const auto column = rows.schema.find(name);
    if (!column) throw InputError("the table has no column '" + name + "', which is an axis of the map");
    std::vector<double> numbers(rows.rows);
    for (std::size_t row = 0; row < numbers.size(); ++row)
        numbers[row] = data::as_double(rows.schema.columns[*column].type, rows.values[*column], row);
    return numbers;
}

RegionPlane make_region_plane(const model::Ensemble& ensemble, const RegionRequest& request,
                              const data::TableShard* rows) {
    if (request.features.size() != 2 || request.features[0] == request.features[1])
        throw ConfigError("regions: name two different numeric features, as in --regions age,chol");
    RegionPlane made;
    infer::Plane& plane = made.plane;
    plane.across = axis_feature(ensemble, request.features[0]);
    plane.up = axis_feature(ensemble, request.features[1]);
    const auto given = given_cells(ensemble, request);
    const Range x = axis_range(ensemble, plane.across, rows);
    const Range y = axis_range(ensemble, plane.up, rows);
    plane.x_low = x.low;
    plane.x_high = x.high;
    plane.y_low = y.low;
    plane.y_high = y.high;

    const auto asked = asked_features(ensemble);
    std::optional<infer::Binding> binding;
    if (rows != nullptr) binding.emplace(ensemble, rows->schema);
    plane.cells.resize(ensemble.features.size());
    for (std::uint32_t f = 0; f < plane.cells.size(); ++f) {
        const FeatureId id{f};
        if (!asked[f] || id == plane.across || id == plane.up) continue;
        const auto found = given.find(f);
        plane.cells[f] =
            found != given.end()
                ? found->second
                : usual_cell(ensemble, id, binding ? binding->feature_cells(*rows, id) : std::vector<double>{});
        made.held.push_back(held_text(ensemble.features[f], plane.cells[f]));
    }
    return made;
}

}  // namespace regrove::pipeline
