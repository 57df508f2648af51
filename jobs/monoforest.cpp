// Job monoforest: how many monomials an ensemble can do without, by the protocol of the MonoForest paper on several splits.
//
// Of each split: a model fitted to the training rows chooses a threshold by the metric on the validation rows; a model fitted to
// both, of as many rounds, is pruned by that threshold; the test rows tell what it cost (Kuralenok et al. 2019, section 6).
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/dist/trial_plan.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/objective/objective.hpp"
#include "regrove/pipeline/boosting_fit.hpp"
#include "regrove/pipeline/learner.hpp"
#include "regrove/pipeline/monomial_levels.hpp"
#include "regrove/pipeline/monomial_reweighting.hpp"
#include "regrove/pipeline/table_output.hpp"
#include "regrove/pipeline/trial_tables.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

constexpr std::uint32_t k_folds = 20;  // shares of rows are twentieths

struct Options {
    std::string data;
    std::string table;
    pipeline::TrialSource source;
    std::uint64_t splits = 5;
    double valid_rows = 0.15;
    double test_rows = 0.15;
    double tolerance = 0;
    bool both_sides = false;
    std::uint32_t levels = 100;
    algebra::PolynomialOptions polynomial;
    algebra::ReweightOptions reweight;
    pipeline::LearnerOptions learner;
};

/// What one split showed.
struct SplitResult {
    std::uint64_t rounds = 0;
    std::uint64_t raw = 0;     ///< monomials of non-zero weight
    std::uint64_t before = 0;  ///< of these, held by training rows
    std::uint64_t after = 0;
    double alpha = 0;
    std::array<double, 2> valid{};  ///< metric before and after
    std::array<double, 2> test{};
    /// 1 when there was nothing to drop.
    double ratio() const {
        if (before == 0) return 1;
        return static_cast<double>(before) / static_cast<double>(std::max<std::uint64_t>(after, 1));
    }
};

/// Twentieths of the rows.
std::uint32_t folds_of(double share, const char* option) {
    const double folds = share * k_folds;
    const double whole = std::round(folds);
    if (std::abs(folds - whole) > 1e-9 || whole < 1 || whole > k_folds - 2)
        throw ConfigError(std::string(option) + " takes a share of the rows in steps of 0.05, from 0.05 to 0.9");
    return static_cast<std::uint32_t>(whole);
}

/// The rows of folds [begin, end) of a repeat, ascending.
std::vector<std::uint64_t> rows_of_folds(const dist::TrialPlan& plan, std::uint64_t repeat, std::uint32_t begin,
                                         std::uint32_t end) {
    std::vector<std::uint64_t> rows;
    for (std::uint32_t fold = begin; fold < end; ++fold) {
        const dist::TrialRows of_fold = plan.rows(repeat * k_folds + fold);
        rows.insert(rows.end(), of_fold.test.begin(), of_fold.test.end());
    }
    std::ranges::sort(rows);
    return rows;
}

struct Moments {
    double mean = 0;
    double deviation = 0;  ///< of single splits
};
Moments moments(const std::vector<double>& values) {
    Moments of;
    for (const double value : values) of.mean += value / static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (value - of.mean) * (value - of.mean);
    if (values.size() > 1) of.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return of;
}

class MonoforestJob : public pipeline::Job {
  public:
    MonoforestJob() { options_.learner.method = pipeline::Method::boosting; }

    void list_options(OptionTable& table) override {
        table.add("data", options_.data, "the table: HDF5, CSV, TSV or LibSVM").value_name("FILE");
        table.add("target", options_.source.target, "label column of a text table, by name or zero-based index")
            .value_name("COLUMN");
        table.add("splits", options_.splits, 1, 100000, "random divisions of the rows, stratified by the label");
        table.add("valid_rows", options_.valid_rows, 0.05, 0.9, "share of the rows that choose the threshold");
        table.add("test_rows", options_.test_rows, 0.05, 0.9, "share of the rows that tell what pruning cost");
        table.add("tolerance", options_.tolerance, 0, 1e300,
                  "how much worse the metric (--metric, default roc_auc or by the model's task) may become on "
                  "validation rows");
        table.add("both_sides", options_.both_sides,
                  "a metric that gets better by more than the tolerance ends the search for a threshold, too");
        table.add("levels", options_.levels, 1, 100000, "thresholds to choose among");
        algebra::list_options(options_.reweight, table);
        algebra::list_options(options_.polynomial, table);
        table.add("table", options_.table, "a row for each split: .h5, .tsv, else CSV; - is standard output")
            .value_name("FILE")
            .no_result();
        pipeline::list_options(options_.learner, table);
    }

    void run(pipeline::JobContext& context) override {
        for (const auto& [name, value] : {std::pair("data", options_.data), std::pair("table", options_.table)})
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        check();
        pipeline::TableOutput output(context.comm, options_.table, context.overwrite);
        options_.source.files = {options_.data};
        options_.source.deal = dist::TrialSpread::rows;
        const pipeline::TrialTables tables =
            pipeline::load_trial_tables(context, options_.source, options_.learner.cart.criterion);
        for (const auto role : {data::ColumnRole::group, data::ColumnRole::fold})
            if (tables.tables[0].schema().find(role))
                throw InputError("the table has a " + std::string(data::to_text(role)) +
                                 " column, but splits are by rows: read the table without that role");
        train::FoldOptions folds;
        folds.folds = k_folds;
        folds.method = train::FoldMethod::stratified;
        std::optional<dist::TrialPlan> plan;
        comm::agree_on(context.comm, [&] {
            plan = dist::TrialPlan::of_folds(tables.tables[0], folds, options_.learner.cart.criterion, context.seed,
                                             options_.splits);
        });
        std::vector<SplitResult> results;
        {
            const auto phase = context.summary.phase("splits");
            Progress progress("monoforest", options_.splits, "splits");
            for (std::uint64_t split = 0; split < options_.splits; ++split) {
                results.push_back(run_split(context, tables.tables[0], *plan, split));
                progress.advance(1);
            }
        }
        output.write_whole(context.comm, result_table(results));
        if (options_.table != "-") context.summary.wrote(options_.table);
        report(context, results);
    }

  private:
    void check() const {
        pipeline::check_options(options_.learner);
        if (options_.learner.method != pipeline::Method::boosting)
            throw ConfigError("--method: monomials are of sums of trees; give boosting");
        const std::string& objective = options_.learner.boosting.objective.objective;
        if (objective != "auto" && objective::find_objective(objective).labels == objective::LabelKind::relevance)
            throw ConfigError("--objective " + objective + ": splits by rows would tear groups apart");
        if (!options_.learner.boosting.initial_score.empty())
            throw ConfigError("--initial-score: monomials are pruned by the trees alone; leave it out");
        if (options_.learner.valid_share > 0)
            throw ConfigError("--valid-share is for train; here --valid-rows says how many choose the threshold");
        const std::uint32_t aside =
            folds_of(options_.valid_rows, "--valid-rows") + folds_of(options_.test_rows, "--test-rows");
        if (aside >= k_folds) throw ConfigError("--valid-rows and --test-rows leave no rows to learn from");
    }

    dist::GrownBoosting fit(pipeline::JobContext& context, data::TableShard training,
                            std::optional<data::TableShard> valid, const pipeline::LearnerOptions& learner) const {
        dist::BoostingTables tables;
        tables.training = std::move(training);
        tables.validation = std::move(valid);
        return pipeline::fit_boosting(context.comm, std::move(tables), learner, context.seed,
                                      dist::CurveWanted::none);
    }

    pipeline::ValuedPolynomial value(pipeline::JobContext& context, const model::Ensemble& model,
                                     const data::TableShard& training) const {
        return pipeline::value_polynomial(
            context.comm, dist::ensemble_polynomial(context.comm, model, options_.polynomial), training);
    }

    SplitResult run_split(pipeline::JobContext& context, const dist::TrialTable& table, const dist::TrialPlan& plan,
                          std::uint64_t split) {
        const std::uint32_t test_folds = folds_of(options_.test_rows, "--test-rows");
        const std::uint32_t aside = test_folds + folds_of(options_.valid_rows, "--valid-rows");
        const auto take = [&](std::uint32_t begin, std::uint32_t end) {
            return table.take(context.comm, rows_of_folds(plan, split, begin, end));
        };
        SplitResult result;
        choose(context, take(aside, k_folds), take(test_folds, aside), result);
        judge(context, take(test_folds, k_folds), take(0, test_folds), result);
        return result;
    }

    /// The threshold, and the number of rounds, from a model of the training rows alone.
    void choose(pipeline::JobContext& context, const data::TableShard& training, const data::TableShard& valid,
                SplitResult& result) const {
        const bool stops = options_.learner.boosting.early_stopping > 0;
        const auto grown = fit(context, training, stops ? std::optional(valid) : std::nullopt, options_.learner);
        result.rounds = grown.rounds;
        const auto valued = value(context, grown.ensemble, training);
        const metric::Metric metric = pipeline::pruning_metric(options_.learner.boosting.metric, grown.ensemble);
        auto levels = algebra::pruning_levels(valued.values, options_.levels);
        if (reweights()) {
            comm::agree_on(context.comm, [&] { levels = pipeline::levels_to_reweight(levels, options_.reweight); });
        }
        const JudgedLevels judged = judge_levels(context, grown.ensemble, valued, levels, training, valid, metric);
        const std::size_t chosen =
            pipeline::last_good_level(judged.pruned, judged.whole, options_.tolerance, metric, options_.both_sides);
        result.alpha = pipeline::threshold_to_hand_on(valued.values, levels[chosen]);
        result.valid = {judged.whole, judged.pruned[chosen]};
    }

    bool reweights() const { return options_.reweight.method != algebra::Reweight::none; }

    /// The metric of the whole model on some rows, and at each of some levels, with the monomials left there.
    struct JudgedLevels {
        double whole = 0;
        std::vector<double> pruned;
        std::vector<std::uint64_t> left;
    };

    JudgedLevels judge_levels(pipeline::JobContext& context, const model::Ensemble& model,
                              const pipeline::ValuedPolynomial& valued,
                              const std::vector<algebra::PruningLevel>& levels, const data::TableShard& training,
                              const data::TableShard& rows, const metric::Metric& metric) const {
        JudgedLevels judged;
        if (!reweights()) {
            std::vector<algebra::PruningLevel> all{pipeline::whole_level(valued.polynomial)};
            all.insert(all.end(), levels.begin(), levels.end());
            judged.pruned = pipeline::metrics_at_levels(context.comm, model, valued, all, rows, metric);
            judged.whole = judged.pruned.front();
            judged.pruned.erase(judged.pruned.begin());
            for (const algebra::PruningLevel& level : levels) judged.left.push_back(level.kept);
            return judged;
        }
        judged.whole = pipeline::metric_of_polynomial(context.comm, model, valued.polynomial, rows, metric);
        const pipeline::MonomialReweighting fits(context.comm, valued, levels, training, options_.reweight);
        for (const algebra::PruningLevel& level : levels) {
            const auto fitted = algebra::with_coefficients(valued.polynomial, fits.coefficients_at(level));
            judged.left.push_back(pipeline::monomials_of(fitted));
            judged.pruned.push_back(pipeline::metric_of_polynomial(context.comm, model, fitted, rows, metric));
        }
        return judged;
    }

    /// What the threshold does to a model of the training and validation rows.
    void judge(pipeline::JobContext& context, const data::TableShard& training, const data::TableShard& test,
               SplitResult& result) const {
        pipeline::LearnerOptions learner = options_.learner;
        learner.boosting.early_stopping = 0;
        learner.boosting.trees = static_cast<std::uint32_t>(result.rounds);
        const auto grown = fit(context, training, std::nullopt, learner);
        const auto valued = value(context, grown.ensemble, training);
        const bool constant = valued.polynomial.size() > 0 && valued.polynomial.is_constant(0);
        result.raw = valued.polynomial.size() - (constant ? 1 : 0);
        const algebra::PruningLevel level = algebra::level_of(valued.values, result.alpha);
        result.before = algebra::pruning_levels(valued.values, options_.levels).front().kept;
        const metric::Metric metric = pipeline::pruning_metric(options_.learner.boosting.metric, grown.ensemble);
        metric_name_ = metric.name;
        larger_is_better_ = metric.larger_is_better;
        // The second model may keep a few more at the same threshold than can be fitted.
        std::vector<algebra::PruningLevel> levels{level};
        if (reweights() && level.kept > options_.reweight.max_monomials)
            levels[0] = algebra::level_keeping_at_most(valued.values, options_.reweight.max_monomials);
        const JudgedLevels judged = judge_levels(context, grown.ensemble, valued, levels, training, test, metric);
        result.after = judged.left[0];
        result.test = {judged.whole, judged.pruned[0]};
    }

    data::TableShard result_table(const std::vector<SplitResult>& results) const {
        data::TableShard table;
        table.rows = table.global_rows = results.size();
        const auto add_numbers = [&](const char* name, auto of) {
            std::vector<double> values;
            for (const SplitResult& result : results) values.push_back(of(result));
            table.schema.columns.push_back({name, data::ColumnType::float64, data::ColumnRole::feature, {}});
            table.values.emplace_back(std::move(values));
        };
        const auto add_counts = [&](const char* name, auto of) {
            std::vector<std::int64_t> values;
            for (const SplitResult& result : results) values.push_back(static_cast<std::int64_t>(of(result)));
            table.schema.columns.push_back({name, data::ColumnType::int64, data::ColumnRole::feature, {}});
            table.values.emplace_back(std::move(values));
        };
        std::uint64_t number = 0;
        add_counts("split", [&](const SplitResult&) { return ++number; });
        add_counts("rounds", [](const SplitResult& r) { return r.rounds; });
        add_counts("monomials_of_non_zero_weight", [](const SplitResult& r) { return r.raw; });
        add_counts("monomials_before", [](const SplitResult& r) { return r.before; });
        add_counts("monomials_after", [](const SplitResult& r) { return r.after; });
        add_numbers("ratio", [](const SplitResult& r) { return r.ratio(); });
        add_numbers("alpha", [](const SplitResult& r) { return r.alpha; });
        add_numbers("valid_before", [](const SplitResult& r) { return r.valid[0]; });
        add_numbers("valid_after", [](const SplitResult& r) { return r.valid[1]; });
        add_numbers("test_before", [](const SplitResult& r) { return r.test[0]; });
        add_numbers("test_after", [](const SplitResult& r) { return r.test[1]; });
        return table;
    }

    void report(pipeline::JobContext& context, const std::vector<SplitResult>& results) const {
        auto& out = context.summary.result;
        out["splits"] = results.size();
        out["metric_name"] = metric_name_;
        const auto tell = [&](const char* name, const std::string& shown, auto of) {
            std::vector<double> values;
            for (const SplitResult& result : results) values.push_back(of(result));
            const Moments figures = moments(values);
            out[name] = {{"mean", figures.mean}, {"standard_deviation", figures.deviation}};
            context.summary.show(shown,
                                 draw::value_text(figures.mean) + " +- " + draw::value_text(figures.deviation));
        };
        const double sign = larger_is_better_ ? 1 : -1;
        tell("monomials_before", "monomials before",
             [](const SplitResult& r) { return static_cast<double>(r.before); });
        tell("monomials_after", "monomials after", [](const SplitResult& r) { return static_cast<double>(r.after); });
        tell("ratio", "ratio", [](const SplitResult& r) { return r.ratio(); });
        tell("test_before", "test " + metric_name_ + " before", [](const SplitResult& r) { return r.test[0]; });
        tell("test_after", "test " + metric_name_ + " after", [](const SplitResult& r) { return r.test[1]; });
        tell("test_loss", "test " + metric_name_ + " lost",
             [&](const SplitResult& r) { return sign * (r.test[0] - r.test[1]); });
    }

    Options options_;
    mutable std::string metric_name_;
    mutable bool larger_is_better_ = true;
};

}  // namespace

pipeline::JobRow monoforest_job() {
    return {.name = "monoforest",
            .purpose = "how many monomials a boosted ensemble can do without, on several splits",
            .group = "models",
            .example =
                "regrove monoforest --data t.h5 --grow symmetric --trees 500 --early-stopping 50 --table splits.csv",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<MonoforestJob>(); }};
}

}  // namespace regrove::jobs
