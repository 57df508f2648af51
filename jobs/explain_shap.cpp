// Kind `shap`: each row's score shared out among its features, and the mean size of the shares.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "regrove/algebra/pair_shap.hpp"
#include "regrove/algebra/path_shap.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/background_rows.hpp"
#include "regrove/dist/row_shap.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/shap_table.hpp"
#include "regrove/pipeline/table_output.hpp"

#include "explain_kinds.hpp"

namespace regrove::jobs {

namespace {

using pipeline::ExplainedSubject;
using pipeline::Explanation;

/// What rows are compared with, in words for the summary.
struct Comparison {
    std::unique_ptr<algebra::ShapValues> shap;
    std::string with;
};

data::TableShard load_background(const ExplainRequest& request) {
    pipeline::TableRequest table;
    table.path = request.options.shap.background;
    table.target = request.options.target;
    table.expected = infer::expected_schema(request.model);
    auto rows = pipeline::load_table(request.context.comm, table);
    request.context.summary.read(table.path);
    return rows;
}

Comparison compare_paths(const ExplainRequest& request) {
    comm::Communicator& comm = request.context.comm;
    algebra::TreeCovers covers;
    const bool counted = !request.options.shap.background.empty();
    if (counted) {
        covers = dist::counted_covers(comm, request.model, load_background(request));
    } else {
        covers = algebra::training_covers(request.model);
        if (covers.empty())
            throw ConfigError(
                "--mode path: the model's file does not say how much training weight reached each node; give rows to "
                "count instead: --background FILE, the training table at best");
    }
    auto shap = comm::agree_on(comm, [&] { return std::make_unique<algebra::PathShap>(request.model, covers); });
    return {std::move(shap), counted ? "ways of background rows" : "ways of training rows"};
}

Comparison compare_pairs(const ExplainRequest& request) {
    const ShapOptions& options = request.options.shap;
    if (options.background.empty())
        throw UsageError(
            "--background is missing: --mode interventional compares each row with those of a table, the training "
            "table at best");
    comm::Communicator& comm = request.context.comm;
    const std::uint64_t most = options.background_rows == 0 ? UINT64_MAX : options.background_rows;
    const auto cells =
        dist::background_cells(comm, request.model, load_background(request), most, request.context.seed);
    auto shap = comm::agree_on(comm, [&] { return std::make_unique<algebra::PairShap>(request.model, cells); });
    return {std::move(shap), pipeline::counted(cells.size() / request.model.features.size(), "background row")};
}

/// A subject for each feature; one without questions has zeros. Of one row, its own signed shares.
std::vector<ExplainedSubject> subjects_of(const ExplainRequest& request, const algebra::ShapValues& shap,
                                          const std::vector<double>& figures) {
    const std::size_t scores = shap.scores().count();
    std::vector<ExplainedSubject> subjects(request.model.features.size());
    for (std::size_t f = 0; f < subjects.size(); ++f) {
        subjects[f].feature = f;
        subjects[f].values.assign(scores, 0.0);
        subjects[f].used = false;
    }
    const auto& features = shap.features();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        ExplainedSubject& subject = subjects[index(features[i % features.size()])];
        subject.values[i / features.size()] = figures[i];
        subject.used = true;
    }
    pipeline::sort_by_size(subjects);
    return subjects;
}

/// Signed means beside the mean sizes, subject by subject.
pipeline::FigureColumn mean_column(const Explanation& explanation, const algebra::ShapValues& shap,
                                   const std::vector<double>& means) {
    std::vector<double> cells;
    const auto& features = shap.features();
    for (const ExplainedSubject& subject : explanation.subjects) {
        const auto place = std::ranges::find(features, FeatureId{static_cast<std::uint32_t>(subject.feature)});
        for (std::size_t k = 0; k < explanation.width(); ++k)
            cells.push_back(place == features.end()
                                ? 0.0
                                : means[k * features.size() + static_cast<std::size_t>(place - features.begin())]);
    }
    return {"mean", std::move(cells)};
}

void word(Explanation& explanation, const ExplainRequest& request, const Comparison& comparison,
          const dist::RowShap& result) {
    const std::uint64_t rows = request.rows.global_rows;
    const bool one = rows == 1;
    const double largest = *std::ranges::max_element(result.largest_remainder);
    const double bound = *std::ranges::max_element(comparison.shap->remainder_bound());
    const std::string mode = request.options.shap.mode == ShapMode::path ? "path" : "interventional";
    explanation.kind = "shap";
    explanation.title = one ? "Attributions of one row" : "Mean size of attributions";
    explanation.subtitle = pipeline::counted(rows, "row") + " · compared with " + comparison.with;
    explanation.value_title = one ? "share of the score" : "mean |share of the score|";
    if (one && comparison.shap->base().size() == 1)
        explanation.notes.push_back("The shares lead from " + draw::value_text(comparison.shap->base()[0]) +
                                    " to the row's score.");
    explanation.facts = {{"mode", mode, "mode", mode},
                         {"rows", rows, "rows", draw::count_text(rows)},
                         {"compared_with", comparison.with, "compared with", comparison.with},
                         {"base", comparison.shap->base(), "", ""},
                         {"largest_remainder", largest, "largest remainder", to_text(largest)},
                         {"remainder_bound", bound, "", ""}};
}

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    pipeline::JobContext& context = request.context;
    const std::string& rows_path = request.options.attribution.rows;
    pipeline::require_no_initial_scores(request.model, "--kind shap");
    std::optional<pipeline::TableOutput> rows_output;
    if (!rows_path.empty()) rows_output.emplace(context.comm, rows_path, context.overwrite);
    const Comparison comparison =
        request.options.shap.mode == ShapMode::path ? compare_paths(request) : compare_pairs(request);
    const algebra::ShapValues& shap = *comparison.shap;
    dist::RowShap result;
    {
        const auto phase = context.summary.phase("explain");
        result = dist::explain_rows(context.comm, shap, request.model, request.rows, rows_output.has_value());
    }
    Explanation explanation;
    if (shap.scores().count() > 1) explanation.scores = shap.scores().names;
    explanation.subjects = subjects_of(request, shap, request.rows.global_rows == 1 ? result.mean : result.mean_size);
    explanation.columns = {mean_column(explanation, shap, result.mean)};
    word(explanation, request, comparison, result);
    if (rows_output) {
        const auto phase = context.summary.phase("rows");
        const auto table = comm::agree_on(
            context.comm, [&] { return pipeline::shap_table(shap, std::move(result), request.model, request.rows); });
        rows_output->write(context.comm, table);
        if (rows_path != "-") context.summary.wrote(rows_path);
    }
    outputs.write(explanation, request.model);
}

}  // namespace

ExplainKind explain_shap() {
    return {"shap", "each row's score shared out among its features (TreeSHAP), and the mean size of the shares",
            RowsNeeded::features, false, run};
}

}  // namespace regrove::jobs
