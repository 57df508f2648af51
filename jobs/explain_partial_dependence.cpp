// Kind `partial-dependence`: how the mean answer changes with one or two features.
#include <algorithm>
#include <limits>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/dist/partial_dependence.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/pipeline/dependence_report.hpp"

#include "explain_kinds.hpp"

namespace regrove::jobs {

namespace {

using pipeline::DependenceReport;

FeatureId feature_named(const std::string& name, const model::Ensemble& model) {
    std::vector<std::string> names;
    for (const model::Feature& feature : model.features) names.push_back(feature.name);
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return FeatureId{static_cast<std::uint32_t>(found - names.begin())};
    const std::string near = nearest_name(name, names);
    throw ConfigError("--feature: the model has no feature '" + name + "'" +
                      (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

std::vector<dist::GridFeature> grid_of(const ExplainRequest& request) {
    const DependenceOptions& options = request.options.dependence;
    if (options.features.empty() || options.features.size() > 2)
        throw UsageError("--feature: --kind partial-dependence varies one or two features; name them");
    const std::size_t usual = options.features.size() == 1 ? 100 : 25;
    const std::size_t most = options.points == 0 ? usual : std::max(2U, options.points);
    std::vector<dist::GridFeature> grid;
    for (const std::string& name : options.features) {
        const FeatureId feature = feature_named(name, request.model);
        if (!grid.empty() && grid.front().feature == feature)
            throw ConfigError("--feature: '" + name + "' is named twice");
        grid.push_back({feature, infer::feature_grid(request.model, feature, most)});
    }
    return grid;
}

/// The smallest and largest value of each numeric feature, over all ranks' rows. Collective.
std::vector<pipeline::ValueRange> ranges_of(const ExplainRequest& request,
                                            const std::vector<dist::GridFeature>& grid) {
    std::vector<double> lows(grid.size(), std::numeric_limits<double>::infinity());
    std::vector<double> highs(grid.size(), -std::numeric_limits<double>::infinity());
    comm::agree_on(request.context.comm, [&] {
        const infer::Binding binding(request.model, request.rows.schema);
        for (std::size_t f = 0; f < grid.size(); ++f) {
            if (!binding.is_used(grid[f].feature))
                throw ConfigError("--feature: no question of the model asks for '" +
                                  request.model.features[index(grid[f].feature)].name +
                                  "', so no answer changes with it; name another one");
            for (const double cell : binding.feature_cells(request.rows, grid[f].feature)) {
                if (cell < lows[f]) lows[f] = cell;
                if (cell > highs[f]) highs[f] = cell;
            }
        }
    });
    request.context.comm.min(std::span<double>(lows));
    request.context.comm.max(std::span<double>(highs));
    std::vector<pipeline::ValueRange> ranges;
    for (std::size_t f = 0; f < grid.size(); ++f) ranges.push_back({lows[f], highs[f]});
    return ranges;
}

void summarise(const ExplainRequest& request, const DependenceReport& report) {
    pipeline::Summary& summary = request.context.summary;
    summary.result["kind"] = "partial-dependence";
    summary.result["rows"] = report.rows;
    const std::size_t points = report.means.size() / report.answers.size();
    summary.result["points"] = points;
    summary.show("rows", draw::count_text(report.rows));
    summary.show("points", draw::count_text(points));
    for (std::size_t k = 0; k < report.answers.size(); ++k) {
        double low = report.means[k];
        double high = low;
        for (std::size_t i = k; i < report.means.size(); i += report.answers.size()) {
            low = std::min(low, report.means[i]);
            high = std::max(high, report.means[i]);
        }
        summary.result["range"][report.answers[k]] = {low, high};
        summary.show("mean " + report.answers[k], draw::value_text(low) + " .. " + draw::value_text(high));
    }
}

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    pipeline::JobContext& context = request.context;
    const dist::Response response = request.options.dependence.response;
    DependenceReport report;
    report.grid = grid_of(request);
    report.answers = pipeline::answer_names(request.model, response);
    report.rows = request.rows.global_rows;
    report.ranges = ranges_of(request, report.grid);
    {
        const auto phase = context.summary.phase("ask");
        report.means = dist::partial_dependence(context.comm, request.model, request.rows, report.grid, response);
    }
    pipeline::keep_one_of_two(report, request.model);
    if (!request.options.picture.empty()) pipeline::check_dependence_picture(report, request.model);
    outputs.write_table([&] { return pipeline::dependence_table(report, request.model); });
    outputs.write_picture([&] {
        return pipeline::dependence_picture(report, request.model, request.options.picture, request.options.scale);
    });
    summarise(request, report);
}

}  // namespace

ExplainKind explain_partial_dependence() {
    return {"partial-dependence", "the mean answer over the rows of --data when --feature has one value for all",
            RowsNeeded::features, false, run};
}

}  // namespace regrove::jobs
