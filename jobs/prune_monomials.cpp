// Train rows value the monomials, validation rows choose how many stay.
#include "prune_monomials.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/monomial_pruning.hpp"
#include "regrove/algebra/monomial_trees.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/model/link.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::jobs {

namespace {

using algebra::Polynomial;
using algebra::PruningLevel;

/// A threshold given by hand: a number of at least 0.
double given_eta(const std::string& text) {
    const auto number = parse_double(text);
    if (number.status != NumberStatus::ok || !(number.value >= 0))
        throw ConfigError("eta: '" + text + "' is no number of at least 0");
    return number.value;
}

/// What the scores of some rows say, as prediction says it.
void answer(dist::Answers& answers, const model::Ensemble& frame, const std::vector<double>& scores) {
    const std::size_t width = frame.scores();
    if (frame.task == model::Task::regression) {
        answers.predicted_value = scores;
        for (double& value : answers.predicted_value) value = model::linked_value(frame.link, value);
        return;
    }
    answers.probability = model::linked_probabilities(frame.link, scores, frame.outputs());
    answers.predicted_class.resize(answers.rows);
    for (std::size_t row = 0; row < answers.rows; ++row) {
        const auto own = scores.begin() + static_cast<std::ptrdiff_t>(row * width);
        answers.predicted_class[row] =
            width == 1
                ? (*own > 0 ? 1 : 0)
                : static_cast<std::int32_t>(std::max_element(own, own + static_cast<std::ptrdiff_t>(width)) - own);
    }
}

class Pruning {
  public:
    Pruning(pipeline::JobContext& context, const model::Ensemble& model, const MonomialOptions& options)
        : context_(context), model_(model), options_(options) {}

    void run(const MonomialTables& tables, const MonomialFiles& files) {
        value(tables.training);
        levels_ = algebra::pruning_levels(values_, options_.levels);
        if (tables.valid) judge(*tables.valid);
        choose();
        summarise();
        if (chosen_) drop(files);
        write(files.curve, [&] { return curve_csv(); });
        write(files.picture, [&] { return draw::line_chart_picture(curve_chart(), files.picture_path); });
    }

  private:
    void value(const data::TableShard& training) {
        {
            const auto phase = context_.summary.phase("convert");
            polynomial_ = dist::ensemble_polynomial(context_.comm, model_, options_.polynomial);
            pipeline::agree_plainly(context_.comm, [&] { static_cast<void>(algebra::summing_frame(polynomial_)); });
        }
        const auto phase = context_.summary.phase("count");
        counts_ = dist::monomial_counts(context_.comm, polynomial_, training);
        rows_ = training.global_rows;
        values_ = algebra::monomial_values(polynomial_, counts_, rows_);
    }

    /// The metric of the whole model and at each level.
    void judge(const data::TableShard& valid) {
        const auto phase = context_.summary.phase("validate");
        metric_ = dist::chosen_metrics(
            options_.metric.empty() ? std::vector<std::string>{} : std::vector{options_.metric}, model_.task)[0];
        if (options_.metric.empty() && model_.task == model::Task::classification && model_.outputs() == 2)
            metric_ = metric::find_metric("roc_auc", metric::Task::classification);
        std::vector<PruningLevel> levels{{}};  // everything stays
        levels.front().kept = polynomial_.size();
        levels.insert(levels.end(), levels_.begin(), levels_.end());
        dist::Answers answers;
        std::vector<std::vector<double>> scores;
        pipeline::agree_plainly(context_.comm, [&] {
            const std::size_t label = infer::label_column(model_, valid.schema);
            answers.rows = valid.rows;
            answers.weight = dist::weights_of(valid);
            if (model_.task == model::Task::regression) {
                answers.true_value = infer::true_values(valid, label);
            } else {
                answers.classes = model_.outputs();
                answers.true_class = infer::true_classes(model_, valid, label);
            }
            const model::Ensemble asking = algebra::asking_ensemble(polynomial_);
            const infer::Binding binding(asking, valid.schema);
            scores = algebra::scores_at_levels(polynomial_, values_, levels, binding, valid);
        });
        for (const std::vector<double>& own : scores) {
            answer(answers, model_, own);
            metrics_.push_back(dist::metric_number(context_.comm, metric_, answers.view()));
        }
        metric_before_ = metrics_.front();
        metrics_.erase(metrics_.begin());
    }

    void choose() {
        switch (options_.choose) {
            case MonomialChoice::automatic:
                return;
            case MonomialChoice::alpha:
                chosen_ = algebra::level_of(values_, given_eta(options_.eta));
                return;
            case MonomialChoice::elbow:
                chosen_ = levels_[algebra::elbow(levels_)];
                return;
            case MonomialChoice::valid:
                // A later level that is good again is so by chance: on Adult it lost twelve times the tolerance on test rows.
                chosen_ = levels_.front();
                for (std::size_t i = 0; i < levels_.size() && !is_worse(metrics_[i]); ++i) chosen_ = levels_[i];
        }
    }

    /// By more than the tolerance; an undefined metric is worse.
    bool is_worse(double metric) const {
        const double loss = metric_.larger_is_better ? metric_before_ - metric : metric - metric_before_;
        return !(loss <= options_.tolerance);
    }

    void summarise() {
        pipeline::Summary& summary = context_.summary;
        const auto zero_counts =
            static_cast<std::uint64_t>(std::ranges::count_if(values_, [](double value) { return value == 0; }));
        const bool constant = polynomial_.size() > 0 && polynomial_.is_constant(0);
        const std::uint64_t all = polynomial_.size() - (constant ? 1 : 0);
        summary.result["monomials_before"] = levels_.front().kept;
        summary.details["monomials_of_non_zero_weight"] = all;
        summary.details["monomials_of_no_training_row"] = zero_counts;
        summary.details["conditions"] = polynomial_.conditions.size();
        summary.details["rows"] = rows_;
        summary.show("monomials of non-zero weight", std::to_string(all));
        summary.show("of these, held by training rows", std::to_string(levels_.front().kept));
        if (!chosen_) return;
        summary.result["monomials_after"] = chosen_->kept;
        summary.result["alpha"] = chosen_->alpha;
        summary.result["ratio"] = static_cast<double>(levels_.front().kept) / static_cast<double>(chosen_->kept);
        summary.result["eta_dropped"] = chosen_->dropped_share;
        summary.show("threshold", to_text(chosen_->alpha));
        summary.show("monomials after pruning", std::to_string(chosen_->kept));
        if (metrics_.empty()) return;
        const auto at = std::ranges::find(levels_, chosen_->kept, &PruningLevel::kept);
        summary.result["metric_name"] = metric_.name;
        summary.result["metric_before"] = metric_before_;
        summary.show(metric_.name + " on --valid before", to_text(metric_before_));
        if (at == levels_.end()) return;
        const double after = metrics_[static_cast<std::size_t>(at - levels_.begin())];
        summary.result["metric_after"] = after;
        summary.show(metric_.name + " on --valid after", to_text(after));
    }

    void drop(const MonomialFiles& files) {
        const auto kept = algebra::kept_at(values_, chosen_->alpha);
        const double bound = algebra::change_bound(polynomial_, kept);
        context_.summary.result["score_change_bound"] = bound;
        context_.summary.show("no score changes by more than", to_text(bound));
        write(files.model, [&] {
            model::Ensemble pruned = algebra::monomial_trees(algebra::selected(polynomial_, kept));
            pruned.provenance["form"] = "polynomial";
            pruned.provenance["prune.method"] = "monomials";
            pruned.provenance["prune.eta"] = to_text(chosen_->alpha);
            return formats::write_model(pruned, "regrove-polynomial");
        });
        write(files.dropped, [&] { return dropped_csv(kept); });
    }

    std::string dropped_csv(const std::vector<std::uint8_t>& kept) const {
        std::string text = "monomial,coefficient,rows,eta\n";
        for (std::size_t m = 0; m < polynomial_.size(); ++m) {
            if (kept[m] != 0) continue;
            std::string quoted = algebra::monomial_text(polynomial_, m);
            for (std::size_t at = 0; (at = quoted.find('"', at)) != std::string::npos; at += 2)
                quoted.insert(at, 1, '"');
            std::string weight;
            for (const Int128 number : polynomial_.coefficient(m))
                weight +=
                    (weight.empty() ? "" : " ") + to_text(algebra::to_double(number, polynomial_.unit_exponent));
            text +=
                '"' + quoted + "\"," + weight + ',' + std::to_string(counts_[m]) + ',' + to_text(values_[m]) + '\n';
        }
        return text;
    }

    std::string curve_csv() const {
        std::string text = "alpha,monomials,eta_dropped";
        if (!metrics_.empty()) text += ',' + metric_.name;
        text += ",chosen\n";
        for (std::size_t i = 0; i < levels_.size(); ++i) {
            text += to_text(levels_[i].alpha) + ',' + std::to_string(levels_[i].kept) + ',' +
                    to_text(levels_[i].dropped_share);
            if (!metrics_.empty()) text += ',' + to_text(metrics_[i]);
            text += chosen_ && chosen_->kept == levels_[i].kept ? ",1\n" : ",0\n";
        }
        return text;
    }

    draw::LineChart curve_chart() const {
        draw::LineChart chart;
        chart.title = "Monomials kept";
        chart.subtitle = std::to_string(levels_.front().kept) + " monomials held by training rows";
        chart.x_title = "monomials";
        chart.y_title = metrics_.empty() ? "share of eta dropped" : metric_.name + " on validation rows";
        draw::ChartLine line;
        for (std::size_t i = levels_.size(); i-- > 0;) {
            const double y = metrics_.empty() ? levels_[i].dropped_share : metrics_[i];
            if (!std::isfinite(y)) continue;
            line.points.push_back({static_cast<double>(levels_[i].kept), y, 0});
            if (chosen_ && chosen_->kept == levels_[i].kept)
                chart.mark = draw::ChartMark{line.points.back().x, y,
                                             "chosen: " + std::to_string(chosen_->kept) + " monomials"};
        }
        chart.lines.push_back(std::move(line));
        return chart;
    }

    template <class Make>
    void write(pipeline::OutputFile* file, Make make) {
        comm::agree_on(context_.comm, [&] {
            if (file == nullptr) return;
            file->write(make());
            file->commit();
        });
    }

    pipeline::JobContext& context_;
    const model::Ensemble& model_;
    const MonomialOptions& options_;
    Polynomial polynomial_;
    std::vector<std::uint64_t> counts_;
    std::uint64_t rows_ = 0;
    std::vector<double> values_;
    std::vector<PruningLevel> levels_;
    metric::Metric metric_;
    double metric_before_ = 0;
    std::vector<double> metrics_;  ///< one a level
    std::optional<PruningLevel> chosen_;
};

}  // namespace

void list_options(MonomialOptions& options, OptionTable& table) {
    table.add("eta", options.eta, "monomials: the threshold, given by hand").value_name("X");
    table.add("keep", options.choose,
              Choices<MonomialChoice>{{"auto", MonomialChoice::automatic},
                                      {"eta", MonomialChoice::alpha},
                                      {"elbow", MonomialChoice::elbow},
                                      {"valid", MonomialChoice::valid}},
              "monomials: eta: as --eta says; elbow: where training statistics bend; valid: the fewest before the "
              "metric on --valid is worse for the first time; auto: by what is given");
    table.add("metric", options.metric, "monomials: the metric on --valid; default: roc_auc, or by the model's task")
        .value_name("NAME");
    table.add("tolerance", options.tolerance, 0, 1e300, "monomials: how much worse the metric may become");
    table.add("levels", options.levels, 1, 100000, "monomials: points of the curve");
    table.add("dropped", options.dropped, "monomials: those that were dropped, as a CSV table")
        .value_name("FILE")
        .no_result();
    algebra::list_options(options.polynomial, table);
}

bool is_given(const MonomialOptions& options) {
    return !options.eta.empty() || options.choose != MonomialChoice::automatic || !options.metric.empty() ||
           !options.dropped.empty();
}

void check(MonomialOptions& options, bool has_data, bool has_valid, bool has_output) {
    if (!has_data) throw UsageError("--data is missing: monomials are counted over the training table");
    if (options.choose == MonomialChoice::automatic) {
        if (!options.eta.empty())
            options.choose = MonomialChoice::alpha;
        else if (has_output)
            options.choose = has_valid ? MonomialChoice::valid : MonomialChoice::elbow;
    }
    if (options.choose == MonomialChoice::alpha) {
        if (options.eta.empty()) throw UsageError("--keep eta needs --eta X");
        static_cast<void>(given_eta(options.eta));
    } else if (!options.eta.empty()) {
        throw UsageError("--eta belongs to --keep eta");
    }
    if (options.choose == MonomialChoice::valid && !has_valid)
        throw UsageError("--valid is missing: --keep valid needs rows that training has not seen");
}

void prune_monomials(pipeline::JobContext& context, const model::Ensemble& model, const MonomialTables& tables,
                     const MonomialOptions& options, const MonomialFiles& files) {
    Pruning(context, model, options).run(tables, files);
}

}  // namespace regrove::jobs
