// Every monomial's coefficient times its count goes to its subjects.
#include "regrove/algebra/attribution.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"

#include "credit_sum.hpp"
#include "monomial_subjects.hpp"

namespace regrove::algebra {

namespace {

WideInteger times(Int128 number, std::uint64_t count) {
    WideInteger product(number);
    product.multiply(count);
    return product;
}

std::vector<double> values_of(const std::vector<CreditSum>& sums, const Polynomial& polynomial, std::uint64_t rows) {
    const ScoreScale scale(polynomial, rows);
    std::vector<double> values;
    values.reserve(sums.size());
    for (const CreditSum& sum : sums) values.push_back(sum.value(scale.exponent, scale.divisors));
    return values;
}

}  // namespace

std::vector<std::uint32_t> monomial_subjects(const Polynomial& polynomial, std::size_t monomial, Subject subject) {
    std::vector<std::uint32_t> subjects;
    for (const ConditionId id : polynomial.monomial(monomial))
        subjects.push_back(subject == Subject::condition
                               ? id
                               : static_cast<std::uint32_t>(index(polynomial.conditions[id].feature)));
    // Ids are sorted by feature, so that equal ones are neighbours.
    subjects.erase(std::ranges::unique(subjects).begin(), subjects.end());
    return subjects;
}

std::size_t subject_count(const Polynomial& polynomial, Subject subject) {
    return subject == Subject::condition ? polynomial.conditions.size() : polynomial.frame.features.size();
}

std::vector<double> attributions(const Polynomial& polynomial, std::span<const std::uint64_t> counts,
                                 std::uint64_t rows, const AttributionOptions& options) {
    REGROVE_CHECK(counts.size() == polynomial.size() && rows > 0);
    std::vector<CreditSum> sums(subject_count(polynomial, options.subject) * polynomial.scores);
    for (std::size_t m = 0; m < polynomial.size(); ++m) {
        if (counts[m] == 0 || polynomial.is_constant(m)) continue;
        const auto subjects = monomial_subjects(polynomial, m, options.subject);
        const std::uint64_t size = options.credit == Credit::shared ? subjects.size() : 1;
        for (std::uint32_t score = 0; score < polynomial.scores; ++score) {
            const Int128 coefficient = polynomial.coefficient(m)[score];
            if (coefficient == 0) continue;
            const WideInteger gain =
                times(options.absolute && coefficient < 0 ? -coefficient : coefficient, counts[m]);
            for (const std::uint32_t subject : subjects) sums[subject * polynomial.scores + score].add(gain, size);
        }
    }
    return values_of(sums, polynomial, rows);
}

std::vector<double> expected_scores(const Polynomial& polynomial, std::span<const std::uint64_t> counts,
                                    std::uint64_t rows) {
    REGROVE_CHECK(counts.size() == polynomial.size() && rows > 0);
    std::vector<CreditSum> sums(polynomial.scores);
    for (std::size_t m = 0; m < polynomial.size(); ++m)
        for (std::uint32_t score = 0; score < polynomial.scores; ++score)
            sums[score].add(times(polynomial.coefficient(m)[score], counts[m]), 1);
    return values_of(sums, polynomial, rows);
}

std::vector<double> baseline_scores(const Polynomial& polynomial) {
    std::vector<CreditSum> sums(polynomial.scores);
    const bool constant = polynomial.size() > 0 && polynomial.is_constant(0);
    for (std::uint32_t score = 0; constant && score < polynomial.scores; ++score)
        sums[score].add(WideInteger(polynomial.coefficient(0)[score]), 1);
    return values_of(sums, polynomial, 1);
}

}  // namespace regrove::algebra
