// Train rows value the monomials, validation rows choose how many stay.
#include "prune_monomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/monomial_pruning.hpp"
#include "regrove/algebra/monomial_trees.hpp"
#include "regrove/algebra/score_bound.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/pipeline/decision_flips.hpp"
#include "regrove/pipeline/monomial_levels.hpp"
#include "regrove/pipeline/monomial_reweighting.hpp"

namespace regrove::jobs {

namespace {

using algebra::Polynomial;
using algebra::PruningLevel;

bool asks_for_flips(const MonomialOptions& options) {
    return !options.flips.empty() || !options.flipped_rows.empty();
}

/// A threshold given by hand: a number of at least 0.
double given_eta(const std::string& text) {
    const auto number = parse_double(text);
    if (number.status != NumberStatus::ok || !(number.value >= 0))
        throw ConfigError("eta: '" + text + "' is no number of at least 0");
    return number.value;
}

class Pruning {
  public:
    Pruning(pipeline::JobContext& context, const model::Ensemble& model, const MonomialOptions& options)
        : context_(context), model_(model), options_(options) {}

    void run(const MonomialTables& tables, const MonomialFiles& files) {
        pipeline::FlipQuestion question{{}, options_.segment};
        if (asks_for_flips(options_)) {
            question.cut_offs = pipeline::checked_cut_offs(options_.cut_offs, model_);
            question.list_rows = !options_.flipped_rows.empty();
            pipeline::check_segment(tables.valid ? *tables.valid : tables.training, options_.segment);
        }
        value(tables.training);
        levels_ = algebra::pruning_levels(valued_.values, options_.levels);
        held_ = levels_.front().kept;
        if (tables.valid) judge(*tables.valid, tables.training);
        choose();
        if (chosen_) settle(tables.training);
        summarise();
        if (chosen_) drop(files);
        if (chosen_ && asks_for_flips(options_))
            tell_flips(question, tables.valid ? *tables.valid : tables.training, files);
        write(files.curve, [&] { return curve_csv(); });
        write(files.picture, [&] { return draw::line_chart_picture(curve_chart(), files.picture_path); });
    }

  private:
    void value(const data::TableShard& training) {
        Polynomial polynomial;
        {
            const auto phase = context_.summary.phase("convert");
            polynomial = algebra::as_sum(dist::ensemble_polynomial(context_.comm, model_, options_.polynomial));
        }
        const auto phase = context_.summary.phase("count");
        valued_ = pipeline::value_polynomial(context_.comm, std::move(polynomial), training);
    }

    /// The model without its trees, as one that sums scores.
    const model::Ensemble& frame() const { return valued_.polynomial.frame; }

    bool reweights() const { return options_.reweight.method != algebra::Reweight::none; }

    /// The metric of the whole model and at each level.
    void judge(const data::TableShard& valid, const data::TableShard& training) {
        const auto phase = context_.summary.phase("validate");
        metric_ = pipeline::pruning_metric(options_.metric, model_);
        if (reweights()) return judge_fitted(valid, training);
        std::vector<PruningLevel> levels{pipeline::whole_level(valued_.polynomial)};
        levels.insert(levels.end(), levels_.begin(), levels_.end());
        metrics_ = pipeline::metrics_at_levels(context_.comm, frame(), valued_, levels, valid, metric_);
        metric_before_ = metrics_.front();
        metrics_.erase(metrics_.begin());
    }

    void judge_fitted(const data::TableShard& valid, const data::TableShard& training) {
        std::vector<PruningLevel> few;
        comm::agree_on(context_.comm, [&] { few = pipeline::levels_to_reweight(levels_, options_.reweight); });
        unfitted_ = levels_.size() - few.size();
        fits_.emplace(context_.comm, valued_, few, training, options_.reweight);
        sizes_.assign(unfitted_, 0);
        for (std::size_t i = 0; i < unfitted_; ++i) sizes_[i] = levels_[i].kept;
        metrics_.assign(unfitted_, std::numeric_limits<double>::quiet_NaN());
        metric_before_ = pipeline::metric_of_polynomial(context_.comm, frame(), valued_.polynomial, valid, metric_);
        Progress progress("prune", few.size(), "levels");
        for (const PruningLevel& level : few) {
            const Polynomial fitted = algebra::with_coefficients(valued_.polynomial, fits_->coefficients_at(level));
            sizes_.push_back(pipeline::monomials_of(fitted));
            metrics_.push_back(pipeline::metric_of_polynomial(context_.comm, frame(), fitted, valid, metric_));
            progress.advance(1);
        }
    }

    void choose() {
        switch (options_.choose) {
            case MonomialChoice::automatic:
                return;
            case MonomialChoice::alpha:
                chosen_ = algebra::level_of(valued_.values, given_eta(options_.eta));
                return;
            case MonomialChoice::elbow:
                chosen_ = levels_[algebra::elbow(levels_)];
                return;
            case MonomialChoice::valid:
                chosen_ = levels_[unfitted_ + pipeline::last_good_level(std::span(metrics_).subspan(unfitted_),
                                                                        metric_before_, options_.tolerance, metric_,
                                                                        options_.both_sides)];
        }
    }

    /// The coefficients that the pruned model has.
    void settle(const data::TableShard& training) {
        if (!reweights()) {
            const auto kept = algebra::kept_at(valued_.values, chosen_->alpha);
            coefficients_ = valued_.polynomial.coefficients;
            const std::size_t scores = valued_.polynomial.scores;
            for (std::size_t i = 0; i < coefficients_.size(); ++i)
                if (kept[i / scores] == 0) coefficients_[i] = 0;
            monomials_after_ = chosen_->kept;
            return;
        }
        const auto phase = context_.summary.phase("reweight");
        if (!fits_ || chosen_->alpha < levels_[unfitted_].alpha) {
            const std::vector<PruningLevel> level{*chosen_};
            comm::agree_on(context_.comm, [&] { pipeline::levels_to_reweight(level, options_.reweight); });
            fits_.emplace(context_.comm, valued_, level, training, options_.reweight);
        }
        coefficients_ = fits_->coefficients_at(*chosen_);
        monomials_after_ = pipeline::monomials_of(algebra::with_coefficients(valued_.polynomial, coefficients_));
    }

    void summarise() {
        pipeline::Summary& summary = context_.summary;
        const auto zero_counts = static_cast<std::uint64_t>(
            std::ranges::count_if(valued_.values, [](double value) { return value == 0; }));
        const bool constant = valued_.polynomial.size() > 0 && valued_.polynomial.is_constant(0);
        const std::uint64_t all = valued_.polynomial.size() - (constant ? 1 : 0);
        summary.result["monomials_before"] = held_;
        summary.details["monomials_of_non_zero_weight"] = all;
        summary.details["monomials_of_no_training_row"] = zero_counts;
        summary.details["conditions"] = valued_.polynomial.conditions.size();
        summary.details["rows"] = valued_.rows;
        summary.show("monomials of non-zero weight", std::to_string(all));
        summary.show("of these, held by training rows", std::to_string(held_));
        if (!chosen_) return;
        summary.result["monomials_after"] = monomials_after_;
        summary.result["alpha"] = reported_alpha();
        summary.result["ratio"] =
            static_cast<double>(held_) / static_cast<double>(std::max<std::uint64_t>(monomials_after_, 1));
        summary.result["eta_dropped"] = chosen_->dropped_share;
        summary.show("threshold", to_text(reported_alpha()));
        summary.show("monomials after pruning", std::to_string(monomials_after_));
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

    /// Drops the same from this model, and is to be given to another one.
    double reported_alpha() const {
        return options_.choose == MonomialChoice::alpha ? chosen_->alpha
                                                        : pipeline::threshold_to_hand_on(valued_.values, *chosen_);
    }

    void drop(const MonomialFiles& files) {
        const double bound = bound_of_change();
        context_.summary.result["score_change_bound"] = bound;
        context_.summary.show("no score changes by more than", to_text(bound));
        write(files.model, [&] {
            model::Ensemble pruned =
                algebra::monomial_trees(algebra::with_coefficients(valued_.polynomial, coefficients_));
            pruned.provenance["form"] = "polynomial";
            pruned.provenance["prune.method"] = "monomials";
            pruned.provenance["prune.eta"] = to_text(reported_alpha());
            if (reweights()) pruned.provenance["prune.reweight"] = reweighting_text();
            return formats::write_model(pruned, "regrove-polynomial");
        });
        write(files.dropped, [&] { return dropped_csv(); });
    }

    double bound_of_change() const {
        std::vector<Int128> change = valued_.polynomial.coefficients;
        for (std::size_t i = 0; i < change.size(); ++i)
            change[i] = algebra::subtract_exactly(change[i], coefficients_[i]);
        return algebra::score_bound(algebra::with_coefficients(valued_.polynomial, std::move(change)));
    }

    void tell_flips(const pipeline::FlipQuestion& question, const data::TableShard& rows,
                    const MonomialFiles& files) {
        const auto phase = context_.summary.phase("flips");
        const Polynomial after = algebra::with_coefficients(valued_.polynomial, coefficients_);
        const pipeline::DecisionFlips flips =
            pipeline::decision_flips(context_.comm, frame(), valued_.polynomial, after, rows, question);
        std::uint64_t flipped = 0;
        for (const pipeline::FlipCount& count : flips.counts) flipped += count.to_yes + count.to_no;
        context_.summary.result["decisions_flipped"] = flipped;
        context_.summary.show("decisions that flip", std::to_string(flipped));
        write(files.flips, [&] { return pipeline::flip_counts_csv(flips); });
        write(files.flipped_rows, [&] { return pipeline::flipped_rows_csv(flips, question, frame()); });
    }

    std::string reweighting_text() const {
        if (options_.reweight.method == algebra::Reweight::least_squares) return "least_squares";
        return "lasso " + to_text(options_.reweight.lasso_penalty);
    }

    bool is_dropped(std::size_t m) const {
        const std::size_t scores = valued_.polynomial.scores;
        return std::all_of(coefficients_.begin() + static_cast<std::ptrdiff_t>(m * scores),
                           coefficients_.begin() + static_cast<std::ptrdiff_t>((m + 1) * scores),
                           [](Int128 number) { return number == 0; });
    }

    std::string dropped_csv() const {
        std::string text = "monomial,coefficient,rows,eta\n";
        for (std::size_t m = 0; m < valued_.polynomial.size(); ++m) {
            if (!is_dropped(m)) continue;
            std::string quoted = algebra::monomial_text(valued_.polynomial, m);
            for (std::size_t at = 0; (at = quoted.find('"', at)) != std::string::npos; at += 2)
                quoted.insert(at, 1, '"');
            std::string weight;
            for (const Int128 number : valued_.polynomial.coefficient(m))
                weight += (weight.empty() ? "" : " ") +
                          to_text(algebra::to_double(number, valued_.polynomial.unit_exponent));
            text += '"' + quoted + "\"," + weight + ',' + std::to_string(valued_.counts[m]) + ',' +
                    to_text(valued_.values[m]) + '\n';
        }
        return text;
    }

    std::string curve_csv() const {
        std::string text = "alpha,monomials,eta_dropped";
        if (!metrics_.empty()) text += ',' + metric_.name;
        text += ",chosen\n";
        for (std::size_t i = 0; i < levels_.size(); ++i) {
            text += to_text(levels_[i].alpha) + ',' + std::to_string(size_at(i)) + ',' +
                    to_text(levels_[i].dropped_share);
            if (!metrics_.empty()) text += ',' + (std::isnan(metrics_[i]) ? "" : to_text(metrics_[i]));
            text += chosen_ && chosen_->kept == levels_[i].kept ? ",1\n" : ",0\n";
        }
        return text;
    }

    /// Monomials left at a level.
    std::uint64_t size_at(std::size_t level) const { return sizes_.empty() ? levels_[level].kept : sizes_[level]; }

    draw::LineChart curve_chart() const {
        draw::LineChart chart;
        chart.title = "Monomials kept";
        chart.subtitle = std::to_string(held_) + " monomials held by training rows";
        chart.x_title = "monomials";
        chart.y_title = metrics_.empty() ? "share of eta dropped" : metric_.name + " on validation rows";
        draw::ChartLine line;
        for (std::size_t i = levels_.size(); i-- > 0;) {
            const double y = metrics_.empty() ? levels_[i].dropped_share : metrics_[i];
            if (!std::isfinite(y)) continue;
            line.points.push_back({static_cast<double>(size_at(i)), y, 0});
            if (chosen_ && chosen_->kept == levels_[i].kept)
                chart.mark =
                    draw::ChartMark{line.points.back().x, y, "chosen: " + std::to_string(size_at(i)) + " monomials"};
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
    pipeline::ValuedPolynomial valued_;
    std::vector<PruningLevel> levels_;
    metric::Metric metric_;
    double metric_before_ = 0;
    std::uint64_t held_ = 0;            ///< monomials of some training row, but for the constant
    std::vector<std::uint64_t> sizes_;  ///< monomials left at each level, when they are fitted anew
    std::vector<double> metrics_;       ///< one a level; NaN where too many monomials stay to be fitted anew
    std::size_t unfitted_ = 0;          ///< such levels, the first ones
    std::optional<pipeline::MonomialReweighting> fits_;
    std::vector<Int128> coefficients_;  ///< after pruning, in the places of the polynomial's; zeros are dropped
    std::uint64_t monomials_after_ = 0;
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
    table.add("both_sides", options.both_sides,
              "monomials: a metric that gets better by more than the tolerance ends the search for a threshold, too");
    table.add("levels", options.levels, 1, 100000, "monomials: points of the curve");
    table.add("dropped", options.dropped, "monomials: those that were dropped, as a CSV table")
        .value_name("FILE")
        .no_result();
    table
        .add("flips", options.flips,
             "monomials: a CSV table of the rows of --valid (or --data) whose decision flips, by segment and cut-off")
        .value_name("FILE")
        .no_result();
    table.add("flipped_rows", options.flipped_rows, "monomials: each of these rows, with its answer before and after")
        .value_name("FILE")
        .no_result();
    table
        .add("cut_offs", options.cut_offs,
             "monomials: decisions are probability (of class 1) or value > X; default: 0.5 for two classes")
        .value_name("X,...")
        .no_result();
    table.add("segment", options.segment, "monomials: column whose values divide the rows of --flips")
        .value_name("COL")
        .no_result();
    algebra::list_options(options.reweight, table);
    algebra::list_options(options.polynomial, table);
}

bool is_given(const MonomialOptions& options) {
    return !options.eta.empty() || options.choose != MonomialChoice::automatic || !options.metric.empty() ||
           !options.dropped.empty() || asks_for_flips(options) || !options.cut_offs.empty() ||
           !options.segment.empty() || options.reweight.method != algebra::Reweight::none;
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
    if (!asks_for_flips(options) && (!options.cut_offs.empty() || !options.segment.empty()))
        throw UsageError("--cut-offs and --segment belong to --flips and --flipped-rows");
    if (options.choose == MonomialChoice::valid && !has_valid)
        throw UsageError("--valid is missing: --keep valid needs rows that training has not seen");
}

void prune_monomials(pipeline::JobContext& context, const model::Ensemble& model, const MonomialTables& tables,
                     const MonomialOptions& options, const MonomialFiles& files) {
    Pruning(context, model, options).run(tables, files);
}

}  // namespace regrove::jobs
