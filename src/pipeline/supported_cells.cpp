// Columns are read through a model that asks for every axis, in the space's own categories.
#include "regrove/pipeline/supported_cells.hpp"

#include <algorithm>
#include <optional>

#include "regrove/core/error.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::pipeline {

namespace {

/// The features of `ensemble` with the dictionaries of the space, and one question for each axis: another model may
/// have asked for it, and Binding reads only what is asked for. Values are not rounded, as the borders of the space
/// are exact in double for values that a model rounds, too.
model::Ensemble asking_for_axes(const cellspace::Space& space, const model::Ensemble& ensemble) {
    model::Ensemble asking;
    asking.label_name = ensemble.label_name;
    asking.features = ensemble.features;
    asking.features_by_position = ensemble.features_by_position;
    for (model::Feature& feature : asking.features) feature.precision = model::NumericPrecision::float64;
    for (const cellspace::Axis& axis : space.axes) {
        const auto found = std::ranges::find(asking.features, axis.name, &model::Feature::name);
        if (found == asking.features.end())
            throw InternalError("axis '" + axis.name + "' of the space is no feature of the model");
        found->categories = axis.categories;
        model::Node root;
        root.question.kind =
            axis.kind == model::FeatureKind::numeric ? model::QuestionKind::threshold : model::QuestionKind::category;
        root.question.feature = FeatureId{static_cast<std::uint32_t>(found - asking.features.begin())};
        asking.trees.push_back({{root}});
    }
    return asking;
}

}  // namespace

dist::TableCells supported_cells(comm::Communicator& comm, const cellspace::Space& space,
                                 const model::Ensemble& ensemble, const data::TableShard& shard, bool corners_only,
                                 std::vector<std::string>& warnings) {
    model::Ensemble asking;
    std::optional<infer::Binding> binding;
    agree_plainly(comm, [&] {
        asking = asking_for_axes(space, ensemble);
        binding.emplace(asking, shard.schema);
    });
    warnings.insert(warnings.end(), binding->warnings().begin(), binding->warnings().end());
    dist::TableCells found = corners_only ? dist::range_corners(comm, space, asking, *binding, shard)
                                          : dist::distinct_cells(comm, space, asking, *binding, shard);
    if (found.rows_outside == shard.global_rows) throw InputError("no row of the table lies in the models' space");
    if (found.rows_outside != 0)
        warnings.push_back(std::to_string(found.rows_outside) + " of " + std::to_string(shard.global_rows) +
                           " rows have a missing value where no training row had one, or a category that no model "
                           "knows, and are left out; --unseen inside takes them in");
    return found;
}

}  // namespace regrove::pipeline
