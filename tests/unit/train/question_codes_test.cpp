// Thresholds of a model as codes of the bins it was grown on; others are refused.
#include "regrove/train/question_codes.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::train {
namespace {

/// Bins 1..2, 4, 6..9, and "no value".
binning::Bins three_bins() { return {false, 3, {1, 4, 6}, {2, 4, 9}}; }

model::Question above(double threshold) {
    model::Question question;
    question.kind = model::QuestionKind::threshold;
    question.threshold = threshold;
    return question;
}

std::vector<bool> rights(const CodeQuestion& codes) {
    std::vector<bool> right;
    for (std::uint32_t code = 0; code <= 3; ++code) right.push_back(codes.right(code));
    return right;
}

TEST(QuestionCodes, ThresholdsBetweenBins) {
    const CodeColumn column;
    EXPECT_EQ(rights(codes_of_question(above(3), three_bins(), column)),
              (std::vector<bool>{false, true, true, false}));
    EXPECT_EQ(rights(codes_of_question(above(4), three_bins(), column)),
              (std::vector<bool>{false, false, true, false}));
    model::Question missing = above(std::numeric_limits<double>::infinity());
    missing.missing_seen = true;
    missing.missing_side = model::Side::right;
    EXPECT_EQ(rights(codes_of_question(missing, three_bins(), column)),
              (std::vector<bool>{false, false, false, true}));
}

TEST(QuestionCodes, RefusesThresholdsWithinBins) {
    for (const double threshold : {0.0, 1.0, 1.5, 6.0, 8.9}) {
        EXPECT_THROW(codes_of_question(above(threshold), three_bins(), {}), ConfigError) << threshold;
    }
}

}  // namespace
}  // namespace regrove::train
