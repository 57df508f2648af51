// Polynomials, symmetric trees and pruning by monomials from the command line.
#include <array>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "regrove/formats/registry.hpp"

#include "e2e/cli_process.hpp"
#include "support/score_ensemble.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Rows of a CSV table without quotes, the header first.
std::vector<std::vector<std::string>> cells_of(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream cells(line);
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

class MonomialsTest : public CliTest {
  protected:
    static model::Ensemble ensemble(LeafNumbers leaves = LeafNumbers::doubles) {
        ScoreEnsembleShape shape;
        shape.seed = 12;
        shape.trees = 8;
        shape.depth = 4;
        shape.surrogates = false;
        shape.leaves = leaves;
        return score_ensemble(shape);
    }
    /// One tree of numbers, whose questions all hang on each other's left: few leaves, but many monomials.
    static model::Ensemble comb() {
        model::Ensemble model = ensemble();
        model::Tree tree;
        constexpr std::uint32_t k_depth = 12;
        for (std::uint32_t level = 0; level < k_depth; ++level) {
            model::Node& inner = tree.nodes.emplace_back();
            inner.question.kind = model::QuestionKind::threshold;
            inner.question.feature = FeatureId{level % 2};
            inner.question.threshold = 6.0 - level;
            inner.left = NodeId{level + 1};
            inner.right = NodeId{2 * k_depth - level};
            inner.value = {0};
        }
        for (std::uint32_t leaf = 0; leaf <= k_depth; ++leaf) tree.nodes.emplace_back().value = {0.1 + leaf};
        model.trees = {tree};
        model::validate(model);
        return model;
    }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }
    Outcome run(const std::string& words) const { return regrove(words + " --summary s.json --overwrite"); }

    /// Rows whose label follows the model's score, with noise.
    void write_table(const std::string& name, std::uint64_t seed) const {
        const auto cells = all_cells();
        const CounterRandom random(seed, 81);
        const model::Ensemble model = ensemble();
        std::string text = "a,b,c,d,y\n";
        for (std::size_t row = 0; row < 800; ++row) {
            const auto& drawn = cells[random.below(2 * row, cells.size())];
            const auto number = [](double cell) { return std::isnan(cell) ? std::string() : std::to_string(cell); };
            const auto category = [&](std::size_t f) {
                return std::isnan(drawn[f]) ? std::string()
                       : drawn[f] < 0       ? std::string("new")
                                            : model.features[f].categories[static_cast<std::size_t>(drawn[f])];
            };
            const bool high = plain_scores(model, drawn)[0] + random.normal(2 * row + 1) > 0;
            text += number(drawn[0]) + "," + number(drawn[1]) + "," + category(2) + "," + category(3) +
                    (high ? ",class 1\n" : ",class 0\n");
        }
        write(name, text);
    }
};

/// With leaves whose sums do not round, so that the order of adding does not show.
TEST_F(MonomialsTest, APolynomialIsAModelLikeTheOthers) {
    write("m.json", formats::write_model(ensemble(LeafNumbers::quarters)));
    write_table("t.csv", 1);
    const Outcome converted = run("convert --model m.json --form polynomial --output p.json");
    ASSERT_EQ(converted.code, 0) << converted.err;
    EXPECT_EQ(summary()["result"]["trees_before"], 8);
    EXPECT_EQ(summary()["result"]["exact"], true);
    EXPECT_THAT(read("p.json"), HasSubstr("\"format\": \"regrove-polynomial\""));
    EXPECT_EQ(run("verify m.json p.json --what score --unseen inside").code, 0);
    EXPECT_EQ(summary()["result"]["equal"], true);
    ASSERT_EQ(run("evaluate --model m.json --data t.csv --metrics roc_auc,accuracy").code, 0);
    const auto of_trees = summary()["result"];
    ASSERT_EQ(run("evaluate --model p.json --data t.csv --metrics roc_auc,accuracy").code, 0);
    EXPECT_EQ(summary()["result"], of_trees);
    EXPECT_EQ(run("predict --model p.json --data t.csv --output scores.csv --kind raw").code, 0);
}

/// A voting forest, its polynomial and its symmetric trees answer with the same bytes; pruned, it goes on as a model.
TEST_F(MonomialsTest, AVotingForestBecomesASum) {
    write_table("t.csv", 2);
    write_table("v.csv", 3);
    ASSERT_EQ(run("ingest --input t.csv --target y --output t.h5").code, 0);
    ASSERT_EQ(run("train --method forest --vote majority --trees 9 --max-depth 3 --data t.h5 --output f.json").code,
              0);
    const Outcome converted = run("convert --model f.json --form polynomial --output p.json");
    ASSERT_EQ(converted.code, 0) << converted.err;
    EXPECT_EQ(summary()["result"]["exact"], true);
    EXPECT_THAT(read("p.json"), HasSubstr("\"link\": \"shares\""));
    ASSERT_EQ(regrove_on(3, "convert --model f.json --form polynomial --output p3.json").code, 0);
    EXPECT_EQ(read("p3.json"), read("p.json"));
    ASSERT_EQ(run("convert --model f.json --form symmetric --keep-original no --output s.model.json").code, 0);
    for (const std::string kind : {"class", "probability"}) {
        ASSERT_EQ(run("predict --model f.json --data v.csv --kind " + kind + " --output f.csv").code, 0);
        for (const std::string form : {"p.json", "s.model.json"}) {
            ASSERT_EQ(run("predict --model " + form + " --data v.csv --kind " + kind + " --output form.csv").code, 0);
            EXPECT_EQ(read("form.csv"), read("f.csv")) << kind << " of " << form;
        }
    }
    EXPECT_EQ(run("verify f.json p.json --what score").code, 0);
    EXPECT_EQ(run("verify s.model.json f.json --what score").code, 0);
    const Outcome pruned =
        run("prune --method monomials --model f.json --data t.h5 --valid v.csv --tolerance 0.01 --flips flips.csv "
            "--output pruned.json");
    ASSERT_EQ(pruned.code, 0) << pruned.err;
    EXPECT_LT(summary()["result"]["monomials_after"], summary()["result"]["monomials_before"]);
    EXPECT_EQ(run("evaluate --model pruned.json --data v.csv --metrics roc_auc,accuracy").code, 0);
    EXPECT_EQ(run("verify f.json pruned.json --what score").code, 1);
}

TEST_F(MonomialsTest, SymmetricTreesAreProvenEqualUntilAScoreMovesByOneUlp) {
    write("m.json", formats::write_model(ensemble()));
    const Outcome converted =
        run("convert --model m.json --form symmetric --symmetric-depth 5 --keep-original no --output s5.json");
    ASSERT_EQ(converted.code, 0) << converted.err;
    EXPECT_EQ(summary()["result"]["exact"], true);
    EXPECT_EQ(run("verify m.json s5.json --what score --unseen inside").code, 0);

    model::Ensemble moved = formats::parse_model(read("s5.json"), "s5.json");
    moved.initial_scores[0] = std::nextafter(moved.initial_scores[0], 1e9);
    write("moved.json", formats::write_model(moved));
    const Outcome different = run("verify m.json moved.json --what score --unseen inside");
    EXPECT_EQ(different.code, 1) << different.err;
    EXPECT_THAT(different.out, AllOf(HasSubstr("equal in score"), HasSubstr("they differ at")));
    EXPECT_EQ(summary()["result"]["equal"], false);
    EXPECT_GE(summary()["details"]["difference"].size(), 1U);
}

TEST_F(MonomialsTest, TheOriginalIsKeptWhenSymmetricTreesWouldBeSlower) {
    write("m.json", formats::write_model(comb()));
    ASSERT_EQ(run("convert --model m.json --form symmetric --symmetric-depth 2 --output auto.json").code, 0);
    const auto result = summary()["result"];
    EXPECT_GT(result["predicted_row_ns_after"].get<double>(), result["predicted_row_ns_before"].get<double>());
    EXPECT_EQ(result["kept"], "original");
    EXPECT_EQ(result["trees_after"], result["trees_before"]);
    EXPECT_EQ(read("auto.json"), read("m.json"));
    // One tree a monomial is slower than what its trees are packed into.
    ASSERT_EQ(run("convert --model m.json --form polynomial --output p.json").code, 0);
    EXPECT_EQ(summary()["result"]["kept"], "converted");
    ASSERT_EQ(run("convert --model p.json --form symmetric --output sym.json").code, 0);
    EXPECT_EQ(summary()["result"]["kept"], "converted");
    EXPECT_LT(summary()["result"]["trees_after"], summary()["result"]["trees_before"]);
}

TEST_F(MonomialsTest, FewerTreesForSomeSquaredError) {
    write("m.json", formats::write_model(ensemble()));
    write_table("t.csv", 1);
    const std::string words =
        "convert --model m.json --form symmetric --symmetric-depth 3 --data t.csv --tree-cost 0.05 --keep-original "
        "no ";
    const Outcome converted = run(words + "--output fewer.json");
    ASSERT_EQ(converted.code, 0) << converted.err;
    const auto result = summary()["result"];
    EXPECT_EQ(result["exact"], false);
    EXPECT_GE(result["trees_left_out"], 1);
    // The rows show the change that the summary tells.
    const auto raw = [&](const std::string& model) {
        EXPECT_EQ(run("predict --kind raw --data t.csv --output raw.csv --model " + model).code, 0);
        std::vector<double> scores;
        for (const auto& row : cells_of(read("raw.csv"))) scores.push_back(std::atof(row.back().c_str()));
        return scores;
    };
    const auto before = raw("m.json");
    const auto after = raw("fewer.json");
    double sum = 0;
    for (std::size_t i = 1; i < before.size(); ++i) sum += (before[i] - after[i]) * (before[i] - after[i]);
    EXPECT_NEAR(sum / static_cast<double>(before.size() - 1), result["mean_squared_change"].get<double>(), 1e-9);
    ASSERT_EQ(regrove_on(3, words + "--output fewer3.json").code, 0);
    EXPECT_EQ(read("fewer3.json"), read("fewer.json"));
    EXPECT_THAT(run("convert --model m.json --form symmetric --tree-cost 1 --output q.json").err,
                HasSubstr("--data"));
}

TEST_F(MonomialsTest, PruningKeepsWhatValidationNeeds) {
    write("m.json", formats::write_model(ensemble()));
    write_table("t.csv", 1);
    write_table("v.csv", 2);
    const Outcome pruned =
        run("prune --method monomials --model m.json --data t.csv --valid v.csv --output p.json --tolerance 0.002 "
            "--path curve.csv --picture curve.svg --dropped dropped.csv");
    ASSERT_EQ(pruned.code, 0) << pruned.err;
    const auto result = summary()["result"];
    EXPECT_LT(result["monomials_after"], result["monomials_before"]);
    EXPECT_GE(result["metric_after"], result["metric_before"].get<double>() - 0.002);
    EXPECT_THAT(read("curve.csv"), HasSubstr("alpha,monomials,eta_dropped,roc_auc,chosen"));
    EXPECT_THAT(read("curve.svg"), HasSubstr("<svg"));
    EXPECT_THAT(read("dropped.csv"), HasSubstr("monomial,coefficient,rows,eta"));
    ASSERT_EQ(run("evaluate --model p.json --data v.csv --metrics roc_auc").code, 0);
    EXPECT_DOUBLE_EQ(summary()["result"]["roc_auc"].get<double>(), result["metric_after"].get<double>());

    // What stays and what was dropped are the whole, and the same threshold by hand keeps the same.
    const auto lines = [&](const std::string& name) {
        const std::string text = read(name);
        return std::count(text.begin(), text.end(), '\n');
    };
    const auto details = [&] {
        run("prune --method monomials --model m.json --data t.csv --output q.json --eta " + result["alpha"].dump());
        return summary()["details"];
    }();
    EXPECT_EQ(read("q.json"), read("p.json"));
    EXPECT_EQ(lines("dropped.csv") - 1 + result["monomials_after"].get<std::ptrdiff_t>(),
              details["monomials_of_non_zero_weight"].get<std::ptrdiff_t>());
}

/// What the table of flips says is what predictions of the two models show.
TEST_F(MonomialsTest, FlippedDecisionsAreThoseOfPredictions) {
    write("m.json", formats::write_model(ensemble(LeafNumbers::quarters)));
    write_table("t.csv", 1);
    write_table("v.csv", 2);
    const std::string words =
        "prune --method monomials --model m.json --data t.csv --valid v.csv --keep eta --eta 0.02 --reweight lasso "
        "--lasso-penalty 0.01 --cut-offs 0.3,0.5 --segment d ";
    const Outcome pruned = run(words + "--output p.json --flips flips.csv --flipped-rows rows.csv --path curve.csv");
    ASSERT_EQ(pruned.code, 0) << pruned.err;
    EXPECT_GT(summary()["result"]["decisions_flipped"], 20);
    EXPECT_EQ(summary()["result"]["decisions_flipped"].get<std::size_t>(), cells_of(read("rows.csv")).size() - 1);
    for (const std::string model : {"m", "p"})
        ASSERT_EQ(
            run("predict --kind probability --data v.csv --model " + model + ".json --output " + model + ".csv").code,
            0);
    const auto table = cells_of(read("v.csv"));
    const auto before = cells_of(read("m.csv"));
    const auto after = cells_of(read("p.csv"));
    std::map<std::pair<std::string, double>, std::array<std::size_t, 3>> expected;
    for (std::size_t row = 1; row < table.size(); ++row)
        for (const double cut_off : {0.3, 0.5}) {
            auto& counts = expected[{table[row][3].empty() ? "(missing)" : table[row][3], cut_off}];
            const bool was = std::stod(before[row].back()) > cut_off;
            const bool is = std::stod(after[row].back()) > cut_off;
            ++counts[0];
            if (was != is) ++counts[is ? 1 : 2];
        }
    const auto flips = cells_of(read("flips.csv"));
    ASSERT_EQ(flips.size() - 1, expected.size());
    for (std::size_t i = 1; i < flips.size(); ++i) {
        const auto& counts = expected.at({flips[i][0], std::stod(flips[i][1])});
        EXPECT_EQ(flips[i][2], std::to_string(counts[0]));
        EXPECT_EQ(flips[i][3], std::to_string(counts[1] + counts[2]));
        EXPECT_EQ(flips[i][4], std::to_string(counts[1]));
        EXPECT_EQ(flips[i][5], std::to_string(counts[2]));
    }
    ASSERT_EQ(regrove_on(3, words + "--output p3.json --flips flips3.csv --flipped-rows rows3.csv").code, 0);
    EXPECT_EQ(read("p3.json"), read("p.json"));
    EXPECT_EQ(read("flips3.csv"), read("flips.csv"));
    EXPECT_EQ(read("rows3.csv"), read("rows.csv"));
}

TEST_F(MonomialsTest, ReweightingOfChosenLevelsIsWhatWasJudged) {
    write("m.json", formats::write_model(ensemble(LeafNumbers::quarters)));
    write_table("t.csv", 1);
    write_table("v.csv", 2);
    ASSERT_EQ(
        run("prune --method monomials --model m.json --data t.csv --valid v.csv --output p.json --tolerance 0.002 "
            "--reweight least_squares --path curve.csv")
            .code,
        0);
    const auto result = summary()["result"];
    EXPECT_LT(result["monomials_after"], result["monomials_before"]);
    EXPECT_GE(result["metric_after"], result["metric_before"].get<double>() - 0.002);
    ASSERT_EQ(run("evaluate --model p.json --data v.csv --metrics roc_auc").code, 0);
    EXPECT_NEAR(summary()["result"]["roc_auc"].get<double>(), result["metric_after"].get<double>(), 1e-12);
    EXPECT_THAT(
        run("prune --method monomials --model m.json --data t.csv --valid v.csv --output q.json --reweight lasso "
            "--keep valid --reweight-limit 1 --levels 2")
            .err,
        HasSubstr("--reweight-limit"));
    EXPECT_THAT(run("prune --method monomials --model m.json --data t.csv --output q.json --segment d").err,
                HasSubstr("--flips"));
    EXPECT_THAT(
        run("prune --method monomials --model m.json --data t.csv --output q.json --flips f.csv --segment dd").err,
        HasSubstr("no column 'dd'"));
    EXPECT_THAT(
        run("prune --method monomials --model m.json --data t.csv --output q.json --flips f.csv --cut-offs x").err,
        HasSubstr("'x' is no finite number"));
}

TEST_F(MonomialsTest, WhatCannotBeDoneIsSaid) {
    write("m.json", formats::write_model(ensemble()));
    EXPECT_THAT(run("prune --method monomials --model m.json --output p.json").err, HasSubstr("--data is missing"));
    EXPECT_THAT(run("prune --model m.json --eta 1 --output p.json").err, HasSubstr("--method monomials"));
    const Outcome limited = run("convert --model m.json --form polynomial --max-tree-monomials 2 --output p.json");
    EXPECT_EQ(limited.code, 69);
    EXPECT_THAT(limited.err, HasSubstr("--max-tree-monomials"));
    EXPECT_THAT(run("convert --model m.json --to regrove-polynomial --output p.json").err,
                HasSubstr("convert --form polynomial"));
}

}  // namespace
}  // namespace regrove::test
