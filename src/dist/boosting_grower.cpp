// Round after round: derivatives at the scores so far, the rows of the round, a tree for each score, new scores.
#include "regrove/dist/boosting_grower.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <span>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/boosting_draws.hpp"
#include "regrove/dist/boosting_exchange.hpp"
#include "regrove/dist/boosting_first_scores.hpp"
#include "regrove/dist/boosting_refit.hpp"
#include "regrove/dist/boosting_scores.hpp"
#include "regrove/dist/boosting_set.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/dist/target_statistics.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/narrow_model.hpp"
#include "regrove/model/ensemble_builder.hpp"
#include "regrove/model/frame.hpp"
#include "regrove/train/boosting_derivatives.hpp"
#include "regrove/train/boosting_tree_grower.hpp"

namespace regrove::dist {

namespace {

using Clock = std::chrono::steady_clock;

/// Seconds since it was made: passed, and worked by this process.
class Stopwatch {
  public:
    double wall() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
    double processor() const { return static_cast<double>(std::clock() - clock_) / CLOCKS_PER_SEC; }

  private:
    Clock::time_point began_ = Clock::now();
    std::clock_t clock_ = std::clock();
};

void check_run(const BoostingTables& tables, const train::BoostingOptions& options) {
    train::check_options(options);
    if (options.early_stopping != 0 && !tables.validation) {
        throw ConfigError("--early-stopping needs validation rows: give --valid FILE");
    }
    if (options.early_stopping != 0 && options.dart) {
        throw ConfigError(
            "--dart changes earlier trees, so --early-stopping could not go back to a best round; leave "
            "one of them out");
    }
    if (tables.validation && tables.training_cells.has_value() != tables.validation_cells.has_value()) {
        throw InternalError("training rows are sparse and validation rows dense, or the other way round");
    }
}

/// Rows that a model is asked about, dense or sparse.
class AskedRows {
  public:
    AskedRows(const data::TableShard& rows, const std::optional<data::SparseCells>& cells)
        : rows_(rows), cells_(cells) {}
    /// Once for a model's features, whose names are copied here; throws InputError on those that the rows lack.
    void bind(const model::Ensemble& model) {
        frame_ = model::frame_of(model);
        if (cells_) {
            columns_ = infer::sparse_columns_of(frame_, *cells_);
        } else {
            binding_.emplace(frame_, rows_.schema);
        }
    }
    void add(const ScoreTrees& trees, RawScores& scores, std::vector<LeafColumn>* leaves = nullptr) {
        if (cells_) {
            add_trees(frame_, trees, SparseRowsOfModel{rows_, *cells_, columns_}, scores, leaves);
        } else {
            add_trees(*binding_, trees, rows_, scores, leaves);
        }
    }

  private:
    const data::TableShard& rows_;
    const std::optional<data::SparseCells>& cells_;
    model::Ensemble frame_;
    std::optional<infer::Binding> binding_;  ///< of dense rows
    std::vector<std::uint32_t> columns_;     ///< of sparse rows
};

void check_continued(const model::Ensemble& model, const BoostingSet& set) {
    const auto fail = [](const std::string& what) {
        throw ConfigError("--continue: the model " + what +
                          "; continue with the data and objective it was made with");
    };
    if (model.combination != model::Combination::sum) fail("is no boosted one");
    if (model.link != set.objective->link() || model.scores() != set.objective->scores()) {
        fail("was made for another objective");
    }
    if (model.classes != set.classes) fail("has other classes than the table");
    if (model.features != set.features) fail("has other features than the table");
    if (model.value_length() != 1 || model.trees.size() % model.scores() != 0) {
        fail("does not hold one tree for each score and round");
    }
    for (std::size_t tree = 0; tree < model.tree_outputs.size(); ++tree) {
        if (model.tree_outputs[tree] != tree % model.scores()) fail("has its trees in another order");
    }
}

/// The step that the objective limits leaves to, where none is asked for.
train::BoostingOptions with_own_step(const train::BoostingOptions& given, const objective::Objective& objective) {
    train::BoostingOptions options = given;
    if (!options.max_delta_step) options.max_delta_step = objective.default_max_delta_step();
    return options;
}

class BoostingRun {
  public:
    /// `own`: the training rows' column of initial scores; empty: none.
    BoostingRun(comm::Communicator& comm, const BoostingSet& set, const train::BoostingOptions& options,
                std::uint64_t seed, const std::vector<double>& own)
        : comm_(comm),
          set_(set),
          options_(options),
          seed_(seed),
          own_initial_(own),
          scores_a_row_(set.objective->scores()),
          exchange_(make_boosting_exchange(comm)),
          plan_{*set.table,
                options,
                monotone_directions(options.monotone, set.features),
                train::Interactions(interaction_groups(options.interaction, set.features),
                                    static_cast<std::uint32_t>(set.features.size())),
                seed,
                set.sparse.get(),
                std::string(set.objective->name()),
                set.objective->scores(),
                set.thresholds.get()} {
        if (!plan_.monotone.empty() && set.objective->refit_quantile()) {
            throw ConfigError("--monotone cannot be held with objective " + std::string(set.objective->name()) +
                              ", whose leaf values are quantiles of residuals");
        }
    }

    void start(const std::vector<double>& initial) {
        initial_ = initial;
        scores_ = RawScores(set_.rows.rows(), initial, own_initial_);
    }
    void start_from(const model::Ensemble& model, RawScores scores, std::vector<LeafColumn> leaves) {
        initial_ = model.initial_scores;
        scores_ = std::move(scores);
        trees_ = model.trees;
        leaves_ = std::move(leaves);
    }
    /// Training rows go where their ordered statistics send them, which the model's questions do not know. Throws
    /// ConfigError.
    void start_by_codes(const model::Ensemble& model) {
        start(model.initial_scores);
        train::RowMarks none;
        none.marks.assign(scores_.rows, train::RowMarks::k_out);
        for (std::size_t tree = 0; tree < model.trees.size(); ++tree) {
            const std::size_t k = tree % scores_a_row_;
            set_.statistics->show(*set_.table, tree / scores_a_row_, k);
            const auto grown = set_.statistics->read(model.trees[tree], k, *set_.table);
            add_grown_tree(grown, none, scores_.of(k));
            if (options_.dart) keep_leaves(grown, none);
        }
        trees_ = model.trees;
    }

    /// Grows the trees of one round and adds them to the scores of the training rows.
    void grow_round() {
        const std::uint64_t round = rounds();
        const auto dropped = draw_dropped(options_, seed_, round);
        RawScores working = dropped.empty() ? RawScores{} : scores_without(dropped);
        RawScores& at = dropped.empty() ? scores_ : working;
        derive(at);
        const DrawnFrom from{set_.first_row, scores_.rows, set_.left_out};
        const train::RowMarks marks = draw_rows(comm_, options_, from, gradient_, seed_, round);
        for (std::size_t k = 0; k < scores_a_row_; ++k) grow_tree(k, marks, at, dropped.size());
        if (!dropped.empty()) rescale(dropped);
    }

    std::uint64_t rounds() const { return trees_.size() / scores_a_row_; }
    const RawScores& scores() const { return scores_; }
    const std::vector<double>& initial() const { return initial_; }
    void keep_rounds(std::uint64_t count) { trees_.resize(count * scores_a_row_); }

    std::span<const model::Tree> trees() const { return trees_; }
    /// The score that each tree adds to.
    std::vector<std::uint32_t> outputs() const {
        std::vector<std::uint32_t> outputs(trees_.size());
        for (std::size_t tree = 0; tree < outputs.size(); ++tree)
            outputs[tree] = static_cast<std::uint32_t>(tree % scores_a_row_);
        return outputs;
    }

    model::Ensemble make_model() const {
        model::EnsembleBuilder builder;
        builder.task(set_.task, set_.label_name, set_.classes).features(set_.features);
        for (const model::Tree& tree : trees_) builder.add_tree(tree);
        builder.sum(set_.objective->link(), initial_, scores_a_row_ > 1 ? outputs() : std::vector<std::uint32_t>{});
        return std::move(builder).build();
    }

  private:
    /// Derivatives that a tree can ask for again and again are not kept: where a row's are its own, and nobody else reads
    /// them.
    bool keeps_derivatives() const {
        return scores_a_row_ > 1 || set_.objective->grouped() ||
               options_.sampling == train::BoostingSampling::gradient;
    }

    void derive(const RawScores& at) {
        if (!keeps_derivatives()) return;
        gradient_.resize(at.values.size());
        hessian_.resize(at.values.size());
        objective::all_derivatives(*set_.objective, set_.rows.whole().view(), at.values, {gradient_, hessian_});
    }

    void grow_tree(std::size_t k, const train::RowMarks& marks, RawScores& at, std::size_t dropped) {
        const train::ComputedDerivatives computed(*set_.objective, {set_.rows.labels, set_.rows.weights, at.of(k)});
        train::GradientView view{{}, {}, &marks, set_.first_row, &computed};
        if (keeps_derivatives()) view = {part(gradient_, k), part(hessian_, k), &marks, set_.first_row};
        if (set_.statistics) set_.statistics->show(*set_.table, trees_.size() / scores_a_row_, k);
        auto grown = train::grow_boosted_tree(plan_, view, trees_.size(), *exchange_, workspace_);
        if (set_.statistics) set_.statistics->say_in_categories(grown, k);
        if (const auto quantile = set_.objective->refit_quantile()) refit(grown, marks, at.of(k), *quantile);
        if (dropped != 0) {
            // As XGBoost's "tree" normalisation: the new tree and those left out share one tree's weight.
            const double share = 1 / (static_cast<double>(dropped) + options_.learning_rate);
            for (model::Node& node : grown.tree.nodes) node.value[0] *= share;
        }
        if (dropped == 0) add_grown_tree(grown, marks, scores_.of(k));
        if (options_.dart) keep_leaves(grown, marks);
        trees_.push_back(std::move(grown.tree));
    }

    std::span<const double> part(const std::vector<double>& values, std::size_t k) const {
        return std::span(values).subspan(k * scores_.rows, scores_.rows);
    }

    void keep_leaves(const train::GrownBoostedTree& grown, const train::RowMarks& marks) {
        if (grown.tree.nodes.size() > std::numeric_limits<std::uint16_t>::max()) {
            throw LimitError("--dart takes trees of at most 32768 leaves; set --max-leaves or --max-depth");
        }
        leaves_.push_back(leaves_of_rows(grown, marks, scores_.rows));
    }

    /// Weights of rows in leaf quantiles: an amplified row counts for those that it stands for. Empty: one each.
    std::vector<double> refit_weights(const train::RowMarks& marks) const {
        std::vector<double> weights = set_.rows.weights.all();
        if (marks.amplification == 1) return weights;
        if (weights.empty()) weights.assign(scores_.rows, 1.0);
        for (std::size_t row = 0; row < weights.size(); ++row) weights[row] *= marks.factor(row);
        return weights;
    }

    /// Leaf values become quantiles of the residuals of the leaf's rows that took part.
    void refit(train::GrownBoostedTree& grown, const train::RowMarks& marks, std::span<const double> scores,
               double quantile) {
        std::vector<double> residuals = set_.rows.labels.all();
        for (std::size_t row = 0; row < scores.size(); ++row) residuals[row] -= scores[row];
        const auto weights = refit_weights(marks);
        refit_leaves(comm_, grown, {residuals, weights}, quantile);
        for (model::Node& node : grown.tree.nodes) {
            if (node.is_leaf()) node.value[0] *= options_.learning_rate;
        }
    }

    bool is_dropped(std::size_t tree, const std::vector<std::uint64_t>& dropped) const {
        return std::binary_search(dropped.begin(), dropped.end(), tree / scores_a_row_);
    }

    /// Scores of the trees whose round is not dropped, added in tree order.
    RawScores scores_without(const std::vector<std::uint64_t>& dropped) {
        RawScores scores(scores_.rows, initial_, own_initial_);
        for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
            if (is_dropped(tree, dropped)) continue;
            const std::span<double> out = scores.of(tree % scores_a_row_);
            for (std::size_t row = 0; row < out.size(); ++row) {
                out[row] += trees_[tree].nodes[leaves_[tree][row]].value[0];
            }
        }
        return scores;
    }

    void rescale(const std::vector<std::uint64_t>& dropped) {
        const auto count = static_cast<double>(dropped.size());
        const double share = count / (count + options_.learning_rate);
        for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
            if (!is_dropped(tree, dropped)) continue;
            for (model::Node& node : trees_[tree].nodes) node.value[0] *= share;
        }
        scores_ = scores_without({});
    }

    comm::Communicator& comm_;
    const BoostingSet& set_;
    const train::BoostingOptions& options_;
    std::uint64_t seed_;
    const std::vector<double>& own_initial_;
    std::size_t scores_a_row_;
    std::unique_ptr<train::BoostingExchange> exchange_;
    train::BoostingPlan plan_;
    train::BoostingWorkspace workspace_;
    std::vector<double> initial_;
    std::vector<double> gradient_;
    std::vector<double> hessian_;
    RawScores scores_;
    std::vector<model::Tree> trees_;
    std::vector<LeafColumn> leaves_;  ///< DART: a tree
};

/// Watches the metric after each round and says when to stop.
class Watch {
  public:
    Watch(comm::Communicator& comm, const BoostingSet& set, const train::BoostingOptions& options,
          const BoostingTables& tables, const std::vector<double>& own, CurveWanted wanted)
        : comm_(comm),
          set_(set),
          options_(options),
          validation_(tables.validation),
          own_initial_(own),
          training_(wanted == CurveWanted::both) {
        watches_ = training_ || options.early_stopping != 0 || (validation_ && wanted == CurveWanted::validation);
        if (!watches_) return;
        const auto task =
            set.task == model::Task::classification ? metric::Task::classification : metric::Task::regression;
        const std::string name =
            options.metric.empty() ? std::string(set.objective->default_metric()) : options.metric;
        metric_ = metric::find_metric(name, task);
        curve_.metric = metric_.name;
        curve_.larger_is_better = metric_.larger_is_better;
        if (!validation_) return;
        labels_ = read_other_labels(comm, set, *validation_);
        rows_.emplace(*validation_, tables.validation_cells);
        comm::agree_on(comm, [&] {
            model::Ensemble names;
            names.features = set.features;
            rows_->bind(names);
        });
    }

    void start(const std::vector<double>& initial, const model::Ensemble* continued) {
        if (!watches_ || !validation_) return;
        scores_ = RawScores(validation_->rows, initial, own_initial_);
        if (continued == nullptr) return;
        comm::agree_on(comm_, [&] { rows_->add({continued->trees, continued->tree_outputs}, scores_); });
        if (options_.early_stopping == 0) return;
        // A model cut by early stopping ends at its best round, so that this is what one longer run would compare with.
        best_round_ = continued->trees.size() / set_.objective->scores();
        best_ = metric_of_scores(comm_, metric_, set_, labels_, scores_);
    }

    /// After a round.
    void look(const BoostingRun& run) {
        if (!watches_) return;
        LearningPoint point{run.rounds(), std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::quiet_NaN()};
        if (training_) point.training = metric_of_scores(comm_, metric_, set_, set_.rows.whole(), run.scores());
        if (validation_) {
            comm::agree_on(comm_, [&] { add_last_round(run); });
            point.validation = metric_of_scores(comm_, metric_, set_, labels_, scores_);
        }
        curve_.points.push_back(point);
        if (options_.early_stopping == 0) return;
        if (best_round_ == 0 || is_better(point.validation)) {
            best_round_ = point.round;
            best_ = point.validation;
        }
    }
    /// Whether early stopping ends growth after so many rounds.
    bool is_over(std::uint64_t rounds) const {
        return options_.early_stopping != 0 && best_round_ != 0 && rounds - best_round_ >= options_.early_stopping;
    }

    /// Takes up what a run had seen that was stopped; after start().
    void restore(const BoostingState& state) {
        curve_.points = state.points;
        best_round_ = state.best_round;
        best_ = state.best;
    }
    void fill(BoostingState& state) const {
        state.points = curve_.points;
        state.best_round = best_round_;
        state.best = best_;
    }

    std::uint64_t best_round() const { return best_round_; }
    LearningCurve take_curve() { return std::move(curve_); }

  private:
    void add_last_round(const BoostingRun& run) {
        const std::vector<std::uint32_t> outputs = run.outputs();
        if (options_.dart) {  // earlier trees may have changed
            scores_ = RawScores(validation_->rows, run.initial(), own_initial_);
            rows_->add({run.trees(), outputs}, scores_);
            return;
        }
        const std::size_t width = set_.objective->scores();
        rows_->add({run.trees().last(width), std::span(outputs).last(width)}, scores_);
    }

    /// NaN never is, and any number is better than it.
    bool is_better(double value) const {
        if (std::isnan(best_)) return !std::isnan(value);
        return metric_.larger_is_better ? value > best_ : value < best_;
    }

    comm::Communicator& comm_;
    const BoostingSet& set_;
    const train::BoostingOptions& options_;
    const std::optional<data::TableShard>& validation_;
    const std::vector<double>& own_initial_;  ///< of the validation rows; empty: none
    std::optional<AskedRows> rows_;
    bool training_;
    bool watches_ = false;
    metric::Metric metric_;
    LearningCurve curve_;
    RowLabels labels_;
    RawScores scores_;
    std::uint64_t best_round_ = 0;
    double best_ = 0;
};

/// What training rows are at before the first new round, of a model to go on from.
struct ContinuedScores {
    RawScores scores;
    std::vector<LeafColumn> leaves;
};

ContinuedScores score_continued(comm::Communicator& comm, const BoostingTables& tables,
                                const train::BoostingOptions& options, const std::vector<double>& own) {
    ContinuedScores start;
    const model::Ensemble* const model = tables.continued;
    if (model == nullptr || model->combination != model::Combination::sum || model->value_length() != 1) return start;
    if (!statistic_features(model->features, options).empty()) return start;  // by codes, see start_by_codes
    if (tables.kept != nullptr) return start;                                 // later, by codes
    comm::agree_on(comm, [&] {
        start.scores = RawScores(tables.training.rows, model->initial_scores, own);
        AskedRows rows(tables.training, tables.training_cells);
        rows.bind(*model);
        rows.add({model->trees, model->tree_outputs}, start.scores, options.dart ? &start.leaves : nullptr);
    });
    return start;
}

/// The same of rows whose codes are known but not their values.
ContinuedScores score_by_codes(comm::Communicator& comm, const model::Ensemble& model, const BoostingSet& set,
                               const train::BoostingOptions& options) {
    return comm::agree_on(comm, [&] {
        ContinuedScores start;
        start.scores = RawScores(set.rows.rows(), model.initial_scores);
        add_trees_by_codes(model, *set.table, start.scores, options.dart ? &start.leaves : nullptr);
        return start;
    });
}

/// Until all rounds are grown, early stopping says so, or the keeper does.
void grow_rounds(BoostingKeeper* keeper, const train::BoostingOptions& options, BoostingRun& run, Watch& watch,
                 GrownBoosting& grown) {
    Progress progress("boosting", options.trees, "rounds");
    progress.advance(grown.rounds_grown);
    const auto make_state = [&] {
        BoostingState state;
        state.ensemble = run.make_model();
        state.rounds_grown = grown.rounds_grown;
        watch.fill(state);
        return state;
    };
    while (grown.rounds_grown < options.trees && !watch.is_over(run.rounds())) {
        run.grow_round();
        ++grown.rounds_grown;
        progress.advance(1);
        watch.look(run);
        if (keeper == nullptr) continue;
        if (!keeper->stop_after(grown.rounds_grown, make_state)) continue;
        grown.stopped = grown.rounds_grown < options.trees && !watch.is_over(run.rounds());
        return;
    }
}

}  // namespace

GrownBoosting grow_boosted(comm::Communicator& comm, BoostingTables tables, const train::BoostingOptions& given,
                           std::uint64_t seed, CurveWanted curve) {
    check_run(tables, given);
    const Stopwatch binning;
    const BoostingState* const resumed = tables.keeper != nullptr ? tables.keeper->resumed() : nullptr;
    if (resumed != nullptr) tables.continued = &resumed->ensemble;
    tables.training = place_rows(comm, std::move(tables.training), given, tables.training_cells);
    if (tables.validation) {
        tables.validation = place_rows(comm, std::move(*tables.validation), given, tables.validation_cells);
    }
    const BroughtScores brought = take_initial_scores(comm, tables, given);
    ContinuedScores continued = score_continued(comm, tables, given, brought.training);
    const BoostingSet set =
        tables.kept == nullptr
            ? make_boosting_set(comm, std::move(tables.training), given, seed, std::move(tables.training_cells))
            : make_boosting_set(comm, std::move(tables.training), *tables.kept, given);
    const train::BoostingOptions options = with_own_step(given, *set.objective);
    GrownBoosting grown;
    grown.rows = set.global_rows;
    grown.binning_seconds = binning.wall();
    grown.binning_processor_seconds = binning.processor();
    const Stopwatch growing;
    BoostingRun run(comm, set, options, seed, brought.training);
    Watch watch(comm, set, options, tables, brought.validation, curve);
    if (tables.continued != nullptr) {
        check_continued(*tables.continued, set);
        if (tables.kept != nullptr) continued = score_by_codes(comm, *tables.continued, set, options);
        if (set.statistics) {
            comm::agree_on(comm, [&] { run.start_by_codes(*tables.continued); });
        } else {
            run.start_from(*tables.continued, std::move(continued.scores), std::move(continued.leaves));
        }
    } else {
        run.start(first_scores(comm, set, options));
    }
    watch.start(run.initial(), tables.continued);
    if (resumed != nullptr) {
        watch.restore(*resumed);
        grown.rounds_grown = resumed->rounds_grown;
    }
    grow_rounds(tables.keeper, options, run, watch, grown);
    if (options.early_stopping != 0 && watch.best_round() != 0) run.keep_rounds(watch.best_round());
    grown.growing_seconds = growing.wall();
    grown.growing_processor_seconds = growing.processor();
    grown.rounds = run.rounds();
    grown.curve = watch.take_curve();
    grown.ensemble = comm::agree_on(comm, [&] { return run.make_model(); });
    return grown;
}

}  // namespace regrove::dist
