// Job reborn: one tree that decides as an ensemble does, the smallest or with a proven gap, and its certificate.
#include <memory>
#include <optional>

#include "regrove/bornagain/certificate.hpp"
#include "regrove/bornagain/post_prune.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/dist/leaf_rows.hpp"
#include "regrove/dist/table_hash.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/supported_cells.hpp"

#include "job_table.hpp"
#include "reborn_check.hpp"
#include "reborn_estimate.hpp"
#include "reborn_outputs.hpp"
#include "reborn_report.hpp"
#include "reborn_scores.hpp"
#include "reborn_search.hpp"

namespace regrove::jobs {
namespace {

using bornagain::Ended;
using bornagain::Objective;
using bornagain::Support;
using bornagain::Verified;
using cellspace::UnseenValues;

class RebornJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", model_, "the ensemble's model file, in any known format").value_name("FILE");
        table.add("objective", options_.objective,
                  Choices<Objective>{{"depth", Objective::depth},
                                     {"leaves", Objective::leaves},
                                     {"depth-leaves", Objective::depth_leaves},
                                     {"heuristic", Objective::heuristic}},
                  "depth: least depth; leaves: fewest leaves; depth-leaves: fewest leaves among the trees of least "
                  "depth; heuristic: a good tree, fast");
        outputs_.list_options(table);
        table
            .add("data", data_,
                 "a table: the tree is post-pruned to its rows, ensemble and trees are scored on it, and --support "
                 "looks at it")
            .value_name("FILE");
        table.add("test", test_, "another table to score ensemble and trees on").value_name("FILE");
        table.add("target", target_, "label column by name or index; default: the table's label, or the model's")
            .value_name("COL");
        table.add(
            "support", options_.support,
            Choices<Support>{{"all", Support::all}, {"rows", Support::rows}, {"range", Support::range}},
            "where the tree must agree with the ensemble: all: everywhere; rows: in the cells that hold a row of "
            "--data; range: within the range that --data has of each feature");
        table.add(
            "unseen", unseen_,
            Choices<UnseenValues>{{"outside", UnseenValues::outside}, {"inside", UnseenValues::inside}},
            "inside: the tree must agree with the ensemble for values too that training never saw: missing ones "
            "of features that had none, and new categories");
        table.add("accept_gap", options_.accept_gap, 0.0, 1.0,
                  "end when (value - lower bound) / value is at most this");
        table.add("heuristic_samples", options_.heuristic_samples, 1, 1'000'000,
                  "cells that the heuristic samples in each region");
        table
            .add("memo", memo_,
                 "what searches have proven of parts: read if it is there, added to at the end (no --overwrite is "
                 "needed), and of use to searches of other ensembles and objectives; results do not depend on it")
            .value_name("FILE")
            .no_result();
        table
            .add("share_memo", share_memo_,
                 "ranks of one host use one memo in memory that they share; no: each has its own, and they exchange "
                 "what "
                 "they prove as ranks of different hosts do")
            .no_result();
        table.add("estimate", estimate_,
                  "tell within half a minute how large the tree must be, what the search would take, and what helps");
        table.add("verify", verify_, "prove the result equal to the ensemble, independently of the search");
    }

    void run(pipeline::JobContext& context) override {
        check_options();
        options_.seed = context.seed;
        const model::Ensemble ensemble = pipeline::load_model(context.comm, model_);
        context.summary.read(model_);
        pipeline::require_no_initial_scores(ensemble, "reborn");
        const std::vector<const model::Ensemble*> models{&ensemble};
        const cellspace::Space space = cellspace::make_space(models, unseen_);
        const cellspace::CompiledEnsemble compiled(ensemble, space);
        if (estimate_)
            estimate(context, ensemble, space, compiled);
        else
            make(context, ensemble, space, compiled);
    }

  private:
    /// The data, if any, once they are known to fit; what they support is in the options then.
    std::optional<data::TableShard> load_data(pipeline::JobContext& context, const model::Ensemble& ensemble,
                                              const cellspace::Space& space) {
        std::optional<data::TableShard> rows;
        if (!data_.empty()) rows = load(context, ensemble, data_);
        if (options_.support != Support::all) find_support(context, ensemble, space, *rows);
        return rows;
    }

    void estimate(pipeline::JobContext& context, const model::Ensemble& ensemble, const cellspace::Space& space,
                  const cellspace::CompiledEnsemble& compiled) {
        load_data(context, ensemble, space);
        estimate_reborn(context, compiled, supported_box(space, options_), options_.heuristic_samples);
    }

    void make(pipeline::JobContext& context, const model::Ensemble& ensemble, const cellspace::Space& space,
              const cellspace::CompiledEnsemble& compiled) {
        ensemble_text_ = formats::write_model(ensemble);
        RebornSearch search(context, to_hex(hash_bytes(ensemble_text_)), share_memo_);
        outputs_.open(context, search.resumed(), options_.objective);
        const std::optional<data::TableShard> rows = load_data(context, ensemble, space);
        if (!memo_.empty()) search.take_up(memo_);
        const SearchOutcome outcome = search.run(compiled, space, options_);
        if (!outcome.result.has_tree()) return end_without_tree(context, ensemble, space, search, outcome);
        const model::Ensemble tree = written_tree(outcome.result, space, ensemble);
        const Verified verified =
            verify_ ? check_reborn(context, space, compiled, tree, options_) : Verified::not_asked;
        write_tree(context, ensemble, tree, outcome.result, verified);
        if (!memo_.empty()) search.keep(memo_);
        report(context, space, outcome, verified);
        score_all(context, ensemble, tree, rows);
        end(search, outcome.result, verified);
    }

    /// A limit came before any faithful tree: the bounds are what is left. The heuristic's work is in no checkpoint.
    [[noreturn]] void end_without_tree(pipeline::JobContext& context, const model::Ensemble& ensemble,
                                       const cellspace::Space& space, RebornSearch& search,
                                       const SearchOutcome& outcome) {
        const bornagain::RebornResult& found = outcome.result;
        const bool written = write_bounds(context, ensemble, found);
        if (!memo_.empty()) search.keep(memo_);
        report(context, space, outcome, Verified::not_asked);
        throw LimitError(
            std::string(found.ended == Ended::out_of_memory ? "--memory-limit" : "--time-limit or a signal") +
            " came before any faithful tree was found, and none is written; proven is that each has a "
            "depth of at least " +
            std::to_string(found.depth_bound) + " and at least " + std::to_string(found.leaves_bound) + " leaves" +
            (written ? " (certificate)" : "") + "; --estimate tells what the ensemble would need, and what helps");
    }

    void report(pipeline::JobContext& context, const cellspace::Space& space, const SearchOutcome& outcome,
                Verified verified) const {
        report_reborn(context.summary, outcome, options_, verified);
        context.summary.details["axes"] = space.axes.size();
        context.summary.details["hyperplanes"] = space.hyperplanes();
    }

    void score_all(pipeline::JobContext& context, const model::Ensemble& ensemble, const model::Ensemble& tree,
                   const std::optional<data::TableShard>& rows) {
        std::vector<NamedModel> models{{"ensemble", &ensemble}, {"reborn", &tree}};
        std::optional<model::Ensemble> pruned;
        if (rows) {
            pruned = post_prune(context, tree, *rows);
            models.push_back({"pruned", &*pruned});
            score(context, models, *rows, "data");
        }
        if (!test_.empty()) score(context, models, load(context, ensemble, test_), "test");
    }

    void check_options() {
        if (model_.empty()) throw UsageError("--model is missing: name the ensemble's model file");
        if (data_.empty() && options_.support != Support::all)
            throw UsageError("--support " + std::string(bornagain::to_text(options_.support)) +
                             " needs --data: the table that says where the tree must agree");
        if (!estimate_) return outputs_.check(!data_.empty());
        if (outputs_.any_given())
            throw UsageError("--estimate makes no tree: leave out --output, --certificate and --pruned-output");
    }

    data::TableShard load(pipeline::JobContext& context, const model::Ensemble& ensemble,
                          const std::string& path) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = path;
        request.target = target_;
        request.expected = infer::expected_schema(ensemble);
        data::TableShard shard = pipeline::load_table(context.comm, request);
        context.summary.read(path);
        return shard;
    }

    void find_support(pipeline::JobContext& context, const model::Ensemble& ensemble, const cellspace::Space& space,
                      const data::TableShard& shard) {
        const auto phase = context.summary.phase("support");
        const bool corners_only = options_.support == Support::range;
        std::vector<std::string> warnings;
        auto found = pipeline::supported_cells(context.comm, space, ensemble, shard, corners_only, warnings);
        for (const std::string& warning : warnings) context.summary.warn(data_ + ": " + warning);
        data_hash_ = dist::table_hash(context.comm, shard);
        context.summary.details["supported_cells"] = space.axes.empty() ? 1 : found.cells.size() / space.axes.size();
        options_.supported_cells = std::move(found.cells);
    }

    model::Ensemble written_tree(const bornagain::RebornResult& result, const cellspace::Space& space,
                                 const model::Ensemble& ensemble) const {
        model::Ensemble tree = bornagain::to_model(result.tree, space, ensemble);
        tree.provenance["reborn.objective"] = bornagain::to_text(options_.objective);
        tree.provenance["reborn.faithful"] = faithful_words(options_.support);
        tree.provenance["reborn.unseen_values"] = bornagain::to_text(unseen_);
        return tree;
    }

    void write_tree(pipeline::JobContext& context, const model::Ensemble& ensemble, const model::Ensemble& tree,
                    const bornagain::RebornResult& result, Verified verified) {
        const auto phase = context.summary.phase("write");
        comm::agree_on(context.comm, [&] {
            if (!context.comm.is_root()) return;
            bornagain::CertificateFacts facts = facts_of(context, ensemble);
            facts.tree_text = formats::write_model(tree);
            facts.verified = verified;
            outputs_.write_tree(facts.tree_text);
            outputs_.write_certificate(bornagain::certificate_text(result, options_, unseen_, facts));
        });
        outputs_.note_tree(context.summary);
    }

    /// The certificate of a search that found no tree; false when a former run's tree is there, whose certificate stays.
    bool write_bounds(pipeline::JobContext& context, const model::Ensemble& ensemble,
                      const bornagain::RebornResult& result) {
        const auto phase = context.summary.phase("write");
        const std::uint64_t written = comm::agree_on(context.comm, [&] {
            if (!context.comm.is_root()) return std::uint64_t{0};
            const auto facts = facts_of(context, ensemble);
            return std::uint64_t{
                outputs_.write_bounds(bornagain::certificate_text(result, options_, unseen_, facts))};
        });
        const bool is_written = context.comm.max(written) == 1;
        if (is_written) outputs_.note_certificate(context.summary);
        return is_written;
    }

    bornagain::CertificateFacts facts_of(const pipeline::JobContext& context, const model::Ensemble& ensemble) const {
        bornagain::CertificateFacts facts;
        facts.ensemble_text = ensemble_text_;
        facts.ensemble_trees = ensemble.trees.size();
        facts.data_hash = data_hash_;
        facts.seed = context.seed;
        return facts;
    }

    model::Ensemble post_prune(pipeline::JobContext& context, const model::Ensemble& tree,
                               const data::TableShard& rows) {
        const auto phase = context.summary.phase("post-prune");
        const auto counts = dist::leaf_rows(context.comm, tree, rows);
        model::Ensemble pruned = comm::agree_on(context.comm, [&] { return bornagain::post_prune(tree, counts); });
        const std::uint32_t depth = pruned.trees[0].depth();
        const std::uint32_t leaves = pruned.trees[0].leaf_count();
        context.summary.result["pruned"] = {{"depth", depth}, {"leaves", leaves}};
        context.summary.show("post-pruned, not faithful",
                             "depth " + std::to_string(depth) + ", " + std::to_string(leaves) + " leaves");
        comm::agree_on(context.comm, [&] {
            if (context.comm.is_root()) outputs_.write_pruned(formats::write_model(pruned));
        });
        outputs_.note_pruned(context.summary);
        return pruned;
    }

    static void score(pipeline::JobContext& context, const std::vector<NamedModel>& models,
                      const data::TableShard& shard, const char* key) {
        const auto scores = score_models(context.comm, models, shard);
        context.summary.result[key] = scores_json(scores, shard.global_rows);
        show_scores(context.summary, scores, std::string("--") + key);
    }

    /// What was ended before its time says so by the exit code, with everything written.
    void end(RebornSearch& search, const bornagain::RebornResult& found, Verified verified) const {
        const std::string written = "the best faithful tree is written, of value " + std::to_string(found.value) +
                                    " with a proven lower bound of " + std::to_string(found.lower_bound);
        if (found.ended == Ended::stopped) search.throw_stopped(written);
        if (found.ended == Ended::out_of_memory) throw LimitError("the search reached --memory-limit; " + written);
        if (found.ended == Ended::too_large && !accepts(found))
            throw LimitError("the space is too large for the exact search; " + written +
                             "; --estimate tells what helps, --accept-gap takes such a tree");
        if (verified == Verified::undecided)
            throw LimitError("--time-limit came before the second proof ended; " + written);
    }

    /// Whether the tree is within --accept-gap of the bound.
    bool accepts(const bornagain::RebornResult& found) const {
        const auto value = static_cast<double>(found.value);
        return value - static_cast<double>(found.lower_bound) <= options_.accept_gap * value;
    }

    std::string model_;
    std::string data_;
    std::string test_;
    std::string memo_;
    std::string target_;
    bornagain::RebornOptions options_;
    UnseenValues unseen_ = UnseenValues::outside;
    bool share_memo_ = true;
    bool verify_ = true;
    bool estimate_ = false;
    RebornOutputs outputs_;
    std::string data_hash_;
    std::string ensemble_text_;
};

}  // namespace

pipeline::JobRow reborn_job() {
    return {.name = "reborn",
            .purpose = "one tree that decides as an ensemble does everywhere, the smallest, with a proof",
            .group = "models",
            .example = "regrove reborn --model forest.json --objective leaves --data table.h5 --output tree.json",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<RebornJob>(); },
            .has_checkpoints = true};
}

}  // namespace regrove::jobs
