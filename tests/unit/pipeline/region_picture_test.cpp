// From names and values of a person to a map: planes, held features, merged cells, borders, points, refusals.
#include "regrove/pipeline/region_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

model::Question within(model::Question question, double low, double high) {
    question.training_low = low;
    question.training_high = high;
    return question;
}

/// x > 4 (of 0 .. 10); left of it y > 5 (of -10 .. 20): no, yes; right of it whether c is "q": no, yes.
model::Tree corner_tree() {
    using namespace infer;
    return {{inner(within(above(0, 4), 0, 10), 1, 4, {4, 4}), inner(within(above(1, 5), -10, 20), 2, 3, {2, 2}),
             leaf({2, 0}), leaf({0, 2}), inner(one_of(2, {1}, {0, 1}), 5, 6, {2, 2}), leaf({3, 1}), leaf({1, 3})}};
}

model::Ensemble sample(std::vector<model::Tree> trees = {corner_tree()}) {
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "k", {"no", "yes"});
    builder.features(
        {infer::numeric("x"), infer::numeric("y"), infer::category("c", {"p", "q"}), infer::numeric("idle")});
    for (auto& tree : trees) builder.add_tree(std::move(tree));
    return std::move(builder).build();
}

RegionRequest request(std::vector<std::string> at = {}) {
    RegionRequest made;
    made.features = {"x", "y"};
    made.at = std::move(at);
    return made;
}

/// Five labelled rows.
data::TableShard rows() {
    auto table =
        infer::table({infer::numbers("x", {1, 2, 3, 12, infer::k_nan}), infer::numbers("y", {0, 6, 7, 8, 9}),
                      infer::codes("c", {"q", "p"}, {0, 0, 1, 1, 0}), infer::numbers("idle", {0, 0, 0, 0, 0}),
                      infer::codes("k", {"yes", "no"}, {1, 0, 0, 1, 1})});
    table.schema.columns.back().role = data::ColumnRole::label;
    return table;
}

TEST(RegionPicture, PlaneHoldsWhatTrainingSaw) {
    const auto map = describe_regions(sample(), request({"c=q"}), nullptr);
    EXPECT_EQ(map.across.name, "x");
    EXPECT_DOUBLE_EQ(map.across.low, -0.4);  // 4% beyond 0 .. 10
    EXPECT_DOUBLE_EQ(map.across.high, 10.4);
    EXPECT_DOUBLE_EQ(map.up.low, -11.2);
    EXPECT_DOUBLE_EQ(map.up.high, 21.2);
    ASSERT_EQ(map.regions.size(), 3U);
    EXPECT_EQ(map.regions[0].x_high, 4);
    EXPECT_EQ(map.regions[0].y_high, 5);
    EXPECT_EQ(map.regions[0].answer.class_index, 0U);
    EXPECT_EQ(map.regions[2].answer.class_index, 1U);
    EXPECT_EQ(map.regions[2].answer.share, 0.75);
    EXPECT_EQ(map.title, "Regions of the tree for k");
    EXPECT_EQ(map.subtitle, "3 regions of 4 leaves");
    EXPECT_THAT(map.notes.back(), HasSubstr("c = q"));
}

TEST(RegionPicture, BordersStandWhereTheClassChanges) {
    const auto map = describe_regions(sample(), request({"c=q"}), nullptr);
    ASSERT_EQ(map.borders.size(), 2U);  // "no" in the lower left corner, "yes" elsewhere
    EXPECT_EQ(map.borders[0].x_from, 4);
    EXPECT_EQ(map.borders[0].x_to, 4);
    EXPECT_EQ(map.borders[0].y_from, map.up.low);
    EXPECT_EQ(map.borders[0].y_to, 5);
    EXPECT_EQ(map.borders[1].y_from, 5);
    EXPECT_EQ(map.borders[1].y_to, 5);
    EXPECT_EQ(map.borders[1].x_from, map.across.low);
    EXPECT_EQ(map.borders[1].x_to, 4);
}

TEST(RegionPicture, FeaturesAreHeldByHandByTableOrByTheModel) {
    EXPECT_EQ(describe_regions(sample(), request({"c=p"}), nullptr).regions[2].answer.class_index, 0U);
    const auto table = rows();
    const auto by_table = describe_regions(sample(), request(), &table);  // "q" is the most frequent
    EXPECT_EQ(by_table.regions[2].answer.class_index, 1U);
    EXPECT_THAT(by_table.notes.back(), HasSubstr("c = q"));
    const auto by_model = describe_regions(sample(), request(), nullptr);
    EXPECT_EQ(by_model.regions[2].answer.class_index, 0U);  // both sides weigh the same: left
    EXPECT_THAT(by_model.notes.back(), HasSubstr("c = (the heavier side)"));
    RegionRequest across_idle = request({"c=p"});
    across_idle.features = {"idle", "y"};
    // x is held at the lower median 2 of 1, 2, 3, 12: left of 4.
    const auto idle = describe_regions(sample(), across_idle, &table);
    EXPECT_EQ(idle.regions.size(), 2U);
    EXPECT_THAT(idle.notes.back(), HasSubstr("x = 2"));
}

TEST(RegionPicture, TableWidensThePlaneAndGivesPoints) {
    const auto table = rows();
    const auto map = describe_regions(sample(), request(), &table);
    EXPECT_DOUBLE_EQ(map.across.high, 12 + 0.04 * 12);
    ASSERT_EQ(map.points.size(), 4U);  // the last row has no x
    EXPECT_EQ(map.points[1].x, 2);
    EXPECT_EQ(map.points[1].y, 6);
    EXPECT_EQ(map.points[0].truth.class_index, 0U);
    EXPECT_EQ(map.points[1].truth.class_index, 1U);
    RegionRequest few = request();
    few.points = 2;
    const auto thinned = describe_regions(sample(), few, &table);
    ASSERT_EQ(thinned.points.size(), 2U);
    EXPECT_EQ(thinned.points[1].x, 3);  // rows 0 and 2 of 5
    EXPECT_THAT(thinned.notes.front(), HasSubstr("2 rows, evenly spaced among the table's 5"));
}

TEST(RegionPicture, ForestCellsOfOneAnswerAreMerged) {
    model::Tree right = infer::stump(within(infer::above(0, 6), 0, 10));
    right.nodes[0].value = {1, 1};
    right.nodes[1].value = {1, 0};
    right.nodes[2].value = {1, 0};  // asks, but says "no" on both sides
    const auto map = describe_regions(sample({corner_tree(), right}), request({"c=p"}), nullptr);
    EXPECT_EQ(map.title, "Regions of the forest for k");
    EXPECT_THAT(map.subtitle, HasSubstr("2 trees · 3 x 2 cells"));
    // Lower left 1, upper left 1/2, right of x = 4 (3/4 + 1) / 2 = 7/8, which two columns and two rows share.
    ASSERT_EQ(map.regions.size(), 3U);
    EXPECT_EQ(map.regions[0].answer.share, 1);
    EXPECT_EQ(map.regions[1].answer.share, 0.875);
    EXPECT_EQ(map.regions[1].x_low, 4);
    EXPECT_EQ(map.regions[1].x_high, map.across.high);
    EXPECT_EQ(map.regions[1].y_high, map.up.high);
    EXPECT_EQ(map.regions[2].answer.share, 0.5);
    EXPECT_TRUE(map.borders.empty());  // a draw goes to the first class
}

std::string refusal(const RegionRequest& asked, const data::TableShard* table = nullptr) {
    try {
        describe_regions(sample(), asked, table);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(RegionPicture, RefusesWhatTheModelDoesNotHave) {
    RegionRequest asked = request();
    asked.features = {"x"};
    EXPECT_THAT(refusal(asked), HasSubstr("two different numeric features"));
    asked.features = {"x", "x"};
    EXPECT_THAT(refusal(asked), HasSubstr("two different numeric features"));
    asked.features = {"x", "idel"};
    EXPECT_THAT(refusal(asked), AllOf(HasSubstr("no feature 'idel'"), HasSubstr("'idle'")));
    asked.features = {"c", "x"};
    EXPECT_THAT(refusal(asked), HasSubstr("'c' holds categories"));
    asked.features = {"x", "idle"};
    EXPECT_THAT(refusal(asked), HasSubstr("asks nothing about 'idle'"));
    EXPECT_THAT(refusal(request({"c=r"})), AllOf(HasSubstr("no category 'r'"), HasSubstr("p, q")));
    EXPECT_THAT(refusal(request({"idle=much"})), HasSubstr("'much' is no number"));
    EXPECT_THAT(refusal(request({"x=3"})), HasSubstr("axis"));
    EXPECT_THAT(refusal(request({"idle"})), HasSubstr("feature=value"));
    EXPECT_THAT(refusal(request({"c=p", "c=q"})), HasSubstr("twice"));
}

}  // namespace
}  // namespace regrove::pipeline
