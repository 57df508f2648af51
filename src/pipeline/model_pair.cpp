// What does not fit is collected first, so that one message names all of it.
#include "regrove/pipeline/model_pair.hpp"

#include <algorithm>
#include <span>

#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::size_t k_names_in_a_message = 10;

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    const std::size_t shown = std::min(items.size(), k_names_in_a_message);
    for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "'" : ", '") + items[i] + "'";
    if (items.size() > shown) text += " and " + std::to_string(items.size() - shown) + " more";
    return text;
}

std::vector<std::string> feature_names(const model::Ensemble& ensemble) {
    std::vector<std::string> names;
    for (const model::Feature& feature : ensemble.features) names.push_back(feature.name);
    return names;
}

bool knows(const model::Ensemble& ensemble, const std::string& name) {
    return std::ranges::find(ensemble.features, name, &model::Feature::name) != ensemble.features.end();
}

void require_classes(const model::Ensemble& ensemble, const std::string& file) {
    if (ensemble.task != model::Task::classification)
        throw InputError(file +
                         ": the model predicts numbers; only models that decide classes can be compared in class");
}

/// `unnamed` takes the names of `named`.
void take_names(model::Ensemble& unnamed, const model::Ensemble& named, const std::string& unnamed_file,
                const std::string& named_file) {
    if (!unnamed.features_by_position || named.features_by_position) return;
    const auto names = feature_names(unnamed);
    if (std::ranges::all_of(names, [&](const std::string& name) { return knows(named, name); })) return;
    if (unnamed.features.size() != named.features.size())
        throw InputError(unnamed_file + " knows its " + std::to_string(unnamed.features.size()) +
                         " features by their place only, but " + named_file + " has " +
                         std::to_string(named.features.size()));
    for (std::size_t f = 0; f < unnamed.features.size(); ++f) unnamed.features[f].name = named.features[f].name;
    unnamed.features_by_position = false;
}

std::vector<bool> asked_features(const model::Ensemble& ensemble) {
    std::vector<bool> asked(ensemble.features.size(), false);
    for (const model::Tree& tree : ensemble.trees) {
        for (const model::Node& node : tree.nodes) {
            if (node.is_leaf()) continue;
            asked[index(node.question.feature)] = true;
            for (const model::Surrogate& surrogate : node.question.surrogates) asked[index(surrogate.feature)] = true;
        }
    }
    return asked;
}

void require_known(const model::Ensemble& asking, const model::Ensemble& other, const std::string& asking_file,
                   const std::string& other_file) {
    const auto asked = asked_features(asking);
    std::vector<std::string> unknown;
    for (std::size_t f = 0; f < asked.size(); ++f)
        if (asked[f] && !knows(other, asking.features[f].name)) unknown.push_back(asking.features[f].name);
    if (unknown.empty()) return;
    const std::string nearest = nearest_name(unknown.front(), feature_names(other));
    throw InputError("the models do not fit: " + asking_file + " asks for " + joined(unknown) + ", which " +
                     other_file + " does not know" +
                     (nearest.empty() ? "" : " (nearest to '" + unknown.front() + "': '" + nearest + "')") +
                     "; features are matched by name");
}

void require_same_kinds(const ModelPair& pair, const std::string& first_file, const std::string& second_file) {
    for (const model::Feature& feature : pair.first.features) {
        const auto other = std::ranges::find(pair.second.features, feature.name, &model::Feature::name);
        if (other == pair.second.features.end() || other->kind == feature.kind) continue;
        const auto kind = [](model::FeatureKind k) {
            return k == model::FeatureKind::numeric ? std::string("numbers") : std::string("categories");
        };
        throw InputError("the models do not fit: '" + feature.name + "' holds " + kind(feature.kind) + " in " +
                         first_file + " and " + kind(other->kind) + " in " + second_file);
    }
}

std::vector<std::uint32_t> match_classes(const ModelPair& pair, const std::string& first_file,
                                         const std::string& second_file) {
    std::vector<std::uint32_t> map;
    for (const std::string& name : pair.second.classes) {
        const auto found = std::ranges::find(pair.first.classes, name);
        if (found != pair.first.classes.end())
            map.push_back(static_cast<std::uint32_t>(found - pair.first.classes.begin()));
    }
    if (map.size() != pair.first.classes.size() || map.size() != pair.second.classes.size())
        throw InputError("the models do not fit: the classes of " + first_file + " are " +
                         joined(pair.first.classes) + ", those of " + second_file + " " +
                         joined(pair.second.classes) + "; classes are matched by name");
    return map;
}

}  // namespace

ModelPair pair_models(model::Ensemble first, model::Ensemble second, const std::string& first_file,
                      const std::string& second_file) {
    require_classes(first, first_file);
    require_classes(second, second_file);
    ModelPair pair{std::move(first), std::move(second), {}};
    take_names(pair.first, pair.second, first_file, second_file);
    take_names(pair.second, pair.first, second_file, first_file);
    require_known(pair.first, pair.second, first_file, second_file);
    require_known(pair.second, pair.first, second_file, first_file);
    require_same_kinds(pair, first_file, second_file);
    pair.first_class_of_second = match_classes(pair, first_file, second_file);
    return pair;
}

}  // namespace regrove::pipeline
