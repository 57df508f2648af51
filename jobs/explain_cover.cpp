// Kind `cover`: the training weight that met a feature's questions.
#include "explain_kinds.hpp"
#include "explain_questions.hpp"

namespace regrove::jobs {

namespace {

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    const QuestionFigures figures(request.model);
    pipeline::Explanation explanation;
    explanation.kind = "cover";
    explanation.title = "Training weight that met a feature's questions";
    explanation.subtitle = "a row counts once for each question that it met";
    explanation.value_title = "training weight";
    explanation.subjects = figures.subjects([](const infer::GainImportance& gain) { return gain.cover; });
    explanation.columns = {figures.gains(explanation.subjects), figures.splits(explanation.subjects)};
    outputs.write(explanation, request.model);
}

}  // namespace

ExplainKind explain_cover() {
    return {"cover", "the training weight that met the feature's questions, from the model alone", RowsNeeded::none,
            false, run};
}

}  // namespace regrove::jobs
