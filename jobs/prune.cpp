// Job prune: trees cut back to what the data support, by cost and complexity or by errors on other rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/table_hash.hpp"
#include "regrove/dist/validation_errors.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/prune/cut_nodes.hpp"
#include "regrove/prune/path_levels.hpp"

#include "alpha_trials.hpp"
#include "job_table.hpp"
#include "path_report.hpp"
#include "prune_monomials.hpp"

namespace regrove::jobs {
namespace {

enum class Method : std::uint8_t { cost_complexity, reduced_error, monomials };
enum class Choose : std::uint8_t { automatic, alpha, cv };

std::uint64_t leaves_of(const model::Ensemble& ensemble) {
    std::uint64_t leaves = 0;
    for (const model::Tree& tree : ensemble.trees) leaves += tree.leaf_count();
    return leaves;
}

class PruneJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", model_, "the model file, in any known format").value_name("FILE");
        table.add(
            "method", method_,
            Choices<Method>{{"cost-complexity", Method::cost_complexity},
                            {"reduced-error", Method::reduced_error},
                            {"monomials", Method::monomials}},
            "cost-complexity: leaves must lower the impurity by alpha each; reduced-error: subtrees must make "
            "fewer errors on --valid than a leaf; monomials: the whole model's polynomial, see docs/monoforest.md");
        table
            .add("output", output_,
                 "the pruned model (regrove-json; monomials: regrove-polynomial); - is standard output")
            .value_name("FILE")
            .no_result();
        table.add("ccp_alpha", ccp_alpha_, "the alpha to prune at, given by hand").value_name("X");
        table.add("choose", choose_,
                  Choices<Choose>{{"auto", Choose::automatic}, {"alpha", Choose::alpha}, {"cv", Choose::cv}},
                  "alpha: as --ccp-alpha says; cv: by cross-validation on --data; auto: alpha if it is given, else "
                  "the path is shown and nothing pruned");
        table.add("data", data_, "the model's training table, for --choose cv and monomials").value_name("FILE");
        table.add("valid", valid_, "rows that training has not seen, for reduced-error and monomials")
            .value_name("FILE");
        table.add("target", target_, "label column by name or index; default: the table's label, or the model's")
            .value_name("COL");
        table.add("folds", folds_, 2, 1000000, "folds of the cross-validation; a fold column is taken as it is");
        table.add("rule", rule_,
                  Choices<prune::ChoiceRule>{{"one-standard-error", prune::ChoiceRule::one_standard_error},
                                             {"minimum", prune::ChoiceRule::minimum}},
                  "one-standard-error: the simplest trees within one standard error of the smallest error; minimum: "
                  "the smallest error");
        table.add("path", path_, "the path, or curve of monomials, as a CSV table").value_name("FILE").no_result();
        table.add("picture", picture_, "the same as a picture, .svg or .png").value_name("FILE").no_result();
        jobs::list_options(monomials_, table);
    }

    void run(pipeline::JobContext& context) override {
        check_options();
        open_outputs(context);
        const model::Ensemble model = pipeline::load_model(context.comm, model_);
        context.summary.read(model_);
        context.summary.result["leaves_before"] = leaves_of(model);
        if (method_ == Method::monomials) {
            pipeline::require_no_initial_scores(model, "--method monomials");
            drop_monomials(context, model);
        } else if (method_ == Method::reduced_error) {
            reduce_errors(context, model);
        } else {
            cut_by_alpha(context, model);
        }
    }

  private:
    void check_options() {
        if (model_.empty()) throw UsageError("--model is missing: name the model file to prune");
        if (method_ == Method::monomials) return check_monomials();
        if (is_given(monomials_))
            throw UsageError(
                "--eta, --keep, --metric, --dropped, --flips and --reweight belong to --method monomials");
        const bool reduced = method_ == Method::reduced_error;
        if (reduced && valid_.empty())
            throw UsageError("--valid is missing: reduced-error pruning needs rows that training has not seen");
        if (!reduced && !valid_.empty())
            throw UsageError("--valid belongs to --method reduced-error; to choose alpha by data give --choose cv");
        if (reduced && (choose_ != Choose::automatic || !ccp_alpha_.empty() || !path_.empty() || !picture_.empty()))
            throw UsageError("--choose, --ccp-alpha, --path and --picture belong to --method cost-complexity");
        if (!picture_.empty()) draw::check_chart_path(picture_);
        if (choose_ == Choose::automatic && !ccp_alpha_.empty()) choose_ = Choose::alpha;
        if (choose_ == Choose::alpha) alpha_ = given_alpha();
        if (choose_ == Choose::cv && !ccp_alpha_.empty())
            throw UsageError("--choose cv finds alpha itself; leave out --ccp-alpha");
        if (choose_ == Choose::cv && data_.empty())
            throw UsageError("--data is missing: --choose cv trains again on parts of the training table");
        if (choose_ != Choose::cv && !data_.empty())
            throw UsageError("--data belongs to --choose cv; reduced-error takes --valid, other ways need no table");
        const bool prunes = reduced || choose_ != Choose::automatic;
        const bool shows = !path_.empty() || !picture_.empty();
        if (prunes && output_.empty() && !shows)
            throw UsageError("--output is missing: name the pruned model's file");
        if (!prunes && !output_.empty())
            throw UsageError("--output needs to know how far to prune: give --ccp-alpha X or --choose cv");
    }

    void check_monomials() {
        if (choose_ != Choose::automatic || !ccp_alpha_.empty())
            throw UsageError("--choose and --ccp-alpha belong to --method cost-complexity; see --keep and --eta");
        if (!picture_.empty()) draw::check_chart_path(picture_);
        const bool writes = !output_.empty() || !monomials_.dropped.empty() || !monomials_.flips.empty() ||
                            !monomials_.flipped_rows.empty();
        check(monomials_, !data_.empty(), !valid_.empty(), writes);
        if (!writes && path_.empty() && picture_.empty())
            throw UsageError("--output is missing: name the pruned model's file");
    }

    void drop_monomials(pipeline::JobContext& context, const model::Ensemble& model) {
        MonomialTables tables;
        tables.training = load(context, model, data_, false);
        if (!valid_.empty()) tables.valid = load(context, model, valid_, false);
        prune_monomials(context, model, tables, monomials_,
                        {output_file_.get(), path_file_.get(), picture_file_.get(), dropped_file_.get(),
                         flips_file_.get(), flipped_rows_file_.get(), picture_});
        for (const std::string* path :
             {&output_, &path_, &picture_, &monomials_.dropped, &monomials_.flips, &monomials_.flipped_rows})
            if (!path->empty() && *path != "-") context.summary.wrote(*path);
    }

    double given_alpha() const {
        const auto number = parse_double(ccp_alpha_);
        if (ccp_alpha_.empty()) throw UsageError("--choose alpha needs --ccp-alpha X");
        if (number.status != NumberStatus::ok || !(number.value >= 0))
            throw ConfigError("ccp_alpha: '" + ccp_alpha_ + "' is no number of at least 0");
        return number.value;
    }

    /// Refuses existing files before long work.
    void open_outputs(pipeline::JobContext& context) {
        comm::agree_on(context.comm, [&] {
            if (!context.comm.is_root()) return;
            const auto open = [&](const std::string& path) {
                return path.empty() ? nullptr : std::make_unique<pipeline::OutputFile>(path, context.overwrite);
            };
            output_file_ = open(output_);
            path_file_ = open(path_);
            picture_file_ = open(picture_);
            dropped_file_ = open(monomials_.dropped);
            flips_file_ = open(monomials_.flips);
            flipped_rows_file_ = open(monomials_.flipped_rows);
        });
    }

    data::TableShard load(pipeline::JobContext& context, const model::Ensemble& model, const std::string& path,
                          bool as_in_training) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = path;
        request.target = target_;
        request.refuse_useless = as_in_training;
        if (!as_in_training) request.expected = infer::expected_schema(model);
        data::TableShard shard = pipeline::load_table(context.comm, request);
        context.summary.read(path);
        const auto trained_on = model.provenance.find("data_content_hash");
        if (as_in_training && trained_on != model.provenance.end() &&
            trained_on->second != dist::table_hash(context.comm, shard)) {
            context.summary.warn(path +
                                 " is not the table that the model was trained on (its content differs): alpha "
                                 "is chosen for another tree than the one that is cut");
        }
        comm::agree_on(context.comm, [&] {
            const std::size_t label = infer::label_column(model, shard.schema);
            shard.schema.columns[label].role = data::ColumnRole::label;
        });
        return shard;
    }

    void reduce_errors(pipeline::JobContext& context, const model::Ensemble& model) {
        const data::TableShard shard = load(context, model, valid_, false);
        const auto phase = context.summary.phase("prune");
        const auto trees = dist::reduced_errors(context.comm, model, shard);
        model::Ensemble pruned = model;
        double before = 0;
        double after = 0;
        for (std::size_t i = 0; i < trees.size(); ++i) {
            pruned.trees[i] = prune::cut_nodes(model.trees[i], trees[i].cuts);
            before += trees[i].before;
            after += trees[i].after;
        }
        pruned.provenance["prune.method"] = "reduced-error";
        auto& result = context.summary.result;
        result["leaves_after"] = leaves_of(pruned);
        result["validation_rows"] = shard.global_rows;
        result["errors_before"] = before;
        result["errors_after"] = after;
        show_leaves(context.summary, pruned);
        const char* const unit = model.task == model::Task::regression ? "squared error" : "errors";
        const std::string of = trees.size() > 1 ? ", summed over the trees" : "";
        context.summary.show(std::string(unit) + " on --valid before" + of, to_text(before));
        context.summary.show(std::string(unit) + " on --valid after" + of, to_text(after));
        write_model(context, pruned);
    }

    void cut_by_alpha(pipeline::JobContext& context, const model::Ensemble& model) {
        const auto paths = prune::cost_complexity_paths(model);
        PathReport report;
        report.levels = prune::path_levels(paths);
        report.regression = model.task == model::Task::regression;
        report.trees = model.trees.size();
        if (choose_ == Choose::cv) alpha_ = choose_by_trials(context, model, report);
        std::optional<model::Ensemble> pruned;
        if (alpha_) pruned = prune::pruned_ensemble(model, paths, *alpha_);
        if (pruned) {
            pruned->provenance["prune.method"] = "cost-complexity";
            pruned->provenance["prune.ccp_alpha"] = to_text(*alpha_);
            report.alpha = alpha_;
            report.leaves = leaves_of(*pruned);
        }
        summarise(context.summary, report, paths);
        if (pruned && !output_.empty()) write_model(context, *pruned);
        write_report(context, report);
    }

    /// An alpha that prunes the whole model to the chosen level.
    double choose_by_trials(pipeline::JobContext& context, const model::Ensemble& model, PathReport& report) const {
        report.candidates = prune::candidate_alphas(report.levels);
        data::TableShard shard = load(context, model, data_, true);
        const auto phase = context.summary.phase("cross-validate");
        const AlphaTrials trials{model, report.candidates, folds_, context.seed};
        report.errors = cross_validate_alphas(context.comm, trials, std::move(shard));
        report.chosen = prune::choose_candidate(report.errors, rule_);
        const double candidate = report.candidates[*report.chosen];
        return std::isfinite(candidate) ? candidate : report.levels[*report.chosen].alpha;
    }

    void summarise(pipeline::Summary& summary, const PathReport& report,
                   const std::vector<prune::CostComplexityPath>& paths) const {
        auto& result = summary.result;
        const prune::PathLevel& whole = report.levels.front();
        result["levels"] = report.levels.size();
        result["impurity_before"] = whole.impurity;
        summary.show("leaves", std::to_string(whole.leaves));
        summary.show("levels of the path", std::to_string(report.levels.size()));
        if (!report.alpha) {
            for (const auto& [name, value] : path_lines(report)) summary.show(name, value);
            return;
        }
        const double impurity = impurity_at(paths, *report.alpha);
        result["leaves_after"] = *report.leaves;
        result["alpha"] = *report.alpha;
        result["impurity"] = impurity;
        summary.show("alpha", to_text(*report.alpha));
        summary.show("leaves after pruning", std::to_string(*report.leaves));
        summary.show("leaf impurity before", to_text(whole.impurity));
        summary.show("leaf impurity after", to_text(impurity));
        if (!report.chosen) return;
        const prune::CandidateError& chosen = report.errors[*report.chosen];
        const auto& least = report.errors[prune::choose_candidate(report.errors, prune::ChoiceRule::minimum)];
        result["cv_mean"] = chosen.mean;
        result["cv_standard_error"] = chosen.standard_error;
        result["cv_least_mean"] = least.mean;
        result["cv_least_standard_error"] = least.standard_error;
        result["cv_mean_unpruned"] = report.errors.front().mean;
        summary.show(report.error_name() + ", cross-validated",
                     to_text(chosen.mean) + " ± " + to_text(chosen.standard_error));
        summary.show("the same unpruned", to_text(report.errors.front().mean));
        summary.show("the least of all", to_text(least.mean) + " ± " + to_text(least.standard_error));
    }

    static double impurity_at(const std::vector<prune::CostComplexityPath>& paths, double alpha) {
        double sum = 0;
        for (const auto& path : paths) {
            const std::size_t steps = prune::steps_taken(path, alpha);
            sum += steps == 0 ? path.impurity : path.steps[steps - 1].impurity;
        }
        return sum / static_cast<double>(paths.size());
    }

    void show_leaves(pipeline::Summary& summary, const model::Ensemble& pruned) const {
        summary.show("leaves", to_text(static_cast<std::int64_t>(summary.result["leaves_before"])));
        summary.show("leaves after pruning", std::to_string(leaves_of(pruned)));
    }

    void write_model(pipeline::JobContext& context, const model::Ensemble& pruned) const {
        write(context, output_file_.get(), output_, [&] { return formats::write_model(pruned); });
    }

    void write_report(pipeline::JobContext& context, const PathReport& report) const {
        if (!path_.empty()) write(context, path_file_.get(), path_, [&] { return path_csv(report); });
        if (!picture_.empty())
            write(context, picture_file_.get(), picture_,
                  [&] { return draw::line_chart_picture(path_chart(report), picture_); });
    }

    template <class Make>
    static void write(pipeline::JobContext& context, pipeline::OutputFile* file, const std::string& path, Make make) {
        comm::agree_on(context.comm, [&] {
            if (file == nullptr) return;
            file->write(make());
            file->commit();
        });
        if (path != "-") context.summary.wrote(path);
    }

    std::string model_;
    Method method_ = Method::cost_complexity;
    std::string output_;
    std::string ccp_alpha_;
    Choose choose_ = Choose::automatic;
    std::string data_;
    std::string valid_;
    std::string target_;
    std::uint32_t folds_ = 10;
    prune::ChoiceRule rule_ = prune::ChoiceRule::one_standard_error;
    std::string path_;
    std::string picture_;
    MonomialOptions monomials_;
    std::optional<double> alpha_;
    std::unique_ptr<pipeline::OutputFile> output_file_;  ///< on the root
    std::unique_ptr<pipeline::OutputFile> path_file_;
    std::unique_ptr<pipeline::OutputFile> dropped_file_;
    std::unique_ptr<pipeline::OutputFile> flips_file_;
    std::unique_ptr<pipeline::OutputFile> flipped_rows_file_;
    std::unique_ptr<pipeline::OutputFile> picture_file_;
};

}  // namespace

pipeline::JobRow prune_job() {
    return {
        .name = "prune",
        .purpose = "cut trees back: the cost-complexity path, by hand or cross-validated, or by validation errors",
        .group = "models",
        .example = "regrove prune --model tree.json --data table.h5 --choose cv --output pruned.json",
        .mpi = pipeline::MpiUse::when_launched,
        .make = [] { return std::make_unique<PruneJob>(); }};
}

}  // namespace regrove::jobs
