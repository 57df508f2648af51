// What a summing model's raw scores stand for: the link from scores to probabilities or values.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace regrove::model {

enum class Link : std::uint8_t {
    identity,     ///< the value is the score
    logistic,     ///< two classes, one score: P(class 1) = 1 / (1 + e^-score)
    softmax,      ///< K classes, K scores: P(class k) = e^score[k] / sum over j of e^score[j]
    exponential,  ///< the value is e^score
    /// K classes, K scores, votes or sums of probabilities: P(class k) = max(score[k], 0) / sum over j of max(score[j], 0);
    /// all alike when no score is above zero.
    shares,
};

/// "identity", "logistic", ...
std::string_view link_name(Link link);

/// 1 / (1 + e^-score), without overflow; from basic operations only, so that every machine agrees on the bits.
double logistic(double score);

/// Probabilities of the scores, into a span of the same length (which may be the same memory): the largest score is taken
/// off first, so nothing overflows.
void softmax(std::span<const double> scores, std::span<double> probabilities);

/// Each score's share of their sum, negative ones counted as zero, into a span of the same length (which may be the same
/// memory).
void shares(std::span<const double> scores, std::span<double> probabilities);

/// The value that a regression's raw score stands for; softmax and shares have none (InternalError).
double linked_value(Link link, double score);

/// Raw scores, row by row (one a row for the logistic link, `classes` for softmax and shares), to rows x classes probabilities.
/// In parallel over rows; the identity and exponential links have none (InternalError).
std::vector<double> linked_probabilities(Link link, const std::vector<double>& scores, std::size_t classes);

}  // namespace regrove::model
