// Per class: the mass that is of it, that is predicted as it, and both.
#pragma once

#include <vector>

#include "regrove/metric/predictions.hpp"
#include "regrove/metric/summary.hpp"

namespace regrove::metric {

struct ClassMasses {
    double truth = 0;
    double predicted = 0;
    double hits = 0;
};

Summary accumulate_class_masses(const Predictions& predictions);
std::vector<ClassMasses> finish_class_masses(const Summary& merged, std::uint32_t classes);

}  // namespace regrove::metric
