// A model's training options, read back from its provenance, to fit it again on other rows.
#pragma once

#include <cstdint>

#include "regrove/pipeline/learner.hpp"

namespace regrove::pipeline {

struct RefitOptions {
    LearnerOptions learner;
    std::uint64_t seed = 0;
};

/// Throws ConfigError when the model was not trained by Regrove, or its provenance is damaged.
RefitOptions refit_options(const model::Ensemble& ensemble);

}  // namespace regrove::pipeline
