// Refuses predictions on which no metric has a meaning.
#include "regrove/metric/predictions.hpp"

#include <cmath>
#include <string>

#include "regrove/core/check.hpp"

namespace regrove::metric {
namespace {

void require_finite(std::span<const double> values, std::size_t per_row, const char* what) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            throw InputError(std::string(what) + " of row " + std::to_string(i / per_row) +
                             " is not a finite number");
        }
    }
}

void require_classes(std::span<const std::int32_t> classes, std::uint32_t count, const char* what) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
        if (classes[i] < 0 || static_cast<std::uint32_t>(classes[i]) >= count) {
            throw InputError(std::string(what) + " of row " + std::to_string(i) + " is " +
                             std::to_string(classes[i]) + ", outside the " + std::to_string(count) + " classes");
        }
    }
}

}  // namespace

void validate(const Predictions& p) {
    const bool classified = p.classes > 0;
    REGROVE_CHECK(p.true_class.size() == (classified ? p.rows : 0));
    REGROVE_CHECK(p.predicted_class.size() == (classified ? p.rows : 0));
    REGROVE_CHECK(p.true_value.size() == (classified ? 0 : p.rows));
    REGROVE_CHECK(p.predicted_value.size() == (classified ? 0 : p.rows));
    REGROVE_CHECK(p.probability.empty() || p.probability.size() == p.rows * p.classes);
    REGROVE_CHECK(p.weight.empty() || p.weight.size() == p.rows);
    require_classes(p.true_class, p.classes, "the true class");
    require_classes(p.predicted_class, p.classes, "the predicted class");
    require_finite(p.probability, p.classes, "a probability");
    require_finite(p.true_value, 1, "the true value");
    require_finite(p.predicted_value, 1, "the predicted value");
    require_finite(p.weight, 1, "the weight");
    for (std::size_t i = 0; i < p.weight.size(); ++i) {
        if (p.weight[i] < 0) throw InputError("the weight of row " + std::to_string(i) + " is negative");
    }
}

}  // namespace regrove::metric
