// Importances of a model's features as what a person reads: a table, bars, a few lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/dist/permutation_importance.hpp"
#include "regrove/draw/bar_chart.hpp"
#include "regrove/infer/gain_importance.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

struct ExplainedFeature {
    std::size_t feature = 0;  ///< its place in the model
    double importance = 0;    ///< by gain, or the mean loss
    infer::GainImportance gain;
    dist::PermutationImportance permutation;  ///< without losses: by gain

    /// Whether any question asks for it (by gain: surrogates do not count).
    bool is_used() const { return is_permuted() ? permutation.used : gain.splits > 0; }
    bool is_permuted() const { return !permutation.losses.empty(); }
};

/// What is said about a model, most important feature first, equal ones in the model's order.
struct ImportanceReport {
    std::vector<ExplainedFeature> features;
    // Of permutation only; by gain `metric` is empty.
    std::string metric;
    double baseline = 0;
    std::uint32_t repeats = 0;
    std::uint64_t rows = 0;
};

ImportanceReport report_gain(const model::Ensemble& ensemble);
ImportanceReport report_permutation(const model::Ensemble& ensemble, const dist::PermutationResult& result,
                                    const std::string& metric, std::uint64_t rows);

/// One row a feature: feature, importance; total_gain, or standard_error and standard_deviation; splits, cover.
data::TableShard importance_table(const ImportanceReport& report, const model::Ensemble& ensemble);

/// Bars of the features that some question asks for, at most `top` of them; notes say what is left out.
draw::BarChart importance_chart(const ImportanceReport& report, const model::Ensemble& ensemble, std::size_t top);

/// "0.1423 ± 0.0123 (7 splits)".
std::string importance_figures(const ExplainedFeature& feature);

}  // namespace regrove::pipeline
