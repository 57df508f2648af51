#include "regrove/cellspace/space.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "regrove/core/number_text.hpp"

#include "axis_builder.hpp"

namespace regrove::cellspace {

namespace {

/// Builders of the features that some question asks for, in the order of the models' features.
class SpaceBuilder {
  public:
    explicit SpaceBuilder(std::span<const model::Ensemble* const> models) : models_(models) {
        for (const model::Ensemble* model : models_)
            for (const model::Feature& feature : model->features) add(feature);
    }

    Space build(UnseenValues unseen) {
        for (const model::Ensemble* model : models_)
            for (const model::Tree& tree : model->trees)
                for (const model::Node& node : tree.nodes)
                    if (!node.is_leaf()) ask(*model, node.question);
        Space space;
        space.unseen = unseen;
        for (std::size_t i = 0; i < builders_.size(); ++i)
            if (asked_[i]) space.axes.push_back(builders_[i].build(unseen));
        return space;
    }

  private:
    void add(const model::Feature& feature) {
        const auto [place, is_new] = places_.emplace(feature.name, builders_.size());
        if (is_new) {
            builders_.emplace_back(feature);
            asked_.push_back(false);
        } else {
            builders_[place->second].join(feature);
        }
    }

    void ask(const model::Ensemble& model, const model::Question& question) {
        ask_one(model, question.feature, question);
        for (const model::Surrogate& surrogate : question.surrogates) ask_one(model, surrogate.feature, surrogate);
    }

    template <class Asked>
    void ask_one(const model::Ensemble& model, FeatureId id, const Asked& asked) {
        const model::Feature& feature = model.features[index(id)];
        const std::size_t place = places_.at(feature.name);
        builders_[place].ask(feature, asked);
        asked_[place] = true;
    }

    std::span<const model::Ensemble* const> models_;
    std::map<std::string, std::size_t> places_;
    std::vector<AxisBuilder> builders_;
    std::vector<bool> asked_;
};

/// A number inside the interval (low, high] that reads well.
double inside(double low, double high) {
    if (std::isinf(low) && std::isinf(high)) return high < 0 ? high : 0;
    if (std::isinf(low)) return high;
    if (std::isinf(high)) return std::nextafter(std::max(low + 1, low + std::fabs(low)), HUGE_VAL);
    const double middle = low / 2 + high / 2;
    return middle > low && middle <= high ? middle : high;
}

}  // namespace

double Space::log10_cells() const {
    double sum = 0;
    for (const Axis& axis : axes) sum += std::log10(static_cast<double>(axis.cells()));
    return sum;
}

std::uint64_t Space::hyperplanes() const {
    std::uint64_t sum = 0;
    for (const Axis& axis : axes) sum += axis.cells() - 1;
    return sum;
}

Space make_space(std::span<const model::Ensemble* const> models, UnseenValues unseen) {
    return SpaceBuilder(models).build(unseen);
}

Box whole(const Space& space) {
    Box box;
    for (const Axis& axis : space.axes) {
        box.low.push_back(0);
        box.high.push_back(axis.cells() - 1);
    }
    return box;
}

std::uint32_t cell_of(const Axis& axis, double value) {
    constexpr std::uint32_t nowhere = 0xFFFFFFFF;
    if (std::isnan(value)) return axis.has_missing ? axis.missing_cell() : nowhere;
    if (axis.kind == model::FeatureKind::numeric)
        return static_cast<std::uint32_t>(std::ranges::lower_bound(axis.thresholds, value) - axis.thresholds.begin());
    if (value >= 0 && value < static_cast<double>(axis.cell_of_category.size()))
        return axis.cell_of_category[static_cast<std::size_t>(value)];
    return axis.has_unknown ? axis.unknown_cell() : nowhere;
}

std::string example_text(const Axis& axis, std::uint32_t cell) {
    if (axis.has_missing && cell == axis.missing_cell()) return "missing";
    if (axis.has_unknown && cell == axis.unknown_cell()) return "a category in no dictionary";
    if (axis.kind == model::FeatureKind::numeric) {
        const double low = cell == 0 ? -HUGE_VAL : axis.thresholds[cell - 1];
        const double high = cell + 1 == axis.value_cells ? HUGE_VAL : axis.thresholds[cell];
        double value = inside(low, high);
        if (axis.precision == model::NumericPrecision::float32) {  // prefer a float, if one lies inside
            const double narrow = static_cast<double>(static_cast<float>(value));
            if (narrow > low && narrow <= high) value = narrow;
        }
        return to_text(value);
    }
    const auto found = std::ranges::find(axis.cell_of_category, cell);
    return axis.categories[static_cast<std::size_t>(found - axis.cell_of_category.begin())];
}

std::string cells_text(const Axis& axis, std::uint32_t low, std::uint32_t high) {
    const std::uint32_t last_value = std::min(high, axis.value_cells - 1);
    std::string text;
    const auto join = [&](const std::string& part) { text += (text.empty() ? "" : " or ") + part; };
    if (low < axis.value_cells && axis.kind == model::FeatureKind::numeric) {
        std::string part = axis.name;
        if (low > 0) part = to_text(axis.written_thresholds[low - 1]) + " < " + part;
        if (last_value + 1 < axis.value_cells) part += " <= " + to_text(axis.written_thresholds[last_value]);
        join(low == 0 && last_value + 1 == axis.value_cells ? part + " is any number" : part);
    } else if (low < axis.value_cells) {
        std::string part;
        for (std::size_t code = 0; code < axis.cell_of_category.size(); ++code) {
            const std::uint32_t cell = axis.cell_of_category[code];
            if (cell >= low && cell <= last_value) part += (part.empty() ? "" : ", ") + axis.categories[code];
        }
        join(axis.name + " in {" + part + "}");
    }
    if (axis.has_unknown && low <= axis.unknown_cell() && high >= axis.unknown_cell())
        join(axis.name + " in no dictionary");
    if (axis.has_missing && high >= axis.missing_cell()) join(axis.name + " is missing");
    return text;
}

}  // namespace regrove::cellspace
