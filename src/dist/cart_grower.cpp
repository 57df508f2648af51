#include "regrove/dist/cart_grower.hpp"

#include "regrove/core/error.hpp"
#include "regrove/dist/column_runs.hpp"
#include "regrove/dist/split_search.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::dist {

GrownTree grow_cart_tree(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options) {
    if (options.max_leaves != 0 && options.growth_order == train::GrowthOrder::depth_first) {
        throw ConfigError("--max-leaves needs --grow best-first: growing depth-first has no best leaves to stop at");
    }
    const comm::Traffic before = comm.traffic();
    ColumnRuns runs(comm, set.columns, numeric_features(set), set.left_out);
    const comm::Traffic after = comm.traffic();
    SplitSearch search(comm, set, runs, options);
    GrownTree grown = grow_tree(comm, set, options, {search, &runs});
    grown.sorting = {0, after.messages - before.messages, after.bytes - before.bytes};
    return grown;
}

model::Ensemble make_ensemble(const TrainingSet& set, model::Tree tree) {
    model::EnsembleBuilder builder;
    builder.task(set.task, set.label_name, set.classes).features(set.features).add_tree(std::move(tree));
    return std::move(builder).build();
}

}  // namespace regrove::dist
