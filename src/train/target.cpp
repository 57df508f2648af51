#include "regrove/train/target.hpp"

#include <bit>
#include <cmath>

#include <boost/multiprecision/cpp_int.hpp>

namespace regrove::train {

namespace {

/// The largest power of two p with value <= p * 2^bits, turned around: value / p <= 2^bits.
double unit_for_bits(double value, int bits) {
    int exponent = 0;
    std::frexp(value, &exponent);
    return std::ldexp(1.0, std::max(exponent - bits, -1000));  // far from underflow
}

/// Exact: n * sum of squares - (sum)^2, so that equal targets give exactly zero.
boost::multiprecision::cpp_int exact_spread(Statistics totals, const SquareSum& squares_of_targets) {
    using Big = boost::multiprecision::cpp_int;
    const auto big = [](Int128 v) {
        const bool negative = v < 0;
        const auto m = static_cast<UInt128>(negative ? -v : v);
        Big result = static_cast<std::uint64_t>(m >> 64U);
        result <<= 64;
        result += static_cast<std::uint64_t>(m);
        return negative ? Big(-result) : result;
    };
    const Big sum = big(target_sum(totals));
    const Big squares = (big(squares_of_targets.high) << SquareSum::k_low_bits) + big(squares_of_targets.low);
    return squares * totals[0] - sum * sum;
}

}  // namespace

double choose_weight_unit(const WeightFacts& facts, bool regression) {
    if (facts.all_integers && facts.sum_bound < 0x1p42) return 1;
    return unit_for_bits(facts.sum_bound, regression ? 52 : 61);
}

double choose_value_unit(double largest, std::int64_t total_weight) {
    if (largest == 0) return 1;
    const auto weight_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total_weight)));
    return unit_for_bits(largest, std::min(52, 92 - weight_bits));
}

std::int64_t quantise(double value, double unit) { return std::llround(value / unit); }

bool NodeFigures::constant(Statistics totals, const SquareSum& squares) const {
    return exact_spread(totals, squares) == 0;
}

double NodeFigures::weight(Statistics totals) const {
    return static_cast<double>(train::weight(layout_, totals)) * scale_.weight_unit;
}

double NodeFigures::impurity(Statistics totals, const SquareSum& squares_of_targets) const {
    const std::int64_t total = train::weight(layout_, totals);
    if (total == 0) return 0;
    const auto n = static_cast<double>(total);
    if (layout_.regression()) {
        const auto spread = exact_spread(totals, squares_of_targets);
        return spread.convert_to<double>() / n / n * scale_.value_unit * scale_.value_unit;
    }
    if (criterion_ == Criterion::entropy) {
        const ParentTerm term = parent_term(totals);
        return -static_cast<double>(term.c) * entropy_.scale() / (n * scale_.weight_unit);
    }
    Int128 squares = 0;
    for (std::uint32_t k = 0; k < layout_.classes; ++k) squares += static_cast<Int128>(totals[k]) * totals[k];
    const Int128 all = static_cast<Int128>(total) * total;
    return static_cast<double>(all - squares) / static_cast<double>(all);
}

std::vector<double> NodeFigures::value(Statistics totals) const {
    if (layout_.regression()) {
        const auto total = static_cast<double>(totals[0]);
        const double mean = totals[0] == 0 ? 0 : static_cast<double>(target_sum(totals)) / total;
        return {(mean + static_cast<double>(scale_.value_offset)) * scale_.value_unit};
    }
    std::vector<double> weights(layout_.classes);
    for (std::uint32_t k = 0; k < layout_.classes; ++k)
        weights[k] = static_cast<double>(totals[k]) * scale_.weight_unit;
    return weights;
}

ParentTerm NodeFigures::parent_term(Statistics totals) const {
    const std::int64_t total = train::weight(layout_, totals);
    if (layout_.regression()) return {target_sum(totals), total};
    Int128 c = 0;
    if (criterion_ == Criterion::entropy) {
        for (std::uint32_t k = 0; k < layout_.classes; ++k) c += entropy_(totals[k]);
        return {c - entropy_(total), 1};
    }
    for (std::uint32_t k = 0; k < layout_.classes; ++k) c += static_cast<Int128>(totals[k]) * totals[k];
    return {c, total};
}

double NodeFigures::gain(const ExactScore& score, std::int64_t node_weight) const {
    const double decrease = score.value() / static_cast<double>(node_weight);
    if (layout_.regression()) return decrease * scale_.value_unit * scale_.value_unit;
    return criterion_ == Criterion::entropy ? decrease * entropy_.scale() / scale_.weight_unit : decrease;
}

}  // namespace regrove::train
