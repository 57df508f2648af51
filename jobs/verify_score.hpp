// Equality of two models' scores, and its report.
#pragma once

#include <string>

#include "regrove/algebra/score_difference.hpp"
#include "regrove/pipeline/job.hpp"
#include "regrove/pipeline/model_pair.hpp"

namespace regrove::jobs {

struct ScoreVerification {
    std::string first_file;
    std::string second_file;
    bool with_unseen = false;
    algebra::PolynomialOptions polynomial;
};

/// As pipeline::pair_models, for regressions, too.
pipeline::ModelPair pair_for_scores(model::Ensemble first, model::Ensemble second, const std::string& first_file,
                                    const std::string& second_file);

/// Result `equal`, the difference's monomials and a point; ends with "the answer is no" when they differ.
void verify_score_equality(pipeline::JobContext& context, const pipeline::ModelPair& pair,
                           const ScoreVerification& request);

}  // namespace regrove::jobs
