// Exact sums over labelled rows as words that add up over shards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/core/exact_sum.hpp"
#include "regrove/objective/objective.hpp"

namespace regrove::objective {

/// Exact sums one behind the other.
std::vector<std::int64_t> to_words(std::span<const ExactSum> sums);
/// The rounded value of the i-th of them.
double sum_at(std::span<const std::int64_t> words, std::size_t i);

/// Sums of weights and of weight * label.
std::vector<std::int64_t> sum_labels(const LabelledRows& rows);
/// The weighted mean of the labels; 0 without mass.
double mean_label(std::span<const std::int64_t> merged);

/// Its logarithm; throws InputError naming the objective when it is not above zero.
double log_of_mean(std::span<const std::int64_t> merged, std::string_view objective);

/// The weight of each class.
std::vector<std::int64_t> sum_classes(const LabelledRows& rows, std::uint32_t classes);
/// Each class's share of the weight, at least k_least_share; equal shares without mass.
std::vector<double> class_shares(std::span<const std::int64_t> merged, std::uint32_t classes);
/// Keeps the logarithm of an absent class's share finite.
constexpr double k_least_share = 1e-15;

}  // namespace regrove::objective
