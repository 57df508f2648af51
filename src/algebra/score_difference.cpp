// Both polynomials over one table and one unit, subtracted.
#include "regrove/algebra/score_difference.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"

#include "common_features.hpp"
#include "difference_point.hpp"
#include "seen_space.hpp"

namespace regrove::algebra {

namespace {

/// A classification forest, and a model of the sums of what its trees say, or of other such sums.
bool is_forest_and_its_sum(const model::Ensemble& forest, const model::Ensemble& sum) {
    return forest.has_class_weights() && sum.combination == model::Combination::sum &&
           sum.link == model::Link::shares && forest.scores() == sum.scores();
}

void require_one_kind(const ScorePair& pair) {
    const model::Ensemble& first = pair.first;
    const model::Ensemble& second = pair.second;
    const bool both_sum =
        first.combination == model::Combination::sum && second.combination == model::Combination::sum;
    if (is_forest_and_its_sum(first, second) || is_forest_and_its_sum(second, first)) return;
    const bool one_sums =
        !both_sum && (first.combination == model::Combination::sum || second.combination == model::Combination::sum);
    if (first.task != second.task || first.scores() != second.scores() ||
        (one_sums && first.task == model::Task::classification))
        throw ConfigError("the models' scores are of different kinds: both must sum scores, or both average or vote");
    if (first.link != second.link)
        throw ConfigError("the models' scores have different links: " + std::string(model::link_name(first.link)) +
                          " and " + std::string(model::link_name(second.link)));
    for (std::uint32_t k = 0; k < pair.first_class_of_second.size(); ++k)
        if (first.scores() == 1 && pair.first_class_of_second[k] != k)
            throw ConfigError(
                "the models' two classes are in another order, so that one's score is the other's negative");
}

[[noreturn]] void refuse() {
    throw LimitError("the models' coefficients are too far apart in size to be compared exactly in 128 bits");
}

Int128 times(Int128 a, Int128 b) {
    Int128 product = 0;
    if (__builtin_mul_overflow(a, b, &product)) refuse();
    return product;
}

/// What each polynomial's coefficients are multiplied by, so that both count in one unit over one divisor.
std::array<Int128, 2> factors(const Polynomial& first, const Polynomial& second) {
    std::array<Int128, 2> factor{1, 1};
    const int shift = first.unit_exponent - second.unit_exponent;
    if (std::abs(shift) > k_largest_bits) refuse();
    factor[shift > 0 ? 0 : 1] <<= static_cast<unsigned>(std::abs(shift));
    if (first.divisor == second.divisor) return factor;
    BitRange bits;
    bits.add(first.divisor);
    bits.add(second.divisor);
    if (bits.high() - bits.low() > k_largest_bits) refuse();
    factor[0] = times(factor[0], to_fixed(second.divisor, bits.low()));
    factor[1] = times(factor[1], to_fixed(first.divisor, bits.low()));
    return factor;
}

/// Appends other's monomials, times `factor`, its score k to score_of[k].
void add(Polynomial& sum, const Polynomial& other, Int128 factor, const std::vector<std::uint32_t>& score_of) {
    std::vector<ConditionId> id_of;
    for (const Condition& condition : other.conditions.all()) id_of.push_back(sum.conditions.find(condition));
    std::vector<ConditionId> ids;
    std::vector<Int128> coefficient(other.scores);
    for (std::size_t m = 0; m < other.size(); ++m) {
        ids.clear();
        for (const ConditionId id : other.monomial(m)) ids.push_back(id_of[id]);
        for (std::uint32_t k = 0; k < other.scores; ++k)
            coefficient[score_of[k]] = times(other.coefficient(m)[k], factor);
        sum.push_back(ids, coefficient);
    }
}

ConditionTable joined(const ConditionTable& first, const ConditionTable& second) {
    std::vector<Condition> all(first.all().begin(), first.all().end());
    all.insert(all.end(), second.all().begin(), second.all().end());
    return ConditionTable(std::move(all));
}

std::vector<double> rounded_scores(const Polynomial& polynomial, const std::vector<double>& cells) {
    std::vector<double> scores;
    for (const Int128 number : scores_at(polynomial, cells))
        scores.push_back(to_double(number, polynomial.unit_exponent) / polynomial.divisor);
    return scores;
}

}  // namespace

ScoreDifference score_difference(const ScorePair& pair, const PolynomialOptions& options) {
    require_one_kind(pair);
    const auto features = common_features(pair.first, pair.second);
    const model::Ensemble first_model = over_features(pair.first, features);
    const model::Ensemble second_model = over_features(pair.second, features);
    PolynomialOptions unique = options;
    unique.max_set = std::numeric_limits<std::uint32_t>::max();
    Polynomial first = to_polynomial(first_model, unique);
    Polynomial second = to_polynomial(second_model, unique);
    if (is_forest_and_its_sum(first_model, second_model)) first = as_sum(std::move(first));
    if (is_forest_and_its_sum(second_model, first_model)) second = as_sum(std::move(second));

    std::vector<std::uint32_t> own_places(first.scores);
    for (std::uint32_t k = 0; k < first.scores; ++k) own_places[k] = k;
    const bool by_class = first.scores > 1 && !pair.first_class_of_second.empty();
    const std::array<Int128, 2> factor = factors(first, second);
    Polynomial sum;
    sum.frame = first.frame;
    sum.scores = first.scores;
    sum.unit_exponent = std::min(first.unit_exponent, second.unit_exponent);
    sum.conditions = joined(first.conditions, second.conditions);
    add(sum, first, factor[0], own_places);
    add(sum, second, -factor[1], by_class ? pair.first_class_of_second : own_places);
    ScoreDifference result{normalised(sum), std::nullopt};
    const std::array<const model::Ensemble*, 2> models{&first_model, &second_model};
    if (!pair.with_unseen) result.difference = on_seen_space(result.difference, models);
    if (result.equal()) return result;

    ScorePoint point;
    point.cells = nonzero_point(result.difference, pair.with_unseen);
    const auto at = scores_at(result.difference, point.cells);
    REGROVE_CHECK(std::ranges::any_of(at, [](const Int128 number) { return number != 0; }));
    point.first_scores = rounded_scores(first, point.cells);
    point.second_scores = rounded_scores(second, point.cells);
    result.point = std::move(point);
    return result;
}

}  // namespace regrove::algebra
