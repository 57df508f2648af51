// Features, categories and borders translated question by question.
#include "common_features.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "regrove/algebra/condition.hpp"
#include "regrove/core/check.hpp"

namespace regrove::algebra {

namespace {

using model::Feature;
using model::NumericPrecision;

struct Translation {
    std::uint32_t feature = 0;
    bool widen = false;               ///< float32 in the model, float64 in the common list
    std::vector<std::uint32_t> code;  ///< of each of the model's categories
};

Translation translation_of(const Feature& own, const std::vector<Feature>& features) {
    const auto found = std::ranges::find(features, own.name, &Feature::name);
    REGROVE_CHECK(found != features.end() && found->kind == own.kind);
    Translation translation;
    translation.feature = static_cast<std::uint32_t>(found - features.begin());
    translation.widen = own.precision == NumericPrecision::float32 && found->precision == NumericPrecision::float64;
    std::unordered_map<std::string_view, std::uint32_t> codes;
    for (std::uint32_t code = 0; code < found->categories.size(); ++code)
        codes.emplace(found->categories[code], code);
    for (const std::string& category : own.categories) translation.code.push_back(codes.at(category));
    return translation;
}

std::vector<std::uint64_t> translated(const std::vector<std::uint64_t>& set, const Translation& translation) {
    std::vector<std::uint64_t> result;
    for (std::uint32_t code = 0; code < translation.code.size(); ++code)
        if (model::contains(set, code)) model::insert(result, translation.code[code]);
    return result;
}

template <class Asked>
void translate(Asked& asked, const std::vector<Translation>& translations) {
    const Translation& translation = translations[index(asked.feature)];
    asked.feature = FeatureId{translation.feature};
    if (asked.kind == model::QuestionKind::threshold) {
        if (translation.widen) asked.threshold = border_of_doubles(asked.threshold);
        return;
    }
    asked.right_categories = translated(asked.right_categories, translation);
    asked.seen_categories = translated(asked.seen_categories, translation);
}

}  // namespace

double border_of_doubles(double threshold) {
    if (std::isinf(threshold)) return threshold;
    const double low = canonical_border(threshold, NumericPrecision::float32);
    if (low == std::numeric_limits<double>::lowest()) {
        // Doubles from here down round to -inf as floats; it lies halfway between the lowest float and -2^128.
        return -(static_cast<double>(std::numeric_limits<float>::max()) + 0x1.0p103);
    }
    const auto narrow = static_cast<float>(low);
    const bool at_end = narrow == std::numeric_limits<float>::max();
    const double next = at_end ? 0x1.0p128 : std::nextafter(narrow, std::numeric_limits<float>::infinity());
    const double middle = low + (next - low) / 2;  // exact: one more bit than a float's
    const bool tie_goes_down = (std::bit_cast<std::uint32_t>(narrow) & 1U) == 0;
    return tie_goes_down ? middle : std::nextafter(middle, -std::numeric_limits<double>::infinity());
}

std::vector<Feature> common_features(const model::Ensemble& first, const model::Ensemble& second) {
    std::vector<Feature> features = first.features;
    for (const Feature& other : second.features) {
        const auto found = std::ranges::find(features, other.name, &Feature::name);
        if (found == features.end()) {
            features.push_back(other);
            continue;
        }
        if (found->precision != other.precision) found->precision = NumericPrecision::float64;
        for (const std::string& category : other.categories)
            if (std::ranges::find(found->categories, category) == found->categories.end())
                found->categories.push_back(category);
    }
    return features;
}

model::Ensemble over_features(const model::Ensemble& ensemble, const std::vector<Feature>& features) {
    std::vector<Translation> translations;
    for (const Feature& own : ensemble.features) translations.push_back(translation_of(own, features));
    model::Ensemble result = ensemble;
    result.features = features;
    for (model::Tree& tree : result.trees)
        for (model::Node& node : tree.nodes) {
            if (node.is_leaf()) continue;
            translate(node.question, translations);
            for (model::Surrogate& surrogate : node.question.surrogates) translate(surrogate, translations);
        }
    return result;
}

}  // namespace regrove::algebra
