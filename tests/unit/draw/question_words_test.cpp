// Questions in plain words, within the width they are given.
#include "regrove/draw/question_words.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "unit/draw/sample_trees.hpp"

namespace regrove::draw {
namespace {

using Lines = std::vector<std::string>;
constexpr Font k_font{10};

model::Feature category_feature(std::vector<std::string> categories) {
    return {"thal", model::FeatureKind::category, {}, std::move(categories)};
}

QuestionWords words(const model::Question& question, const model::Feature& feature, double width = 300) {
    model::Node node;
    node.question = question;
    node.rows = 100;
    return question_words(node, {feature}, k_font, width);
}

TEST(QuestionWords, SayAThresholdInOneLine) {
    const model::Feature feature{"worst_area", model::FeatureKind::numeric, {}, {}};
    EXPECT_EQ(words(testing::threshold_question(0, 880.85, 100, 4000), feature).lines, Lines{"worst_area > 880.85"});
}

TEST(QuestionWords, AskForMissingWhenEveryValueGoesLeft) {
    const model::Feature feature{"ca", model::FeatureKind::numeric, {}, {}};
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(words(testing::threshold_question(0, infinity, 0, 3), feature).lines, Lines{"ca is missing"});
}

TEST(QuestionWords, BreakAfterALongName) {
    const model::Feature feature{"worst_fractal_dimension_of_all_cells", model::FeatureKind::numeric, {}, {}};
    const QuestionWords broken = words(testing::threshold_question(0, 0.5, 0, 1), feature, 210);
    EXPECT_EQ(broken.lines, (Lines{"worst_fractal_dimension_of_all_cells", "> 0.5"}));
    EXPECT_TRUE(broken.complete);
    const QuestionWords cut = words(testing::threshold_question(0, 0.5, 0, 1), feature, 120);
    EXPECT_FALSE(cut.complete);
    EXPECT_LE(text_width(cut.lines.at(0), k_font), 120);
    EXPECT_EQ(cut.lines.at(1), "> 0.5");
}

TEST(QuestionWords, NameTheSmallerSideOfCategories) {
    const model::Feature thal = category_feature({"fixed", "normal", "reversable", "unknown"});
    EXPECT_EQ(words(testing::category_question(0, {1}, {0, 1, 2}), thal).lines, Lines{"thal = normal"});
    EXPECT_EQ(words(testing::category_question(0, {0, 2}, {0, 1, 2}), thal).lines, Lines{"thal ≠ normal"});
    EXPECT_EQ(words(testing::category_question(0, {0, 2}, {0, 1, 2, 3}), thal).lines,
              Lines{"thal in {fixed, reversable}"});
    EXPECT_EQ(words(testing::category_question(0, {0, 1, 2}, {0, 1, 2, 3}), thal).lines, Lines{"thal ≠ unknown"});
}

TEST(QuestionWords, TakeTheWholeDictionaryWhenTheModelDoesNotSayWhatWasSeen) {
    const model::Feature thal = category_feature({"fixed", "normal", "reversable"});
    EXPECT_EQ(words(testing::category_question(0, {0, 1}, {}), thal).lines, Lines{"thal ≠ reversable"});
}

TEST(QuestionWords, AskForMissingCategories) {
    const model::Feature thal = category_feature({"fixed", "normal"});
    model::Question question = testing::category_question(0, {}, {0, 1});
    question.missing_side = model::Side::right;
    EXPECT_EQ(words(question, thal).lines, Lines{"thal is missing"});
    question = testing::category_question(0, {0, 1}, {0, 1});
    EXPECT_EQ(words(question, thal).lines, Lines{"thal is not missing"});
}

TEST(QuestionWords, CountTheCategoriesThatDoNotFit) {
    std::vector<std::string> names;
    std::vector<std::uint32_t> right;
    std::vector<std::uint32_t> seen;
    for (std::uint32_t i = 0; i < 40; ++i) {
        names.push_back("town" + std::to_string(i));
        seen.push_back(i);
        if (i % 2 == 0) right.push_back(i);
    }
    const QuestionWords said = words(testing::category_question(0, right, seen), category_feature(names), 175);
    EXPECT_FALSE(said.complete);
    EXPECT_EQ(said.lines, (Lines{"thal", "in {town0, town2, +18 more}"}));
    EXPECT_LE(text_width(said.lines.at(1), k_font), 175);
}

TEST(QuestionWords, QuoteAnEmptyCategoryAndCleanNames) {
    EXPECT_EQ(words(testing::category_question(0, {0}, {0, 1}), category_feature({"", "a"})).lines,
              Lines{"thal = \"\""});
    const model::Feature odd{"two\nlines", model::FeatureKind::numeric, {}, {}};
    EXPECT_EQ(words(testing::threshold_question(0, 0.5, 0, 1), odd).lines, Lines{"two lines > 0.5"});
}

}  // namespace
}  // namespace regrove::draw
