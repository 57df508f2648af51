// Job train: grow a model from a table, the same bytes on any number of ranks and threads.
#include <algorithm>
#include <memory>
#include <optional>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/dist/out_of_bag.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/pipeline/checkpointed_forest.hpp"
#include "regrove/pipeline/learner.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/table_output.hpp"
#include "regrove/pipeline/training_rows.hpp"

#include "job_table.hpp"
#include "train_boosting.hpp"

namespace regrove::jobs {

namespace {

struct Options {
    std::string data;
    std::string target;
    std::string output;
    std::string out_of_bag_output;
    BoostingFiles boosting;
    pipeline::LearnerOptions learner;
};

/// What a tree says of the rows it was grown on.
struct TrainingFigures {
    double impurity = 0;  ///< weighted mean over the leaves
    double accuracy = 0;  ///< classification: share of the weight that its leaf's answer gets right
    std::uint64_t nodes_with_ties = 0;
    std::uint64_t nodes_with_like_ties = 0;
};

TrainingFigures training_figures(const model::Tree& tree) {
    TrainingFigures figures;
    for (const auto& node : tree.nodes) {
        figures.nodes_with_ties += node.ties_cutting_differently != 0 ? 1 : 0;
        figures.nodes_with_like_ties += node.ties_cutting_alike != 0 ? 1 : 0;
        if (!node.is_leaf()) continue;
        figures.impurity += node.impurity * node.weight;
        double most = 0;
        for (const double weight : node.value) most = std::max(most, weight);
        figures.accuracy += most;
    }
    figures.impurity /= tree.nodes[0].weight;
    figures.accuracy /= tree.nodes[0].weight;
    return figures;
}

class TrainJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table
            .add("data", options_.data,
                 "the table to learn from: HDF5, CSV, TSV or LibSVM; for boosting also what `regrove bin` made")
            .value_name("FILE");
        table.add("target", options_.target, "label column of a text table, by name or zero-based index")
            .value_name("COLUMN");
        table.add("output", options_.output, "the model to write (regrove-json)").value_name("FILE").no_result();
        table
            .add("oob_predictions", options_.out_of_bag_output,
                 "a forest's out-of-bag answers for every row: .h5, .tsv, else CSV; implies --oob")
            .value_name("FILE");
        jobs::list_options(options_.boosting, table);
        pipeline::list_options(options_.learner, table);
    }

    void run(pipeline::JobContext& context) override {
        comm::Communicator& comm = context.comm;
        for (const auto& [name, value] : {std::pair("data", options_.data), std::pair("output", options_.output)}) {
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        }
        pipeline::check_options(options_.learner);
        check_files(options_.boosting, options_.learner.method);
        if (!context.checkpoint.folder.empty() && options_.learner.method == pipeline::Method::cart)
            throw ConfigError("--checkpoint is for --method forest and boosting; a single tree is grown in one go");
        if (options_.output == options_.out_of_bag_output) {
            throw ConfigError("--output and --oob-predictions name the same file '" + options_.output + "'");
        }
        const auto file = comm::agree_on(comm, [&] {
            return comm.is_root() ? std::make_unique<pipeline::OutputFile>(options_.output, context.overwrite)
                                  : nullptr;
        });
        pipeline::LearnerOptions& learner = options_.learner;
        std::optional<pipeline::TableOutput> oob_output;
        if (!options_.out_of_bag_output.empty()) {
            if (learner.method != pipeline::Method::forest)
                throw ConfigError("--oob-predictions is for --method forest");
            learner.forest.out_of_bag = true;
            oob_output.emplace(comm, options_.out_of_bag_output, context.overwrite);
        }
        pipeline::TrainingRows rows = load(context);
        const dist::NamedHash data_hash = rows.table_hash;
        if (oob_output) dist::require_free_names(rows.shard.schema);
        std::optional<data::TableShard> out_of_bag;
        std::unique_ptr<pipeline::CheckpointedBoosting> stopped;
        model::Ensemble ensemble;
        if (learner.method == pipeline::Method::boosting) {
            TrainedBoosting trained =
                train_boosting(context, std::move(rows), learner, options_.boosting, options_.target);
            ensemble = std::move(trained.ensemble);
            stopped = std::move(trained.stopped);
        } else {
            ensemble = grow(context, std::move(rows), out_of_bag);
        }
        ensemble.provenance[data_hash.name] = data_hash.text;
        const auto phase = context.summary.phase("write");
        const std::string bytes = formats::write_model(ensemble);
        require_same_everywhere(comm, bytes);
        comm::agree_on(comm, [&] {
            if (!file) return;
            file->write(bytes);
            file->commit();
        });
        context.summary.wrote(options_.output);
        if (oob_output) oob_output->write(comm, *out_of_bag);
        if (oob_output && options_.out_of_bag_output != "-") context.summary.wrote(options_.out_of_bag_output);
        if (stopped) stopped->throw_stopped(options_.output + " holds the rounds so far; --continue goes on from it");
    }

  private:
    /// Boosting takes sparse rows, too.
    pipeline::TrainingRows load(pipeline::JobContext& context) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = options_.data;
        request.target = options_.target;
        request.refuse_useless = true;
        const bool may_be_sparse =
            options_.learner.method == pipeline::Method::boosting && options_.learner.boosting.initial_score.empty();
        pipeline::TrainingRows rows = pipeline::load_training_rows(
            context.comm, request, may_be_sparse ? dist::RowForm::sparse_if_better : dist::RowForm::dense,
            context.memory_limit_bytes);
        if (rows.kept && options_.learner.method != pipeline::Method::boosting)
            throw ConfigError(
                "--data '" + options_.data +
                "' holds binned rows, which --method boosting takes; give the table that it was made of");
        context.summary.read(options_.data);
        return rows;
    }

    model::Ensemble grow(pipeline::JobContext& context, pipeline::TrainingRows rows,
                         std::optional<data::TableShard>& out_of_bag) const {
        const pipeline::LearnerOptions& learner = options_.learner;
        model::Ensemble ensemble =
            learner.method == pipeline::Method::cart
                ? train_tree(context, std::move(rows.shard))
                : train_forest(context, std::move(rows.shard), rows.table_hash.text, out_of_bag);
        pipeline::describe(ensemble, learner, context.seed);
        return ensemble;
    }

    model::Ensemble train_tree(pipeline::JobContext& context, data::TableShard shard) const {
        const train::CartOptions& cart = options_.learner.cart;
        std::optional<dist::TrainingSet> set;
        {
            const auto phase = context.summary.phase("prepare");
            set.emplace(dist::make_training_set(context.comm, std::move(shard), cart));
        }
        const auto phase = context.summary.phase("grow");
        const dist::GrownTree grown = dist::grow_cart_tree(context.comm, *set, cart);
        report(context, *set, grown);
        return dist::make_ensemble(*set, grown.tree);
    }

    /// The table is known by what it holds, not by its name.
    static store::CheckpointIdentity forest_identity(const pipeline::JobContext& context,
                                                     const std::string& data_hash) {
        store::CheckpointIdentity identity = context.checkpoint.identity;
        identity.forget_option("data");
        identity.inputs = {{"data", data_hash}};
        return identity;
    }

    model::Ensemble train_forest(pipeline::JobContext& context, data::TableShard shard, const std::string& data_hash,
                                 std::optional<data::TableShard>& out_of_bag) const {
        const auto own_rows = options_.learner.forest.out_of_bag ? std::optional(shard) : std::nullopt;
        std::unique_ptr<pipeline::CheckpointedForest> keeper;
        if (!context.checkpoint.folder.empty())
            keeper = std::make_unique<pipeline::CheckpointedForest>(context, forest_identity(context, data_hash));
        dist::GrownForest grown;
        {
            const auto phase = context.summary.phase("grow");
            grown = dist::grow_forest(context.comm, std::move(shard), options_.learner.cart, options_.learner.forest,
                                      context.seed, keeper.get());
        }
        if (grown.stopped) keeper->throw_stopped();
        report_forest(context, grown);
        if (own_rows) {
            report_out_of_bag(context, grown, *own_rows);
            if (!options_.out_of_bag_output.empty()) out_of_bag = dist::out_of_bag_table(grown, *own_rows);
        }
        return std::move(grown.ensemble);
    }

    static void report_forest(pipeline::JobContext& context, const dist::GrownForest& grown) {
        std::uint64_t leaves = 0;
        std::uint32_t depth = 0;
        for (const model::Tree& tree : grown.ensemble.trees) {
            leaves += tree.leaf_count();
            depth = std::max(depth, tree.depth());
        }
        auto& result = context.summary.result;
        result["trees"] = grown.ensemble.trees.size();
        result["leaves"] = leaves;
        result["depth"] = depth;
        result["rows"] = grown.rows;
        result["features"] = grown.ensemble.features.size();
        context.summary.show("rows", std::to_string(grown.rows));
        context.summary.show("features", std::to_string(grown.ensemble.features.size()));
        context.summary.show("trees", std::to_string(grown.ensemble.trees.size()));
        context.summary.show("leaves of all trees", std::to_string(leaves));
        context.summary.show("depth of the deepest", std::to_string(depth));
    }

    static void report_out_of_bag(pipeline::JobContext& context, const dist::GrownForest& grown,
                                  const data::TableShard& rows) {
        const auto phase = context.summary.phase("out of bag");
        const dist::OutOfBagScore score = dist::score_out_of_bag(context.comm, grown, rows);
        auto& result = context.summary.result["out_of_bag"];
        result["rows"] = score.rows;
        context.summary.show("rows out of some bag", std::to_string(score.rows));
        for (const auto& [name, number] : score.metrics) {
            result[name] = number;
            context.summary.show("out-of-bag " + name, to_text(number));
        }
    }

    /// A last line of defence for the promise of equal bytes: a difference is a bug and must not be written.
    static void require_same_everywhere(comm::Communicator& comm, const std::string& bytes) {
        const Hash128 own = hash_bytes(bytes);
        for (const Hash128& other : comm.gather_all(own)) {
            if (other != own) throw InternalError("ranks have grown different trees; please report this");
        }
    }

    void report(pipeline::JobContext& context, const dist::TrainingSet& set, const dist::GrownTree& grown) const {
        const model::Tree& tree = grown.tree;
        const TrainingFigures figures = training_figures(tree);
        auto& result = context.summary.result;
        result["trees"] = 1;
        result["leaves"] = tree.leaf_count();
        result["depth"] = tree.depth();
        result["rows"] = set.global_rows;
        result["features"] = set.features.size();
        result["training_impurity"] = figures.impurity;
        if (set.task == model::Task::classification) result["training_accuracy"] = figures.accuracy;
        result["nodes_with_ties"] = figures.nodes_with_ties;
        result["nodes_with_ties_cutting_alike"] = figures.nodes_with_like_ties;
        auto rounds = nlohmann::ordered_json::array();
        const auto traffic = [](const dist::RoundTraffic& round) {
            return nlohmann::ordered_json{
                {"nodes", round.nodes}, {"messages_sent", round.messages}, {"bytes_sent", round.bytes}};
        };
        context.summary.details["sorting"] = traffic(grown.sorting);
        for (const auto& round : grown.rounds) rounds.push_back(traffic(round));
        context.summary.details["rounds"] = std::move(rounds);
        context.summary.show("rows", std::to_string(set.global_rows));
        context.summary.show("features", std::to_string(set.features.size()));
        context.summary.show("leaves", std::to_string(tree.leaf_count()));
        context.summary.show("depth", std::to_string(tree.depth()));
        context.summary.show("training impurity", to_text(figures.impurity));
        if (set.task == model::Task::classification) {
            context.summary.show("training accuracy", to_text(figures.accuracy));
        }
        context.summary.show("nodes with a tie that cuts differently", std::to_string(figures.nodes_with_ties));
        context.summary.show("nodes with ties that cut alike", std::to_string(figures.nodes_with_like_ties));
    }

    Options options_;
};

}  // namespace

pipeline::JobRow train_job() {
    return {.name = "train",
            .purpose = "grow a model from a table: an exact decision tree, a forest, or a boosted ensemble",
            .group = "models",
            .example = "regrove train --method cart --data wdbc.h5 --max-depth 3 --output tree.json",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<TrainJob>(); },
            .has_checkpoints = true};
}

}  // namespace regrove::jobs
