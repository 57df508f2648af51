// evaluate through the binary: metrics and confusion by hand, the same on 1 to 4 ranks, labels that do not match.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"
#include "golden/prediction_models.hpp"

namespace regrove::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Evaluate : public CliTest {
  protected:
    Evaluate() {
        write("model.json", formats::write_model(colors_model()));
        write("rows.csv", colors_csv());
    }

    json summary_of(const std::string& words, int ranks = 1) {
        const Outcome outcome =
            regrove_on(ranks, "evaluate --model model.json --overwrite --summary summary.json " + words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? json::parse(read("summary.json")) : json();
    }
};

TEST_F(Evaluate, MetricsByHand) {
    // Predicted yes in rows 5 and 10, both right; of the other eight, rows 2 and 3 are yes: 8 of 10 are right.
    const json summary = summary_of("--data rows.csv");
    EXPECT_EQ(summary.at("result").at("accuracy"), 0.8);
    EXPECT_EQ(summary.at("result").at("balanced_accuracy"), 0.75);
    EXPECT_EQ(summary.at("result").size(), 5U);
    EXPECT_EQ(summary.at("details").at("confusion"), json::parse("[[6, 0], [2, 2]]"));
    EXPECT_EQ(summary.at("details").at("classes"), json::parse(R"(["no", "yes"])"));
}

TEST_F(Evaluate, ChosenMetricsOnly) {
    const json result = summary_of("--data rows.csv --metrics accuracy,macro_f1").at("result");
    EXPECT_EQ(result.size(), 2U);
    EXPECT_DOUBLE_EQ(result.at("macro_f1"), (12.0 / 14 + 4.0 / 6) / 2);
}

TEST_F(Evaluate, ResultsDoNotDependOnRanks) {
    const json one = summary_of("--data rows.csv");
    for (const int ranks : {2, 3, 4}) {
        const json other = summary_of("--data rows.csv", ranks);
        EXPECT_EQ(other.at("result"), one.at("result")) << ranks;
        EXPECT_EQ(other.at("details"), one.at("details")) << ranks;
    }
}

TEST_F(Evaluate, ATargetOfAnotherName) {
    std::string text = colors_csv();
    text.replace(text.find("sick"), 4, "ill?");
    write("other.csv", text);
    EXPECT_EQ(summary_of("--data other.csv --target 'ill?'").at("result").at("accuracy"), 0.8);
    const Outcome outcome = regrove("evaluate --model model.json --data other.csv");
    EXPECT_EQ(outcome.code, 65);
    EXPECT_THAT(outcome.err, HasSubstr("named 'sick'"));
}

TEST_F(Evaluate, AnUnknownClassListsTheModelsClasses) {
    std::string text = colors_csv();
    text.replace(text.rfind("yes"), 3, "maybe");
    write("maybe.csv", text);
    for (const int ranks : {1, 4}) {
        const Outcome outcome = regrove_on(ranks, "evaluate --model model.json --data maybe.csv");
        EXPECT_EQ(outcome.code, 65);
        EXPECT_THAT(outcome.err, HasSubstr("label 'maybe' in column 'sick' is no class of the model"));
        EXPECT_THAT(outcome.err, HasSubstr("'no', 'yes'"));
        EXPECT_EQ(count_of(outcome.err, "regrove: error:"), 1U) << outcome.err;
    }
}

TEST_F(Evaluate, MetricsOfTheOtherTask) {
    const Outcome outcome = regrove("evaluate --model model.json --data rows.csv --metrics rmse");
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("accuracy"));
}

TEST_F(Evaluate, Regression) {
    model::Question question;
    question.kind = model::QuestionKind::threshold;
    question.feature = FeatureId{0};
    question.threshold = 1.5;
    model::Node root;
    root.question = question;
    root.left = NodeId{1};
    root.right = NodeId{2};
    root.value = {1};
    model::Node low;
    low.value = {1};
    model::Node high;
    high.value = {4};
    model::EnsembleBuilder builder;
    builder.task(model::Task::regression, "y", {})
        .features({{"x", model::FeatureKind::numeric, model::NumericPrecision::float64, {}}})
        .add_tree({{root, low, high}});
    write("model.json", formats::write_model(std::move(builder).build()));
    write("rows.csv", "x,y\n1,1\n2,4\n1,3\n2,2\n");
    const json result = summary_of("--data rows.csv", 3).at("result");
    EXPECT_DOUBLE_EQ(result.at("mae"), 1.0);
    EXPECT_DOUBLE_EQ(result.at("rmse"), std::sqrt(2.0));
    EXPECT_DOUBLE_EQ(result.at("r2"), 1 - 8.0 / 5.0);
}

}  // namespace
}  // namespace regrove::test
