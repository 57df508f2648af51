// The kinds of explanation: one file and one row of this table each.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/explanation.hpp"
#include "regrove/pipeline/job.hpp"

#include "explain_options.hpp"
#include "explain_outputs.hpp"

namespace regrove::jobs {

/// What a kind works on, the same on every rank but for the rows.
struct ExplainRequest {
    pipeline::JobContext& context;
    const ExplainOptions& options;
    const model::Ensemble& model;
    const data::TableShard& rows;  ///< this rank's share of --data; empty when the kind needs none
};

enum class RowsNeeded : std::uint8_t {
    none,      ///< --data is refused
    features,  ///< labels do not matter
    labels,
};

struct ExplainKind {
    std::string name;
    std::string help;  ///< one line behind the name
    RowsNeeded rows = RowsNeeded::none;
    bool knows_conditions = false;  ///< takes --per condition
    /// Collective. Writes what it has to say through `outputs`, or hands it an Explanation to be written.
    void (*run)(const ExplainRequest& request, ExplainOutputs& outputs);
};

std::span<const ExplainKind> explain_kinds();
/// "permutation, nu".
std::string names_of_kinds_with_rows();

// One from each file explain_<kind>.cpp.
ExplainKind explain_gain();
ExplainKind explain_splits();
ExplainKind explain_cover();
ExplainKind explain_permutation();
ExplainKind explain_nu();
ExplainKind explain_shapley();
ExplainKind explain_shap();
ExplainKind explain_partial_dependence();

}  // namespace regrove::jobs
