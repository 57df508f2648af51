// A question that an inner node asks of a row.
//
// Glossary of the module:
//   threshold question   x > threshold sends the row right, else left; compared in double, to which float32 widens exactly
//   category question    membership in a set of categories sends the row right
//   missing rule         where a row without a value goes
//   heavier side         the child with more training weight, the left one when equal: for values never seen in training;
//                        with surrogates only rows that answer the question themselves count
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/core/ids.hpp"

namespace regrove::model {

enum class QuestionKind : std::uint8_t { leaf, threshold, category };

enum class Side : std::uint8_t { left, right };

/// A backup question for rows that cannot answer the main one (Breiman et al. 1984, section 5.3). Asked in order of
/// falling agreement. `reversed`: an answer of right means the left child.
struct Surrogate {
    FeatureId feature = k_no_feature;
    QuestionKind kind = QuestionKind::threshold;
    bool reversed = false;
    double threshold = 0;
    std::vector<std::uint64_t> right_categories;  ///< bit c set: category c goes right
    std::vector<std::uint64_t> seen_categories;   ///< categories that training saw at this node
    double agreement = 0;  ///< share of the training weight that can answer both and is sent the same way
    friend bool operator==(const Surrogate&, const Surrogate&) = default;
};

struct Question {
    QuestionKind kind = QuestionKind::leaf;
    FeatureId feature = k_no_feature;
    double threshold = 0;                         ///< +inf: every value goes left, only "missing" can go right
    std::vector<std::uint64_t> right_categories;  ///< bit c set: category c goes right
    std::vector<std::uint64_t> seen_categories;   ///< categories that training saw at this node
    bool missing_seen = false;                    ///< training had a missing value of this feature here
    Side missing_side = Side::left;               ///< also the heavier side when training saw no missing value
    Side heavier_side = Side::left;
    double training_low = 0;  ///< smallest and largest value that training saw here (threshold questions)
    double training_high = 0;
    std::vector<Surrogate> surrogates;
    friend bool operator==(const Question&, const Question&) = default;
};

inline bool contains(const std::vector<std::uint64_t>& bits, std::uint32_t i) {
    return i / 64 < bits.size() && ((bits[i / 64] >> (i % 64)) & 1U) != 0;
}
inline void insert(std::vector<std::uint64_t>& bits, std::uint32_t i) {
    if (i / 64 >= bits.size()) bits.resize(i / 64 + 1, 0);
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
}

}  // namespace regrove::model
