// Exact, so that the constants to begin with do not depend on how rows are spread.
#include "label_sums.hpp"

#include <algorithm>
#include <array>

#include "regrove/core/check.hpp"
#include "regrove/core/portable_math.hpp"

namespace regrove::objective {

std::vector<std::int64_t> to_words(std::span<const ExactSum> sums) {
    std::vector<std::int64_t> words;
    words.reserve(sums.size() * ExactSum::k_words);
    for (const ExactSum& sum : sums) {
        const auto own = sum.words();
        words.insert(words.end(), own.begin(), own.end());
    }
    return words;
}

double sum_at(std::span<const std::int64_t> words, std::size_t i) {
    REGROVE_CHECK((i + 1) * ExactSum::k_words <= words.size());
    return ExactSum::from_words(words.subspan(i * ExactSum::k_words, ExactSum::k_words)).value();
}

std::vector<std::int64_t> sum_labels(const LabelledRows& rows) {
    std::array<ExactSum, 2> sums;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        sums[0].add(rows.weight(i));
        sums[1].add_product(rows.weight(i), rows.labels[i]);
    }
    return to_words(sums);
}

double mean_label(std::span<const std::int64_t> merged) {
    const double mass = sum_at(merged, 0);
    return mass > 0 ? sum_at(merged, 1) / mass : 0.0;
}

double log_of_mean(std::span<const std::int64_t> merged, std::string_view objective) {
    const double mean = mean_label(merged);
    if (mean > 0) return portable::log(mean);
    throw InputError("all labels with weight are zero, but objective " + std::string(objective) +
                     " needs a mean above zero");
}

std::vector<std::int64_t> sum_classes(const LabelledRows& rows, std::uint32_t classes) {
    std::vector<ExactSum> sums(classes);
    for (std::size_t i = 0; i < rows.rows(); ++i) sums[static_cast<std::size_t>(rows.labels[i])].add(rows.weight(i));
    return to_words(sums);
}

std::vector<double> class_shares(std::span<const std::int64_t> merged, std::uint32_t classes) {
    std::vector<double> shares(classes);
    double mass = 0;
    for (std::uint32_t k = 0; k < classes; ++k) {
        shares[k] = sum_at(merged, k);
        mass += shares[k];
    }
    for (double& share : shares)
        share = mass > 0 ? std::clamp(share / mass, k_least_share, 1 - k_least_share) : 1.0 / classes;
    return shares;
}

}  // namespace regrove::objective
