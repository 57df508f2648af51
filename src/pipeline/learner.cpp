// One branch a method; what the model says of its making is written here for all of them.
#include "regrove/pipeline/learner.hpp"

#include "regrove/core/version.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/pipeline/boosting_fit.hpp"

namespace regrove::pipeline {

void describe(model::Ensemble& ensemble, const LearnerOptions& options, std::uint64_t seed) {
    ensemble.provenance["method"] = to_text(options.method);
    ensemble.provenance["results_version"] = std::to_string(k_results_version);
    LearnerOptions named = options;
    OptionTable table;
    list_method_options(named, table);
    if (options.method != Method::cart) ensemble.provenance["seed"] = std::to_string(seed);
    for (const auto& entry : table.entries()) {
        // Out-of-bag answers are an output of their own: asking for them leaves the model as it is.
        if (entry.affects_result && entry.name != "oob") ensemble.provenance["option." + entry.name] = entry.text();
    }
}

model::Ensemble fit(comm::Communicator& comm, data::TableShard shard, const LearnerOptions& options,
                    std::uint64_t seed) {
    model::Ensemble ensemble;
    if (options.method == Method::cart) {
        const dist::TrainingSet set = dist::make_training_set(comm, std::move(shard), options.cart);
        ensemble = dist::make_ensemble(set, dist::grow_cart_tree(comm, set, options.cart).tree);
    } else if (options.method == Method::forest) {
        train::ForestOptions forest = options.forest;
        forest.out_of_bag = false;  // nobody would see the answers
        ensemble = dist::grow_forest(comm, std::move(shard), options.cart, forest, seed).ensemble;
    } else {
        dist::BoostingTables tables;
        tables.training = std::move(shard);
        ensemble = fit_boosting(comm, std::move(tables), options, seed, dist::CurveWanted::none).ensemble;
    }
    describe(ensemble, options, seed);
    return ensemble;
}

}  // namespace regrove::pipeline
