// Kind `shapley`: each monomial's gain shared out to its features; by option also for every row.
#include <optional>
#include <utility>

#include "regrove/algebra/row_attribution.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/pipeline/table_output.hpp"

#include "explain_attribution.hpp"

namespace regrove::jobs {

namespace {

/// One row a row of --data: each feature's value (and score's), then the baseline's score and the row's.
class RowTable {
  public:
    RowTable(const model::Ensemble& model, const CountedPolynomial& counted, const data::TableShard& rows)
        : model_(model), polynomial_(counted.polynomial), scores_(pipeline::score_names(model)), rows_(rows) {}

    data::TableShard make() {
        const model::Ensemble asking = algebra::asking_ensemble(polynomial_);
        const infer::Binding binding(asking, rows_.schema);
        const algebra::RowAttributions own = algebra::row_attributions(polynomial_, binding, rows_);
        const auto baseline = algebra::baseline_scores(polynomial_);
        table_.rows = rows_.rows;
        table_.first_row = rows_.first_row;
        table_.global_rows = rows_.global_rows;
        const std::size_t width = polynomial_.scores;
        const std::size_t step = model_.features.size() * width;
        for (std::size_t f = 0; f < model_.features.size(); ++f)
            for (std::size_t k = 0; k < width; ++k)
                add(model_.features[f].name, k,
                    [&](std::size_t row) { return own.values[row * step + f * width + k]; });
        for (std::size_t k = 0; k < width; ++k) {
            add("baseline_score", k, [&](std::size_t) { return baseline[k]; });
            add("row_score", k, [&](std::size_t row) { return own.scores[row * width + k]; });
        }
        data::validate(table_.schema);
        return std::move(table_);
    }

  private:
    template <class Cell>
    void add(const std::string& name, std::size_t score, Cell cell) {
        std::vector<double> values;
        values.reserve(table_.rows);
        for (std::size_t row = 0; row < table_.rows; ++row) values.push_back(cell(row));
        table_.schema.columns.push_back({scores_.empty() ? name : name + ":" + scores_[score],
                                         data::ColumnType::float64,
                                         data::ColumnRole::feature,
                                         {}});
        table_.values.emplace_back(std::move(values));
    }

    const model::Ensemble& model_;
    const algebra::Polynomial& polynomial_;
    std::vector<std::string> scores_;
    const data::TableShard& rows_;
    data::TableShard table_;
};

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    pipeline::JobContext& context = request.context;
    const std::string& rows_path = request.options.attribution.rows;
    std::optional<pipeline::TableOutput> rows_output;
    if (!rows_path.empty()) rows_output.emplace(context.comm, rows_path, context.overwrite);
    const CountedPolynomial counted = count_polynomial(request);
    pipeline::Explanation explanation = attribution_explanation(request, counted, algebra::Credit::shared);
    explanation.kind = "shapley";
    explanation.title = "Shapley values";
    explanation.value_title = "mean share of (score - score of the baseline)";
    explanation.notes.emplace_back(
        "The baseline is where no condition holds: numbers below all thresholds, categories unknown (each question "
        "takes "
        "them to its heavier side), nothing missing. A feature out of play counts as being there. Values add up to "
        "the mean "
        "score less the baseline's.");
    if (rows_output) {
        const auto phase = context.summary.phase("rows");
        const auto table =
            comm::agree_on(context.comm, [&] { return RowTable(request.model, counted, request.rows).make(); });
        rows_output->write(context.comm, table);
        if (rows_path != "-") context.summary.wrote(rows_path);
    }
    outputs.write(explanation, request.model);
}

}  // namespace

ExplainKind explain_shapley() {
    return {
        "shapley",
        "Shapley values against the same baseline: a monomial's part shared out to its features, so that they add up "
        "to the mean score less the baseline's",
        RowsNeeded::features, true, run};
}

}  // namespace regrove::jobs
