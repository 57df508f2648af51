// Kind `nu`: what the monomials that contain a feature add to the scores on average.
#include "explain_attribution.hpp"

namespace regrove::jobs {

namespace {

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    const CountedPolynomial counted = count_polynomial(request);
    pipeline::Explanation explanation = attribution_explanation(request, counted, algebra::Credit::whole);
    explanation.kind = "nu";
    explanation.title = "Attribution nu";
    explanation.value_title = "mean of what monomials with the feature add to the score";
    explanation.notes.emplace_back(
        "The baseline is where no condition holds: numbers below all thresholds, categories unknown (each question "
        "takes "
        "them to its heavier side), nothing missing. A monomial of several features counts whole for each of them, "
        "so they "
        "do not add up.");
    outputs.write(explanation, request.model);
}

}  // namespace

ExplainKind explain_nu() {
    return {"nu",
            "what the monomials that contain the feature add to the score, averaged over --data; signed, against the "
            "baseline where no condition holds",
            RowsNeeded::features, true, run};
}

}  // namespace regrove::jobs
