// Features are counted, then renumbered in every question.
#include "regrove/infer/narrow_model.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/model/frame.hpp"

namespace regrove::infer {

namespace {

constexpr std::uint32_t k_unused = ~std::uint32_t{0};

template <class Visit>
void each_feature(std::vector<model::Tree>& trees, Visit visit) {
    for (model::Tree& tree : trees) {
        for (model::Node& node : tree.nodes) {
            if (node.is_leaf()) continue;
            visit(node.question.feature);
            for (model::Surrogate& surrogate : node.question.surrogates) visit(surrogate.feature);
        }
    }
}

NarrowModel narrowed(const model::Ensemble& ensemble, model::Ensemble frame) {
    std::vector<std::uint32_t> places(ensemble.features.size(), k_unused);
    each_feature(frame.trees, [&](FeatureId feature) { places[index(feature)] = 0; });
    NarrowModel narrow;
    for (std::uint32_t f = 0; f < places.size(); ++f) {
        if (places[f] == k_unused) continue;
        places[f] = static_cast<std::uint32_t>(narrow.features.size());
        narrow.features.push_back(f);
        frame.features.push_back(ensemble.features[f]);
    }
    each_feature(frame.trees, [&](FeatureId& feature) { feature = FeatureId{places[index(feature)]}; });
    narrow.model = std::move(frame);
    return narrow;
}

}  // namespace

NarrowModel narrow_model(const model::Ensemble& ensemble) {
    model::Ensemble frame = model::frame_without_features(ensemble);
    frame.trees = ensemble.trees;
    frame.tree_weights = ensemble.tree_weights;
    frame.tree_outputs = ensemble.tree_outputs;
    return narrowed(ensemble, std::move(frame));
}

NarrowModel narrow_tree(const model::Ensemble& ensemble, const model::Tree& tree) {
    model::Ensemble frame = model::frame_without_features(ensemble);
    frame.trees = {tree};
    return narrowed(ensemble, std::move(frame));
}

std::vector<std::uint32_t> sparse_columns_of(const model::Ensemble& ensemble, const data::SparseCells& cells) {
    std::unordered_map<std::string_view, std::uint32_t> places;
    for (std::uint32_t c = 0; c < cells.columns.size(); ++c) places.emplace(cells.columns[c].name, c);
    std::vector<std::uint32_t> columns;
    std::string missing;
    std::size_t count = 0;
    for (const model::Feature& feature : ensemble.features) {
        if (feature.kind == model::FeatureKind::category)
            throw InputError("feature '" + feature.name +
                             "' of the model holds categories, and the table is sparse: ingest it to a dense table");
        const auto found = places.find(feature.name);
        if (found == places.end() && count++ < 10) missing += (missing.empty() ? "'" : ", '") + feature.name + "'";
        columns.push_back(found == places.end() ? 0 : found->second);
    }
    if (count != 0)
        throw InputError("the table's columns do not fit the model: " + std::to_string(count) + " of the " +
                         std::to_string(ensemble.features.size()) + " features looked for are missing: " + missing +
                         (count > 10 ? " and more" : "") +
                         "; columns are matched by name: take the table that the model was made for");
    return columns;
}

}  // namespace regrove::infer
