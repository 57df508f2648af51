// Explanations as tables, bars and maps.
#include "regrove/pipeline/explanation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/pipeline/explanation_map.hpp"

namespace regrove::pipeline {
namespace {

using Values = std::vector<double>;
using Texts = std::vector<std::string>;

model::Ensemble model_of(std::size_t features) {
    model::Ensemble model;
    model.label_name = "y";
    model.features = model::numbered_features(features);
    model.trees.resize(2);
    return model;
}

Explanation sample() {
    Explanation explanation;
    explanation.kind = "nu";
    explanation.title = "Attribution nu";
    explanation.subjects = feature_subjects({1, -3, 0, 3});
    explanation.subjects[2].used = false;
    return explanation;
}

Values numbers(const data::TableShard& table, const std::string& column) {
    return std::get<Values>(table.values[*table.schema.find(column)]);
}
Texts texts(const data::TableShard& table, const std::string& column) {
    return std::get<Texts>(table.values[*table.schema.find(column)]);
}

TEST(Explanation, SortsByValueOrSizeAndKeepsTheOrderOfEquals) {
    Explanation explanation = sample();
    sort_by_size(explanation.subjects);
    EXPECT_EQ(texts(explanation_table(explanation, model_of(4)), "feature"), (Texts{"f1", "f3", "f0", "f2"}));
    sort_by_value(explanation.subjects);
    EXPECT_EQ(texts(explanation_table(explanation, model_of(4)), "feature"), (Texts{"f3", "f0", "f2", "f1"}));
}

TEST(Explanation, SeveralScoresAreRowsOfTheirOwn) {
    Explanation explanation = sample();
    explanation.scores = {"a", "b"};
    for (ExplainedSubject& subject : explanation.subjects) subject.values.push_back(10 + subject.values.front());
    explanation.columns = {{"more", Values{1, 2, 3, 4, 5, 6, 7, 8}}};
    const data::TableShard table = explanation_table(explanation, model_of(4));
    EXPECT_EQ(table.rows, 8U);
    EXPECT_EQ(texts(table, "score"), (Texts{"a", "b", "a", "b", "a", "b", "a", "b"}));
    EXPECT_EQ(numbers(table, "importance"), (Values{1, 11, -3, 7, 0, 10, 3, 13}));
    EXPECT_EQ(numbers(table, "more"), (Values{1, 2, 3, 4, 5, 6, 7, 8}));
    const draw::BarChart chart = explanation_chart(explanation, model_of(4), 3);
    ASSERT_EQ(chart.bars.size(), 3U);
    EXPECT_EQ(chart.bars[1].label, "f0 · b");
    EXPECT_EQ(chart.bars[1].value, 11);
    EXPECT_THAT(chart.notes, testing::ElementsAre("Not shown: 3 less important bars.",
                                                  "No question asks for 1 feature: importance exactly 0."));
}

TEST(Explanation, MapsAddUpConditions) {
    Explanation explanation = sample();
    explanation.subjects.push_back(explanation.subjects[1]);
    explanation.subjects.back().values = {0.5};
    const draw::ImageMap map = explanation_map(explanation, model_of(4), image_shape("2x2"));
    ASSERT_EQ(map.panels.size(), 1U);
    EXPECT_EQ(map.panels[0].values, (Values{1, -2.5, 0, 3}));
    EXPECT_EQ(map.panels[0].title, "nu");
    EXPECT_EQ(map.pixel_names[3], "f3");
}

TEST(Explanation, PanelsFromTables) {
    Explanation explanation = sample();
    explanation.scores = {"a", "b"};
    for (ExplainedSubject& subject : explanation.subjects) subject.values.push_back(10 + subject.values.front());
    sort_by_size(explanation.subjects);
    const model::Ensemble model = model_of(4);
    const data::TableShard table = explanation_table(explanation, model);
    draw::ImageMap map = explanation_map(sample(), model, image_shape("1x4"));
    add_panels(map, table, "other", model);
    ASSERT_EQ(map.panels.size(), 3U);
    EXPECT_EQ(map.panels[1].title, "other · a");
    EXPECT_EQ(map.panels[1].values, (Values{1, -3, 0, 3}));
    EXPECT_EQ(map.panels[2].values, (Values{11, 7, 10, 13}));
    EXPECT_THROW(add_panels(map, table, "other", model_of(3)), InputError);
}

TEST(Explanation, ShapesOfImages) {
    EXPECT_EQ(image_shape("28x17").height, 28U);
    EXPECT_EQ(image_shape("28x17").width, 17U);
    for (const char* text : {"", "28", "x", "28x", "x28", "0x5", "5x0", "2x2x2", "-1x4", "2 x2", "999999x999999"})
        EXPECT_THROW(image_shape(text), ConfigError) << text;
    EXPECT_THROW(check_image_shape(image_shape("2x2"), model_of(5)), ConfigError);
}

}  // namespace
}  // namespace regrove::pipeline
