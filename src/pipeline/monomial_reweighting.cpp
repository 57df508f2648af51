// The levels' monomials are nested, so one matrix of pairs serves all of them.
#include "regrove/pipeline/monomial_reweighting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/monomial_pairs.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::pipeline {

namespace {

using algebra::Polynomial;
using algebra::PruningLevel;

/// Places of the monomials with eta of at least `alpha`, by falling eta; equal ones in the polynomial's order.
std::vector<std::uint32_t> places_by_value(std::span<const double> values, double alpha) {
    std::vector<std::uint32_t> places;
    for (std::size_t m = 0; m < values.size(); ++m)
        if (values[m] >= alpha) places.push_back(static_cast<std::uint32_t>(m));
    std::ranges::stable_sort(places, [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
    return places;
}

double lowest_alpha(std::span<const PruningLevel> levels) {
    double alpha = std::numeric_limits<double>::infinity();
    for (const PruningLevel& level : levels) alpha = std::min(alpha, level.alpha);
    return alpha;
}

/// The scores of the shard's rows that the monomials with values below alpha add up to: rows x scores.
std::vector<double> dropped_scores(const ValuedPolynomial& valued, double alpha, const data::TableShard& shard) {
    std::vector<std::uint8_t> dropped = algebra::kept_at(valued.values, alpha);
    for (std::uint8_t& mark : dropped) mark = mark == 0 ? 1 : 0;
    return algebra::scores_of(algebra::selected(valued.polynomial, dropped), shard);
}

}  // namespace

MonomialReweighting::MonomialReweighting(comm::Communicator& comm, const ValuedPolynomial& valued,
                                         std::span<const PruningLevel> levels, const data::TableShard& training,
                                         const algebra::ReweightOptions& options)
    : valued_(&valued),
      options_(options),
      places_(places_by_value(valued.values, lowest_alpha(levels))),
      pairs_(dist::monomial_pairs(comm, valued.polynomial, places_, training)) {
    std::vector<double> scores;
    agree_plainly(comm, [&] { scores = dropped_scores(valued, lowest_alpha(levels), training); });
    residual_ = dist::sums_over_rows(comm, valued.polynomial, places_, scores, training);
}

std::vector<double> MonomialReweighting::fitted(std::size_t kept, std::size_t score) const {
    const Polynomial& polynomial = valued_->polynomial;
    const auto weight = [&](std::size_t i) {
        return algebra::to_double(polynomial.coefficient(places_[i])[score], polynomial.unit_exponent) /
               polynomial.divisor;
    };
    algebra::ScoreFit fit;
    for (std::size_t i = 0; i < kept; ++i) {
        fit.start.push_back(weight(i));
        fit.residual.push_back(residual_[i * polynomial.scores + score]);
    }
    for (std::size_t j = kept; j < places_.size(); ++j) {
        const double dropped = weight(j);
        const auto with = pairs_.with(j);
        for (std::size_t i = 0; i < kept; ++i) fit.residual[i] += dropped * with[i];
    }
    const bool has_constant = kept > 0 && polynomial.is_constant(places_[0]);
    const double penalty = options_.method == algebra::Reweight::lasso ? options_.lasso_penalty : 0;
    return algebra::reweighted(pairs_, fit, valued_->rows, penalty, has_constant ? 0 : kept);
}

std::vector<Int128> MonomialReweighting::coefficients_at(const PruningLevel& level) const {
    const Polynomial& polynomial = valued_->polynomial;
    const auto end = std::ranges::partition_point(
        places_, [&](std::uint32_t place) { return valued_->values[place] >= level.alpha; });
    const auto kept = static_cast<std::size_t>(end - places_.begin());
    std::vector<Int128> coefficients(polynomial.coefficients.size(), 0);
    for (std::size_t score = 0; score < polynomial.scores; ++score) {
        const std::vector<double> values = fitted(kept, score);
        for (std::size_t i = 0; i < kept; ++i)
            coefficients[places_[i] * polynomial.scores + score] =
                algebra::to_fixed(values[i] * polynomial.divisor, polynomial.unit_exponent);
    }
    return coefficients;
}

std::vector<PruningLevel> levels_to_reweight(std::span<const PruningLevel> levels,
                                             const algebra::ReweightOptions& options) {
    std::vector<PruningLevel> few;
    for (const PruningLevel& level : levels)
        if (level.kept <= options.max_monomials) few.push_back(level);
    const auto keeps_any = [](const PruningLevel& level) { return level.kept > 0; };
    if (std::ranges::any_of(levels, keeps_any) && std::ranges::none_of(few, keeps_any))
        throw LimitError("no threshold leaves so few monomials that they can be fitted anew (--reweight-limit " +
                         std::to_string(options.max_monomials) +
                         "): raise the limit (memory: 4 bytes times its square), the threshold or --levels");
    return few;
}

}  // namespace regrove::pipeline
