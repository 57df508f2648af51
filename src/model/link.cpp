// Links from portable exponentials.
#include "regrove/model/link.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"
#include "regrove/core/portable_math.hpp"

namespace regrove::model {

std::string_view to_text(Link link) {
    switch (link) {
        case Link::identity:
            return "identity";
        case Link::logistic:
            return "logistic";
        case Link::softmax:
            return "softmax";
        case Link::exponential:
            return "exponential";
    }
    return "";
}

double logistic(double score) {
    const double small = portable::exp(score < 0 ? score : -score);  // at most 1
    return score < 0 ? small / (1 + small) : 1 / (1 + small);
}

void softmax(std::span<const double> scores, std::span<double> probabilities) {
    REGROVE_CHECK(!scores.empty() && scores.size() == probabilities.size());
    const double most = *std::ranges::max_element(scores);
    double total = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
        probabilities[k] = portable::exp(scores[k] - most);
        total += probabilities[k];
    }
    for (double& probability : probabilities) probability /= total;
}

}  // namespace regrove::model
