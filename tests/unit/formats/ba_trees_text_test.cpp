// The forest text of BA-Trees: the sixty forests, what is read, what is refused, and what cannot be written.
#include <cmath>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/formats/registry.hpp"

#include "unit/formats/sample_models.hpp"

namespace regrove::formats {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Nodes out of order: the root's left child is node 3, its right child node 1.
const std::string k_small =
    "DATASET_NAME: a set\n"
    "ENSEMBLE: RF\n"
    "NB_TREES: 2\n"
    "NB_FEATURES: 3\n"
    "NB_CLASSES: 2\n"
    "MAX_TREE_DEPTH: 2\n"
    "Format: node / type / left / right / feature / threshold / depth / class\n"
    "\n"
    "[TREE 0]\n"
    "NB_NODES: 5\n"
    "0 IN 3 1 2 0.1 0 -1\n"
    "1 LN -1 -1 -1 -1 1 1\n"
    "2 LN -1 -1 -1 -1 2 0\n"
    "3 IN 4 2 0 -2.5e-3 1 -1\n"
    "4 LN -1 -1 -1 -1 2 1\n"
    "\n"
    "[TREE 1]\n"
    "NB_NODES: 1\n"
    "0 LN -1 -1 -1 -1 0 1\n";

model::Ensemble small() { return parse_model(k_small, "forest.txt"); }

std::string with(const std::string& old_text, const std::string& new_text) {
    std::string text = k_small;
    const std::size_t at = text.find(old_text);
    EXPECT_NE(at, std::string::npos) << old_text;
    return text.replace(at, old_text.size(), new_text);
}

std::string refusal(const std::string& text) {
    try {
        static_cast<void>(parse_model(text, "forest.txt"));
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

std::string write(const model::Ensemble& ensemble) { return write_model(ensemble, "ba-trees-text"); }

std::string write_refusal(const std::function<void(model::Ensemble&)>& change) {
    model::Ensemble ensemble = small();
    change(ensemble);
    try {
        static_cast<void>(write(ensemble));
    } catch (const FormatError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(BaTreesText, WhatIsRead) {
    const model::Ensemble ensemble = small();
    EXPECT_EQ(ensemble.task, model::Task::classification);
    EXPECT_EQ(ensemble.combination, model::Combination::majority);
    EXPECT_THAT(ensemble.classes, testing::ElementsAre("0", "1"));
    EXPECT_EQ(ensemble.features, model::numbered_features(3));
    EXPECT_EQ(ensemble.features[2].name, "f2");
    EXPECT_TRUE(ensemble.features_by_position);
    EXPECT_EQ(ensemble.provenance.at("ba_trees.dataset"), "a set");
    ASSERT_EQ(ensemble.trees.size(), 2U);
    const auto& nodes = ensemble.trees[0].nodes;
    ASSERT_EQ(nodes.size(), 5U);
    EXPECT_EQ(nodes[0].question.feature, FeatureId{2});
    EXPECT_EQ(nodes[0].question.threshold, 0.1);
    EXPECT_EQ(nodes[0].right, NodeId{4});
    EXPECT_EQ(nodes[1].question.threshold, -0.0025);
    EXPECT_EQ(nodes[0].question.missing_side, model::Side::right);
    EXPECT_FALSE(nodes[0].question.missing_seen);
    EXPECT_THAT(nodes[2].value, testing::ElementsAre(0, 1)) << "the file's node 4";
    EXPECT_THAT(nodes[3].value, testing::ElementsAre(1, 0)) << "the file's node 2";
    EXPECT_THAT(nodes[4].value, testing::ElementsAre(0, 1)) << "the file's node 1";
    EXPECT_THAT(nodes[0].value, testing::ElementsAre(1, 2));
    EXPECT_EQ(nodes[0].weight, 3);
    EXPECT_EQ(ensemble.trees[1].nodes.size(), 1U);
}

TEST(BaTreesText, RoundTripIsExact) {
    const std::string text = write(small());
    EXPECT_THAT(text, StartsWith("DATASET_NAME: a set\nENSEMBLE: RF\nNB_TREES: 2\n"));
    EXPECT_THAT(text, HasSubstr("\n1 IN 2 3 0 -0.0025 1 -1\n"));
    EXPECT_EQ(parse_model(text, "again"), small());
    EXPECT_EQ(write(parse_model(text, "again")), text);
}

TEST(BaTreesText, ThresholdsKeepEveryBit) {
    for (const double threshold : {std::nextafter(0.1, 1.0), 5e-324, -1.7976931348623157e308, 0.1 + 0.2, -0.0}) {
        model::Ensemble ensemble = small();
        ensemble.trees[0].nodes[0].question.threshold = threshold;
        const double back = parse_model(write(ensemble), "again").trees[0].nodes[0].question.threshold;
        EXPECT_EQ(back, threshold);
        EXPECT_EQ(std::signbit(back), std::signbit(threshold));
    }
}

TEST(BaTreesText, TheSixtyForests) {
    std::size_t forests = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(REGROVE_TEST_DATA "/ba_trees/forests")) {
        if (!entry.is_regular_file()) continue;
        SCOPED_TRACE(entry.path().string());
        ++forests;
        const model::Ensemble forest = read_model(entry.path().string());
        EXPECT_EQ(forest.trees.size(), 10U);
        std::uint32_t deepest = 0;
        for (const model::Tree& tree : forest.trees) deepest = std::max(deepest, tree.depth());
        EXPECT_EQ(deepest, 3U);
        EXPECT_TRUE(
            forest.provenance.at("ba_trees.dataset").starts_with(entry.path().parent_path().filename().string()));
        EXPECT_EQ(parse_model(write(forest), "again"), forest);
        EXPECT_EQ(parse_model(write_model(forest), "again"), forest) << "as regrove-json";
    }
    EXPECT_EQ(forests, 60U);
}

TEST(BaTreesText, EveryTruncationIsRefused) {
    for (std::size_t size = 0; size + 2 < k_small.size(); ++size)
        EXPECT_THAT(refusal(k_small.substr(0, size)), StartsWith("forest.txt:")) << size;
    EXPECT_THAT(refusal(k_small.substr(0, k_small.find("4 LN"))),
                HasSubstr("forest.txt:15:1: the file ends where a node should be"));
}

TEST(BaTreesText, ErrorsNameFileLineAndColumn) {
    EXPECT_EQ(refusal(with("NB_TREES: 2", "NB_TREES: two")),
              "forest.txt:3:11: expected the number of trees, a whole number of 1 to 1000000, found 'two'");
    EXPECT_THAT(refusal(with("NB_FEATURES: 3", "NB_CLASSES: 3")),
                HasSubstr("forest.txt:4:1: expected 'NB_FEATURES:', found 'NB_CLASSES:'"));
    EXPECT_THAT(refusal(with("NB_FEATURES: 3", "NB_FEATURES: 2")),
                HasSubstr("forest.txt:11:10: expected the feature, a whole number of 0 to 1, found '2'"));
    EXPECT_THAT(refusal(with("NB_TREES: 2", "NB_TREES: 3")), HasSubstr("the file ends where '[TREE' should be"));
    EXPECT_THAT(refusal(with("NB_TREES: 2", "NB_TREES: 1")), HasSubstr("forest.txt:17:1: the file goes on after"));
    EXPECT_THAT(refusal(with("[TREE 1]", "[TREE 2]")), HasSubstr("forest.txt:17:7: expected '1]', found '2]'"));
    EXPECT_THAT(refusal(with("NB_NODES: 5", "NB_NODES: 6")),
                HasSubstr("expected the number of a node, a whole number of 0 to 5, found '[TREE'"));
    EXPECT_THAT(refusal(with("NB_NODES: 5", "NB_NODES: 500000000")),
                HasSubstr("forest.txt:10:11: expected the number"));
    EXPECT_THAT(refusal(with("2 LN", "3 LN")), HasSubstr("forest.txt:14:1: node 3 stands twice"));
    EXPECT_THAT(refusal(with("2 LN", "2 XN")),
                HasSubstr("forest.txt:13:3: expected IN (an inner node) or LN (a leaf)"));
    EXPECT_THAT(refusal(with("-2.5e-3", "nan")),
                HasSubstr("forest.txt:14:12: expected the threshold, a finite number"));
    EXPECT_THAT(refusal(with("-2.5e-3", "1e999")), HasSubstr("found '1e999'"));
    EXPECT_THAT(refusal(with("0.1 0 -1", "0.1 0 1")), HasSubstr("the class of an inner node, -1"));
    EXPECT_THAT(refusal(with("-1 -1 -1 -1 1 1", "-1 -1 -1 -1 1 2")),
                HasSubstr("forest.txt:12:20: expected the class"));
    EXPECT_THAT(refusal(with("1 LN -1 -1 -1 -1", "1 LN -1 -1 0 -1")), HasSubstr("the feature of a leaf, -1"));
}

TEST(BaTreesText, WhatIsNoTreeIsRefused) {
    EXPECT_THAT(refusal(with("3 IN 4 2", "3 IN 0 2")), HasSubstr("forest.txt:11:1: the node has two parents"));
    EXPECT_THAT(refusal(with("3 IN 4 2", "3 IN 2 2")), HasSubstr("forest.txt:13:1: the node has two parents"));
    EXPECT_THAT(refusal(with("0 IN 3 1 2 0.1 0 -1", "0 LN -1 -1 -1 -1 0 1")), HasSubstr("node 1 has no parent"));
    EXPECT_THAT(refusal(with("-1 -1 1 1\n", "-1 -1 2 1\n")),
                HasSubstr("forest.txt:12:1: the node lies in depth 1, but says 2"));
    EXPECT_THAT(refusal(with("MAX_TREE_DEPTH: 2", "MAX_TREE_DEPTH: 1")), HasSubstr("the depth of the node"));
}

TEST(BaTreesText, CorruptedInputNeverCrashes) {
    std::size_t refused = 0;
    for (std::size_t at = 0; at < k_small.size(); ++at) {
        for (const char wrong : {'9', '-', '\xff', '\0'}) {
            std::string damaged = k_small;
            damaged[at] = wrong;
            const std::string message = refusal(damaged);
            if (message == "accepted") continue;
            ++refused;
            ASSERT_THAT(message, StartsWith("forest.txt:")) << at;
        }
    }
    EXPECT_GT(refused, k_small.size());
}

TEST(BaTreesText, OtherLineEndsAndBlanks) {
    std::string text;
    for (const char c : k_small) {
        if (c == '\n') text += " \r";
        text += c;
    }
    EXPECT_EQ(parse_model(text, "forest.txt"), small());
    while (text.back() == '\n' || text.back() == '\r' || text.back() == ' ') text.pop_back();
    EXPECT_EQ(parse_model(text, "forest.txt"), small());
}

TEST(BaTreesText, WhatItCannotHold) {
    using model::Ensemble;
    const auto question = [](Ensemble& e) -> model::Question& { return e.trees[0].nodes[1].question; };
    EXPECT_THAT(write_refusal([&](Ensemble& e) { question(e).missing_side = question(e).heavier_side = {}; }),
                HasSubstr("tree 0, node 1: a missing value goes left"));
    EXPECT_THAT(write_refusal([](Ensemble& e) { e.combination = model::Combination::mean; }), HasSubstr("averaged"));
    EXPECT_THAT(write_refusal([](Ensemble& e) { e.tree_weights = {1, 2}; }), HasSubstr("its trees have weights"));
    EXPECT_THAT(write_refusal([](Ensemble& e) { e.features[0].precision = model::NumericPrecision::float32; }),
                HasSubstr("tree 0, node 1: 'f0' is rounded to float32"));
    EXPECT_THAT(write_refusal([&](Ensemble& e) { question(e).threshold = INFINITY; }), HasSubstr("is missing"));
    EXPECT_THAT(write_refusal([&](Ensemble& e) {
                    model::Surrogate surrogate;
                    surrogate.feature = FeatureId{1};
                    question(e).surrogates = {surrogate};
                }),
                HasSubstr("a question with surrogates"));
    EXPECT_THAT(write_refusal([](Ensemble& e) { e.provenance["ba_trees.dataset"] = "two\nlines"; }),
                HasSubstr("more than one line"));
    for (const auto& [name, ensemble] :
         {NamedModel{"categories", sample_classifier()}, {"numbers", sample_regressor()}})
        EXPECT_THROW(static_cast<void>(write(ensemble)), FormatError) << name;
}

/// One tree is as good as its vote, however it is combined; equal weights are none.
TEST(BaTreesText, WhatItHoldsUnderAnotherName) {
    EXPECT_EQ(write_refusal([](model::Ensemble& e) { e.tree_weights = {1, 1}; }), "accepted");
    EXPECT_EQ(write_refusal([](model::Ensemble& e) {
                  e.trees.pop_back();
                  e.combination = model::Combination::mean;
                  e.tree_weights = {3};
              }),
              "accepted");
    model::Ensemble ensemble = small();
    ensemble.trees[0].nodes[2].value = {2, 2};
    EXPECT_THAT(write(ensemble), HasSubstr("\n2 LN -1 -1 -1 -1 2 0\n")) << "ties go to the smaller class";
}

}  // namespace
}  // namespace regrove::formats
