// Kind `gain`: the training impurity that a feature's questions took away.
#include "regrove/core/number_text.hpp"
#include "regrove/draw/figure_text.hpp"

#include "explain_kinds.hpp"
#include "explain_questions.hpp"

namespace regrove::jobs {

namespace {

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    const QuestionFigures figures(request.model);
    pipeline::Explanation explanation;
    explanation.kind = "gain";
    explanation.title = "Importance by gain";
    explanation.subtitle = "shares of the impurity that questions took away in training";
    explanation.value_title = "share of the impurity decrease";
    explanation.subjects = figures.subjects([](const infer::GainImportance& gain) { return gain.importance; });
    for (pipeline::ExplainedSubject& subject : explanation.subjects) {
        const infer::GainImportance& gain = figures.of(subject);
        subject.details = "\ntotal gain " + to_text(gain.total_gain) + subject.details;
    }
    explanation.columns = {figures.gains(explanation.subjects), figures.splits(explanation.subjects),
                           figures.covers(explanation.subjects)};
    outputs.write(explanation, request.model);
}

}  // namespace

ExplainKind explain_gain() {
    return {"gain", "how much of the training impurity a feature's questions took away, from the model alone",
            RowsNeeded::none, false, run};
}

}  // namespace regrove::jobs
