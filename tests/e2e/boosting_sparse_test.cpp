// Wide LibSVM files through the binary: the model and answers of the dense table, and what does not fit.
#include <cmath>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "regrove/core/random.hpp"
#include "regrove/formats/registry.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

class BoostingSparseCli : public CliTest {
  protected:
    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }

    /// Rows of `present` of `features` features from f1 on; the label follows from the first few.
    std::string libsvm(const std::string& name, std::uint64_t seed, std::size_t rows, std::uint64_t features,
                       std::size_t present = 6) const {
        std::ostringstream text;
        const CounterRandom random(seed, 1);
        for (std::size_t row = 0; row < rows; ++row) {
            std::map<std::uint64_t, double> cells;
            double sum = random.uniform(1000 * row) - 0.5;
            for (std::size_t i = 1; i <= present; ++i) {
                const std::uint64_t low = i % 2 == 0 ? 12 : features;
                const auto index = 1 + random.below(1000 * row + 2 * i, low);
                cells[index] = std::round(random.uniform(1000 * row + 2 * i + 1) * 64) / 16;
            }
            for (const auto& [index, value] : cells) {
                if (index <= 12) sum += index % 2 == 0 ? value : -value;
            }
            text << (sum > 0 ? 1 : 0);
            for (const auto& [index, value] : cells) text << ' ' << index << ':' << value;
            text << '\n';
        }
        return write(name, text.str());
    }
    double metric(const std::string& name) const {
        return nlohmann::json::parse(read("s.json"))["result"][name].get<double>();
    }
};

const std::string k_train = "train -q --method boosting --max-depth 4 --learning-rate 0.3 --min-child-weight 0.5 ";

TEST_F(BoostingSparseCli, ModelAndAnswersAreThoseOfTheDenseTable) {
    libsvm("a.svm", 1, 500, 200);
    libsvm("b.svm", 2, 200, 190);
    ok(regrove("ingest -q --input a.svm --output a.h5"));
    ok(regrove("ingest -q --input b.svm --last-index 200 --output b.h5"));
    ok(regrove(k_train + "--trees 6 --data a.h5 --valid b.h5 --learning-curve dense.csv --output dense.json"));
    ok(regrove(k_train + "--trees 6 --data a.svm --valid b.svm --learning-curve sparse.csv --output sparse.json"));
    EXPECT_TRUE(read("sparse.json") == read("dense.json"));
    EXPECT_TRUE(read("sparse.csv") == read("dense.csv"));
    ok(regrove_on(2, k_train + "--trees 6 --data a.svm --valid b.svm --output ranks.json"));
    EXPECT_TRUE(read("ranks.json") == read("dense.json"));
    ok(regrove(k_train + "--trees 2 --data a.svm --output part.json"));
    ok(regrove(k_train + "--trees 4 --data a.svm --continue part.json --output rest.json"));
    ok(regrove(k_train + "--trees 6 --data a.h5 --output whole.json"));
    EXPECT_TRUE(read("rest.json") == read("whole.json"));
    for (const std::string kind : {"probability", "leaf", "class --flags"}) {
        ok(regrove("predict -q --model dense.json --overwrite --data b.h5 --output d.csv --kind " + kind));
        ok(regrove("predict -q --model dense.json --overwrite --data b.svm --output s.csv --kind " + kind));
        EXPECT_TRUE(read("s.csv") == read("d.csv")) << kind;
        ok(regrove_on(3, "predict -q --model dense.json --overwrite --data b.svm --output s.csv --kind " + kind));
        EXPECT_TRUE(read("s.csv") == read("d.csv")) << kind << " on ranks";
    }
    ok(regrove("evaluate -q --model dense.json --data b.h5 --summary s.json"));
    const double expected = metric("log_loss");
    EXPECT_LT(expected, 0.6);
    ok(regrove_on(2, "evaluate -q --model dense.json --data b.svm --summary s.json --overwrite"));
    EXPECT_EQ(metric("log_loss"), expected);
}

TEST_F(BoostingSparseCli, RowsPutAsideAreThoseOfTheDenseTable) {
    libsvm("a.svm", 3, 400, 150);
    ok(regrove("ingest -q --input a.svm --output a.h5"));
    const std::string words = k_train + "--trees 40 --early-stopping 3 --valid-share 0.3 --subsample 0.8 --seed 4 ";
    ok(regrove(words + "--data a.h5 --output dense.json"));
    ok(regrove(words + "--data a.svm --output sparse.json"));
    EXPECT_TRUE(read("sparse.json") == read("dense.json"));
}

TEST_F(BoostingSparseCli, MoreFeaturesThanDenseTablesTake) {
    libsvm("wide.svm", 5, 600, 90000, 10);
    ok(regrove(k_train + "--trees 3 --data wide.svm --output wide.json --summary s.json"));
    EXPECT_GT(metric("features"), 80000);
    ok(regrove("evaluate -q --model wide.json --data wide.svm --summary s.json --overwrite"));
    EXPECT_GT(metric("roc_auc"), 0.8);
    const Outcome forest = regrove("train --method forest --data wide.svm --output no.json");
    EXPECT_EQ(forest.code, 69);
    EXPECT_THAT(forest.err, HasSubstr("more columns than 65536"));
}

TEST_F(BoostingSparseCli, WhatCannotFitIsRefusedBeforeItIsRead) {
    libsvm("wide.svm", 5, 300, 1500000, 10);
    const Outcome refused = regrove("train --method boosting --memory-limit 500MiB --data wide.svm --output no.json");
    EXPECT_EQ(refused.code, 69);
    EXPECT_THAT(refused.err, HasSubstr("kept sparse they take about"));
    EXPECT_THAT(refused.err, HasSubstr("over --memory-limit 500"));
}

}  // namespace
}  // namespace regrove::test
