// Kind `splits`: how many questions ask for a feature.
#include "explain_kinds.hpp"
#include "explain_questions.hpp"

namespace regrove::jobs {

namespace {

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    const QuestionFigures figures(request.model);
    pipeline::Explanation explanation;
    explanation.kind = "splits";
    explanation.title = "Questions by feature";
    explanation.subtitle = "surrogates do not count";
    explanation.value_title = "number of questions";
    explanation.subjects =
        figures.subjects([](const infer::GainImportance& gain) { return static_cast<double>(gain.splits); });
    explanation.columns = {figures.gains(explanation.subjects), figures.covers(explanation.subjects)};
    outputs.write(explanation, request.model);
}

}  // namespace

ExplainKind explain_splits() {
    return {"splits", "how many questions ask for the feature, from the model alone", RowsNeeded::none, false, run};
}

}  // namespace regrove::jobs
