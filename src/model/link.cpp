// Links from portable exponentials.
#include "regrove/model/link.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/portable_math.hpp"

namespace regrove::model {

namespace {

/// Rows a thread takes at a time.
constexpr std::size_t k_grain_rows = 4096;

}  // namespace

std::string_view link_name(Link link) {
    switch (link) {
        case Link::identity:
            return "identity";
        case Link::logistic:
            return "logistic";
        case Link::softmax:
            return "softmax";
        case Link::exponential:
            return "exponential";
        case Link::shares:
            return "shares";
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
        probabilities[k] = scores[k] - most;
    }
    portable::exp_all(probabilities);
    for (const double part : probabilities) total += part;
    for (double& probability : probabilities) probability /= total;
}

void shares(std::span<const double> scores, std::span<double> probabilities) {
    REGROVE_CHECK(!scores.empty() && scores.size() == probabilities.size());
    double total = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
        probabilities[k] = scores[k] > 0 ? scores[k] : 0.0;
        total += probabilities[k];
    }
    for (double& probability : probabilities)
        probability = total > 0 ? probability / total : 1.0 / static_cast<double>(scores.size());
}

double linked_value(Link link, double score) {
    REGROVE_CHECK(link != Link::softmax && link != Link::shares);
    if (link == Link::identity) return score;
    return link == Link::logistic ? logistic(score) : portable::exp(score);
}

std::vector<double> linked_probabilities(Link link, const std::vector<double>& scores, std::size_t classes) {
    REGROVE_CHECK(link == Link::softmax || link == Link::shares || (link == Link::logistic && classes == 2));
    const std::size_t per_row = link == Link::logistic ? 1 : classes;
    std::vector<double> probabilities(scores.size() / per_row * classes);
    parallel_for_blocks(scores.size() / per_row, k_grain_rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const std::span<double> own(probabilities.data() + row * classes, classes);
            if (link != Link::logistic) {
                const std::span<const double> from(scores.data() + row * classes, classes);
                link == Link::softmax ? softmax(from, own) : shares(from, own);
                continue;
            }
            own[0] = logistic(-scores[row]);
            own[1] = logistic(scores[row]);
        }
    });
    return probabilities;
}

}  // namespace regrove::model
