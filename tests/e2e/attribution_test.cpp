// nu and Shapley values through the binary: values made by hand, Adult's mean score to the last bit, the same bytes on any
// ranks, maps of images, plain refusals.
#include "regrove/algebra/attribution.hpp"

#include <cmath>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/wide_integer.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"

#include "e2e/cli_process.hpp"
#include "support/score_ensemble.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class AttributionTest : public CliTest {
  protected:
    static std::string data(const std::string& name) { return std::string(REGROVE_TEST_DATA) + "/" + name; }
    void ok(const std::string& words) const {
        const Outcome outcome = regrove(words);
        ASSERT_EQ(outcome.code, 0) << words << "\n" << outcome.err;
    }
    nlohmann::json result_of(const std::string& summary) const {
        return nlohmann::json::parse(read(summary))["result"];
    }

    /// 10.5, and behind x > 2 20.5 or, where z > 0.5, 40.5: the polynomial 10.5 + 10 [x > 2] + 20 [x > 2] [z > 0.5].
    void train_small() const {
        write("small.csv", "x,z,y\n1,0,10.5\n1,1,10.5\n3,0,20.5\n3,1,40.5\n");
        ok("train --data small.csv --target y --output small.json");
    }

    /// Boosted trees on 2,000 rows of Adult: categories, missing values.
    void train_adult() const {
        ok("train --method boosting --trees 25 --max-depth 4 --target income --data " + adult() +
           " --output adult.json");
    }
    static std::string adult() { return data("objective/adult_2000.csv.gz"); }
};

TEST_F(AttributionTest, ValuesMadeByHand) {
    train_small();
    Outcome outcome = regrove("explain --model small.json --kind nu --data small.csv --output - --summary s.json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "feature,importance,absolute\nx,10,10\nz,5,5\n");
    const auto result = result_of("s.json");
    EXPECT_EQ(result["kind"], "nu");
    EXPECT_EQ(result["baseline_score"], 10.5);
    EXPECT_EQ(result["expected_score"], 20.5);
    EXPECT_EQ(result["rows"], 4);
    EXPECT_EQ(result["monomials"], 3);
    EXPECT_EQ(result["importance"]["x"], 10);

    outcome = regrove("explain --model small.json --kind shapley --data small.csv --output - --rows rows.csv");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "feature,importance,absolute\nx,7.5,7.5\nz,2.5,2.5\n");
    EXPECT_EQ(read("rows.csv"),
              "x,z,baseline_score,row_score\n0,0,10.5,10.5\n0,0,10.5,10.5\n10,0,10.5,20.5\n20,10,10.5,40.5\n");

    outcome = regrove("explain --model small.json --kind nu --per condition --data small.csv --output -");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "feature,condition,importance,absolute\nx,x > 2,10,10\nz,z > 0.5,5,5\n");
}

/// E[H] = w_0 + sum of w_M P(M), in integers: the exact sums of the trees' leaves over the rows are the same number.
TEST_F(AttributionTest, AdultsMeanScoreIsThatOfTheMonomialsExactly) {
    train_adult();
    ok("explain --model adult.json --kind shapley --data " + adult() + " --summary s.json");
    const auto alone = comm::make_self_communicator();
    const model::Ensemble model = pipeline::load_model(*alone, (folder_ / "adult.json").string());
    pipeline::TableRequest request;
    request.path = adult();
    request.expected = infer::expected_schema(model);
    const data::TableShard rows = pipeline::load_table(*alone, request);
    ASSERT_EQ(rows.rows, 2000U);

    ExactSum leaves;
    const infer::Binding binding(model, rows.schema);
    std::vector<double> cells;
    for (std::size_t row = 0; row < rows.rows; ++row) {
        binding.fill(rows, row, row + 1, cells);
        leaves.merge(exact_scores(model, cells)[0]);
    }
    const algebra::Polynomial polynomial = dist::ensemble_polynomial(*alone, model, {});
    const auto counts = dist::monomial_counts(*alone, polynomial, rows);
    algebra::WideInteger units;
    for (std::size_t m = 0; m < polynomial.size(); ++m) {
        algebra::WideInteger part(polynomial.coefficient(m)[0]);
        part.multiply(counts[m]);
        units.add(part);
    }
    EXPECT_GT(polynomial.size(), 500U);
    EXPECT_EQ(to_double(units, polynomial.unit_exponent, {}), leaves.value());
    // What the rounded value leaves over is equal, too: the sums agree in all bits.
    algebra::WideInteger rest = units;
    rest.add(algebra::WideInteger(-algebra::to_fixed(leaves.value(), polynomial.unit_exponent)));
    leaves.add(-leaves.value());
    EXPECT_EQ(to_double(rest, polynomial.unit_exponent, {}), leaves.value());

    const auto result = result_of("s.json");
    const std::vector<std::uint64_t> divisors{2000};
    EXPECT_EQ(result["expected_score"].get<double>(), to_double(units, polynomial.unit_exponent, divisors));
    double shares = result["baseline_score"];
    for (const auto& [name, value] : result["importance"].items()) shares += value.get<double>();
    EXPECT_NEAR(shares, result["expected_score"].get<double>(), 1e-12);
}

TEST_F(AttributionTest, IsTheSameOnAnyRanks) {
    train_adult();
    ok("train --method boosting --trees 4 --max-depth 3 --objective softmax --target relationship --data " + adult() +
       " --output jobs.json");
    const std::vector<std::string> jobs{
        "--model adult.json --kind nu --output a.csv --picture a.svg",
        "--model adult.json --kind nu --per condition --output a.csv --picture a.svg",
        "--model adult.json --kind shapley --output a.csv --picture a.svg --rows rows.csv",
        "--model jobs.json --kind shapley --output a.csv --picture a.svg --rows rows.csv"};
    for (const std::string& job : jobs) {
        SCOPED_TRACE(job);
        const std::string words = "explain " + job + " --overwrite --data " + adult();
        const bool has_rows = job.find("--rows") != std::string::npos;
        ok(words + " --threads 1");
        const std::string table = read("a.csv");
        const std::string picture = read("a.svg");
        const std::string rows = has_rows ? read("rows.csv") : "";
        EXPECT_GT(count_of(table, "\n"), 10U);
        for (const int ranks : {2, 3, 4}) {
            const Outcome outcome = regrove_on(ranks, words + " --threads " + std::to_string(ranks % 2 + 1));
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            EXPECT_EQ(read("a.csv"), table);
            EXPECT_EQ(read("a.svg"), picture);
            if (has_rows) {
                EXPECT_EQ(read("rows.csv"), rows);
            }
        }
    }
    EXPECT_THAT(read("a.csv"), HasSubstr("feature,score,importance,absolute\n"));
}

TEST_F(AttributionTest, MoreRanksThanRows) {
    train_small();
    write("one.csv", "x,z\n3,1\n");
    const std::string words =
        "explain --model small.json --kind shapley --data one.csv --overwrite --output s.csv "
        "--rows rows.csv";
    for (const int ranks : {1, 4}) {
        const Outcome outcome = regrove_on(ranks, words);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(read("s.csv"), "feature,importance,absolute\nx,20,20\nz,10,10\n");
        EXPECT_EQ(read("rows.csv"), "x,z,baseline_score,row_score\n20,10,10.5,40.5\n");
    }
}

TEST_F(AttributionTest, ImagesBecomeMaps) {
    ok("ingest --input " + data("idx/mnist_100_images.idx3.gz") + " --input " + data("idx/mnist_100_labels.idx1.gz") +
       " --output images.h5");
    ok("train --method boosting --trees 3 --max-depth 3 --objective softmax --data images.h5 --output m.json");
    ok("explain --model m.json --kind gain --output gain.csv");
    ok("explain --model m.json --kind nu --data images.h5 --image-shape 28x28 --beside gain.csv --picture map.svg");
    const std::string map = read("map.svg");
    EXPECT_THAT(map, AllOf(HasSubstr("Attribution nu for"), HasSubstr(">gain<"), HasSubstr(">7<"),
                           HasSubstr("<title>pixel_")));
    const Outcome outcome =
        regrove("explain --model m.json --kind nu --data images.h5 --image-shape 28x27 --picture n.svg");
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("756 pixels, the model has 784"));
    EXPECT_FALSE(exists("n.svg"));
}

TEST_F(AttributionTest, OneDigitAgainstTheRest) {
    const std::string images = "ingest --overwrite --input " + data("idx/mnist_100_images.idx3.gz") + " --input " +
                               data("idx/mnist_100_labels.idx1.gz") + " --output ";
    ok(images + "digits.h5");
    ok(images + "threes.h5 --one-against-rest 3");
    const auto alone = comm::make_self_communicator();
    const auto labels_of = [&](const std::string& name) {
        pipeline::TableRequest request;
        request.path = (folder_ / name).string();
        const data::TableShard table = pipeline::load_table(*alone, request);
        const std::size_t label = *table.schema.find(data::ColumnRole::label);
        std::vector<std::string> texts;
        for (std::size_t row = 0; row < table.rows; ++row)
            texts.push_back(data::cell_text(table.schema.columns[label], table.values[label], row));
        return texts;
    };
    const auto digits = labels_of("digits.h5");
    const auto threes = labels_of("threes.h5");
    ASSERT_EQ(threes.size(), digits.size());
    for (std::size_t row = 0; row < digits.size(); ++row) EXPECT_EQ(threes[row], digits[row] == "3" ? "3" : "rest");
    const Outcome on_ranks = regrove_on(3, images + "ranks.h5 --one-against-rest 3");
    ASSERT_EQ(on_ranks.code, 0) << on_ranks.err;
    EXPECT_EQ(labels_of("ranks.h5"), threes);
    const Outcome outcome = regrove(images + "tens.h5 --one-against-rest 10");
    EXPECT_EQ(outcome.code, 65);
    EXPECT_THAT(outcome.err, HasSubstr("no row has the label '10'"));
    EXPECT_FALSE(exists("tens.h5"));
}

TEST_F(AttributionTest, RefusesWhatDoesNotFit) {
    train_small();
    const auto refused = [&](const std::string& words, int code, const std::string& part) {
        const Outcome outcome = regrove("explain --model small.json --output t.csv " + words);
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(part));
        EXPECT_FALSE(exists("t.csv"));
    };
    refused("--kind nu", 64, "--data is missing");
    refused("--kind gain --per condition", 64, "--per condition is for");
    refused("--kind nu --data small.csv --rows rows.csv", 64, "--rows belongs to --kind shapley");
    refused("--kind nu --data small.csv --beside x.csv", 64, "--beside needs --image-shape");
    refused("--kind nu --data small.csv --image-shape 2x1", 64, "--image-shape needs --picture");
    refused("--kind nu --data small.csv --picture p.svg --image-shape 2by1", 78, "no height and width");
    refused("--kind nu --data small.csv --picture p.svg --image-shape 2x1 --beside small.csv", 65,
            "no column 'feature'");
    refused("--kind nu --data small.csv --max-monomials 2", 69, "raise --max-monomials");
    EXPECT_FALSE(exists("p.svg"));
}

}  // namespace
}  // namespace regrove::test
