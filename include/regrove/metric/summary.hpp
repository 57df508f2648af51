// The mergeable part of a metric: integers only, so that no split of the rows over ranks changes the result.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::metric {

/// How many rows have this score for this class with this weight: the element of an exact ranking.
struct ScoredRows {
    std::uint32_t column = 0;    ///< the class whose probability is the score
    std::uint32_t positive = 0;  ///< 1: the rows are of that class
    double score = 0;
    double weight = 1;
    std::uint64_t count = 0;
    friend bool operator==(const ScoredRows&, const ScoredRows&) = default;
};

/// Summary{} is the identity; a shard without rows gives it. How the rows were split changes neither the ranking nor
/// the number that the words stand for (sums of exact sums may be spread over their words in another way).
struct Summary {
    /// Merged by addition, element by element; a collective sum may do it. Empty means zeros.
    std::vector<std::int64_t> words;
    /// Sorted by (column, score, positive, weight), distinct; merged by joining equal ones.
    std::vector<ScoredRows> ranking;
    friend bool operator==(const Summary&, const Summary&) = default;
};

/// Associative and commutative; linear in both.
Summary merge(const Summary& a, const Summary& b);

/// To bytes and back, for sending between ranks.
std::string pack(const Summary& summary);
Summary unpack_summary(std::string_view bytes);

}  // namespace regrove::metric
