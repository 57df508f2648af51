// One branch a method; what the model says of its making is written here for all of them.
#include "regrove/pipeline/learner.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"
#include "regrove/core/version.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/dist/training_set.hpp"

namespace regrove::pipeline {

void list_options(LearnerOptions& options, OptionTable& table) {
    table.add("method", options.method, Choices<Method>{{"cart", Method::cart}, {"forest", Method::forest}},
              "cart: one exact decision tree; forest: many trees, each on rows and features drawn at random");
    train::list_options(options.cart, table);
    train::list_options(options.forest, table);
}

std::string_view to_text(Method method) { return method == Method::cart ? "cart" : "forest"; }

void check_options(const LearnerOptions& options) {
    if (options.method == Method::forest) return;
    train::ForestOptions given = options.forest;
    train::ForestOptions usual;
    OptionTable given_table;
    OptionTable usual_table;
    train::list_options(given, given_table);
    train::list_options(usual, usual_table);
    for (std::size_t i = 0; i < given_table.entries().size(); ++i) {
        const OptionEntry& entry = given_table.entries()[i];
        if (entry.text() == usual_table.entries()[i].text()) continue;
        std::string flag = entry.name;
        std::replace(flag.begin(), flag.end(), '_', '-');
        throw ConfigError("--" + flag +
                          " is for --method forest, and the method is cart; leave it out, or add --method forest");
    }
}

void describe(model::Ensemble& ensemble, const LearnerOptions& options, std::uint64_t seed) {
    ensemble.provenance["method"] = to_text(options.method);
    ensemble.provenance["results_version"] = std::to_string(k_results_version);
    LearnerOptions named = options;
    OptionTable table;
    train::list_options(named.cart, table);
    if (options.method == Method::forest) {
        train::list_options(named.forest, table);
        ensemble.provenance["seed"] = std::to_string(seed);
    }
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
    } else {
        train::ForestOptions forest = options.forest;
        forest.out_of_bag = false;  // nobody would see the answers
        ensemble = dist::grow_forest(comm, std::move(shard), options.cart, forest, seed).ensemble;
    }
    describe(ensemble, options, seed);
    return ensemble;
}

}  // namespace regrove::pipeline
