// Two ensembles over one list of features and one dictionary a feature.
#pragma once

#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::algebra {

/// The first's features, then the second's further ones. A feature that one model has as float32 and the other does not
/// becomes float64, with borders that send every double as rounding would.
std::vector<model::Feature> common_features(const model::Ensemble& first, const model::Ensemble& second);

/// The same trees asking `features`.
model::Ensemble over_features(const model::Ensemble& ensemble, const std::vector<model::Feature>& features);

/// The largest double that rounds to a float not above `threshold`.
double border_of_doubles(double threshold);

}  // namespace regrove::algebra
