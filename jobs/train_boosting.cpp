#include "train_boosting.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/dist/table_hash.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/pipeline/boosting_fit.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove::jobs {

namespace {

bool is_json(const std::string& path) { return path.ends_with(".json"); }
bool is_table(const std::string& path) {
    return !path.ends_with(".svg") && !path.ends_with(".png") && !is_json(path);
}

data::TableShard curve_table(const dist::LearningCurve& curve) {
    std::vector<std::int64_t> rounds;
    std::vector<double> training;
    std::vector<double> validation;
    for (const dist::LearningPoint& point : curve.points) {
        rounds.push_back(static_cast<std::int64_t>(point.round));
        training.push_back(point.training);
        validation.push_back(point.validation);
    }
    data::TableShard table;
    table.rows = table.global_rows = curve.points.size();
    const auto add = [&](std::string name, data::ColumnType type, data::ColumnValues values) {
        table.schema.columns.push_back({std::move(name), type, data::ColumnRole::feature, {}});
        table.values.push_back(std::move(values));
    };
    add("round", data::ColumnType::int64, std::move(rounds));
    add("training_" + curve.metric, data::ColumnType::float64, std::move(training));
    add("validation_" + curve.metric, data::ColumnType::float64, std::move(validation));
    return table;
}

/// The point that early stopping keeps: the first of the best; null without validation.
const dist::LearningPoint* best_point(const dist::LearningCurve& curve) {
    const dist::LearningPoint* best = nullptr;
    for (const dist::LearningPoint& point : curve.points) {
        if (std::isnan(point.validation)) continue;
        const bool better = best == nullptr || (curve.larger_is_better ? point.validation > best->validation
                                                                       : point.validation < best->validation);
        if (better) best = &point;
    }
    return best;
}

draw::LineChart curve_chart(const dist::LearningCurve& curve, const std::string& title) {
    draw::LineChart chart;
    chart.title = title;
    chart.x_title = "rounds";
    chart.y_title = curve.metric;
    const auto add = [&](const char* name, double dist::LearningPoint::*value) {
        draw::ChartLine line{name, {}, false, false};
        for (const dist::LearningPoint& point : curve.points)
            if (std::isfinite(point.*value))
                line.points.push_back({static_cast<double>(point.round), point.*value, 0});
        if (!line.points.empty()) chart.lines.push_back(std::move(line));
    };
    add("training", &dist::LearningPoint::training);
    add("validation", &dist::LearningPoint::validation);
    if (const dist::LearningPoint* best = best_point(curve))
        chart.mark = draw::ChartMark{static_cast<double>(best->round), best->validation,
                                     "best: " + draw::value_text(best->validation) + " after " +
                                         draw::count_text(best->round, "round", "rounds")};
    return chart;
}

/// Numbers that are not finite become null.
std::string curve_json(const dist::LearningCurve& curve) {
    nlohmann::ordered_json json;
    json["metric"] = curve.metric;
    json["larger_is_better"] = curve.larger_is_better;
    if (const dist::LearningPoint* best = best_point(curve)) json["best_round"] = best->round;
    auto& points = json["points"] = nlohmann::ordered_json::array();
    for (const dist::LearningPoint& point : curve.points)
        points.push_back({{"round", point.round}, {"training", point.training}, {"validation", point.validation}});
    return json.dump(2) + "\n";
}

/// In the form of the training rows.
pipeline::LoadedTable load_validation(pipeline::JobContext& context, const BoostingFiles& files,
                                      const std::string& target, const pipeline::TrainingRows& training) {
    const auto phase = context.summary.phase("load");
    pipeline::TableRequest request;
    request.path = files.validation;
    request.target = target;
    request.expected = training.schema();
    const auto form = training.cells ? dist::RowForm::sparse : dist::RowForm::dense;
    pipeline::LoadedTable table = pipeline::load_table(context.comm, request, form, context.memory_limit_bytes);
    context.summary.read(files.validation);
    return table;
}

void report(pipeline::JobContext& context, const dist::GrownBoosting& grown) {
    const model::Ensemble& ensemble = grown.ensemble;
    std::uint64_t leaves = 0;
    std::uint32_t depth = 0;
    for (const model::Tree& tree : ensemble.trees) {
        leaves += tree.leaf_count();
        depth = std::max(depth, tree.depth());
    }
    auto& result = context.summary.result;
    result["trees"] = ensemble.trees.size();
    result["rounds"] = grown.rounds;
    result["rounds_grown"] = grown.rounds_grown;
    result["leaves"] = leaves;
    result["depth"] = depth;
    result["rows"] = grown.rows;
    result["features"] = ensemble.features.size();
    context.summary.details["binning_seconds"] = grown.binning_seconds;
    context.summary.details["growing_seconds"] = grown.growing_seconds;
    context.summary.show("rows", std::to_string(grown.rows));
    context.summary.show("features", std::to_string(ensemble.features.size()));
    context.summary.show("rounds", std::to_string(grown.rounds));
    context.summary.show("trees", std::to_string(ensemble.trees.size()));
    context.summary.show("leaves of all trees", std::to_string(leaves));
    context.summary.show("depth of the deepest", std::to_string(depth));
}

void report_curve(pipeline::JobContext& context, const dist::LearningCurve& curve) {
    if (curve.points.empty()) return;
    auto& result = context.summary.result["metrics"];
    result["name"] = curve.metric;
    const auto show = [&](const char* which, double value, std::uint64_t round) {
        if (std::isnan(value)) return;
        result[which] = value;
        context.summary.show(std::string(which) + " " + curve.metric,
                             draw::value_text(value) + " after " + draw::count_text(round, "round", "rounds"));
    };
    const dist::LearningPoint& last = curve.points.back();
    show("training", last.training, last.round);
    if (const dist::LearningPoint* best = best_point(curve)) {
        show("validation", best->validation, best->round);
        result["best_round"] = best->round;
    }
}

/// Files are known by what they hold, not by their names. A curve's points are kept from the first round on.
store::CheckpointIdentity identity_of(pipeline::JobContext& context, const std::string& data_hash,
                                      const dist::BoostingTables& tables,
                                      const std::optional<model::Ensemble>& continued, bool curve_wanted) {
    store::CheckpointIdentity identity = context.checkpoint.identity;
    if (context.checkpoint.folder.empty()) return identity;
    for (const char* file : {"data", "valid", "continue"}) identity.forget_option(file);
    identity.options.emplace_back("learning_curve", curve_wanted ? "given" : "not given");
    identity.inputs = {{"data", data_hash}};
    if (tables.validation) {
        const std::string hash =
            tables.validation_cells
                ? dist::table_hash(context.comm, *tables.validation, *tables.validation_cells).text
                : dist::table_hash(context.comm, *tables.validation);
        identity.inputs.emplace_back("valid", hash);
    }
    if (continued) {
        comm::agree_on(context.comm, [&] {
            Hasher hasher;
            hasher.update_field(formats::write_model(*continued));
            identity.inputs.emplace_back("continue", to_hex(hasher.digest()));
        });
    }
    return identity;
}

}  // namespace

void list_options(BoostingFiles& files, OptionTable& table) {
    table.add("valid", files.validation, "boosting: a table with labels to watch the metric on").value_name("FILE");
    table
        .add("continue", files.continued,
             "boosting: a model to go on from, made with the same options: its trees and the new ones are those of "
             "one run")
        .value_name("MODEL");
    table
        .add("learning_curve", files.curves,
             "boosting: the metric of training and validation rows after each round: .svg or .png, .json, else a "
             "table "
             "(.h5, .tsv, CSV)")
        .value_name("FILE")
        .no_result();
}

void check_files(const BoostingFiles& files, pipeline::Method method) {
    if (method == pipeline::Method::boosting) return;
    const auto refuse = [](const char* flag) { throw ConfigError(std::string(flag) + " is for --method boosting"); };
    if (!files.validation.empty()) refuse("--valid");
    if (!files.continued.empty()) refuse("--continue");
    if (!files.curves.empty()) refuse("--learning-curve");
}

CurveOutputs::CurveOutputs(pipeline::JobContext& context, const std::vector<std::string>& paths) : paths_(paths) {
    for (const std::string& path : paths_) {
        tables_.push_back(nullptr);
        files_.push_back(nullptr);
        if (is_table(path)) {
            tables_.back() = std::make_unique<pipeline::TableOutput>(context.comm, path, context.overwrite);
            continue;
        }
        files_.back() = comm::agree_on(context.comm, [&] {
            return context.comm.is_root() ? std::make_unique<pipeline::OutputFile>(path, context.overwrite) : nullptr;
        });
    }
}

void CurveOutputs::write(pipeline::JobContext& context, const dist::LearningCurve& curve, const std::string& title) {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        if (tables_[i]) {
            tables_[i]->write_whole(context.comm, curve_table(curve));
        } else {
            comm::agree_on(context.comm, [&] {
                if (!files_[i]) return;
                files_[i]->write(is_json(paths_[i]) ? curve_json(curve)
                                                    : draw::line_chart_picture(curve_chart(curve, title), paths_[i]));
                files_[i]->commit();
            });
        }
        if (paths_[i] != "-") context.summary.wrote(paths_[i]);
    }
}

TrainedBoosting train_boosting(pipeline::JobContext& context, pipeline::TrainingRows rows,
                               const pipeline::LearnerOptions& learner, const BoostingFiles& files,
                               const std::string& target) {
    const bool watches = !files.validation.empty() || learner.valid_share > 0 || !files.curves.empty();
    if (!learner.boosting.metric.empty() && !watches)
        throw ConfigError("--metric watches validation rows: give --valid FILE, --valid-share or --learning-curve");
    CurveOutputs outputs(context, files.curves);
    std::optional<model::Ensemble> continued;
    if (!files.continued.empty()) {
        continued = pipeline::load_model(context.comm, files.continued);
        context.summary.read(files.continued);
        pipeline::require_same_options(*continued, learner, context.seed);
    }
    dist::BoostingTables tables;
    if (!files.validation.empty()) {
        pipeline::LoadedTable validation = load_validation(context, files, target, rows);
        tables.validation = std::move(validation.rows);
        tables.validation_cells = std::move(validation.cells);
    }
    tables.training = std::move(rows.shard);
    tables.training_cells = std::move(rows.cells);
    tables.kept = rows.kept.get();
    tables.continued = continued ? &*continued : nullptr;
    const std::uint64_t before = continued ? continued->trees.size() / continued->scores() : 0;
    auto keeper = std::make_unique<pipeline::CheckpointedBoosting>(
        context, identity_of(context, rows.table_hash.text, tables, continued, outputs.wanted()));
    tables.keeper = keeper.get();
    dist::GrownBoosting grown;
    {
        const auto phase = context.summary.phase("grow");
        grown = pipeline::fit_boosting(context.comm, std::move(tables), learner, context.seed,
                                       outputs.wanted() ? dist::CurveWanted::both : dist::CurveWanted::validation);
    }
    if (grown.stopped && keeper->given()) keeper->throw_stopped("");
    report(context, grown);
    report_curve(context, grown.curve);
    outputs.write(context, grown.curve, "Learning curve for " + grown.ensemble.label_name);
    pipeline::describe(grown.ensemble, learner, context.seed);
    // Of all rounds, so that a run in parts tells the same as one run.
    grown.ensemble.provenance["option.trees"] =
        std::to_string(grown.stopped ? grown.rounds : before + learner.boosting.trees);
    return {std::move(grown.ensemble), grown.stopped ? std::move(keeper) : nullptr};
}

}  // namespace regrove::jobs
