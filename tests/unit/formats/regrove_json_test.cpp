// The bytes of regrove-json, its exact numbers, and the place that each error names.
#include <bit>
#include <cmath>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/formats/registry.hpp"

#include "unit/formats/sample_models.hpp"

namespace regrove::formats {
namespace {

using testing::HasSubstr;

model::Ensemble two_leaves(double threshold, double value) {
    model::EnsembleBuilder builder;
    builder.task(model::Task::regression, "y", {}).features({{"x", {}, model::NumericPrecision::float64, {}}});
    model::Question question = sample_threshold(0, threshold);
    question.training_high = INFINITY;
    model::Tree tree{{sample_inner(question, 1, 2), sample_leaf({value}, 1), sample_leaf({1}, 2)}};
    tree.nodes[0].value = {0.5};
    builder.add_tree(tree);
    return std::move(builder).build();
}

/// write_model(two_leaves(0.5, -1)) with `from` replaced by `to`, which must occur.
std::string with(const std::string& from, const std::string& to) {
    std::string text = write_model(two_leaves(0.5, -1));
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("not in the file: " + from);
    return text.replace(at, from.size(), to);
}

void expect_refused(const std::string& text, const std::string& words) {
    try {
        parse_model(text, "m.json");
        ADD_FAILURE() << "accepted, expected: " << words;
    } catch (const FormatError& error) {
        EXPECT_THAT(error.what(), HasSubstr(words));
        EXPECT_THAT(error.what(), testing::StartsWith("m.json:"));
    }
}

TEST(RegroveJson, BytesForPeople) {
    EXPECT_EQ(write_model(two_leaves(0.5, -1)),
              R"({
"format": "regrove-json",
"version": 1,
"results_version": 2,
"task": "regression",
"label": "y",
"classes": [],
"provenance": {},
"features": [
{"name": "x", "kind": "numeric", "precision": "float64", "categories": []}
],
"trees": [
{"nodes": [
{"id": 0, "feature": "x", "threshold": 0.5, "training_low": "-inf", "training_high": "inf", "surrogates": [], )"
              R"("missing_side": "left", "missing_seen": false, "heavier_side": "left", "left": 1, "right": 2, )"
              R"("gain": 0.30000000000000004, "ties_cutting_differently": 3, "ties_cutting_alike": 1, )"
              R"("rows": 18446744073709551615, "weight": 1e+22, "impurity": 0.48, "value": [0.5]},
{"id": 1, "rows": 1, "weight": 0.1, "impurity": 0.3333333333333333, "value": [-1]},
{"id": 2, "rows": 2, "weight": 0.2, "impurity": 0.3333333333333333, "value": [1]}
]}
]
}
)");
}

TEST(RegroveJson, NumbersKeepTheirBits) {
    for (const double x :
         {0.0, -0.0, 1.0, 0.1, 5e-324, 2.2250738585072011e-308, -1.7976931348623157e308, 9007199254740993.0,
          18446744073709551616.0, 1e22, 123456789012345680.0, 0x1.fffffffffffffp-1}) {
        const auto back = parse_model(write_model(two_leaves(x, x)), "m.json");
        EXPECT_EQ(std::bit_cast<std::uint64_t>(back.trees[0].nodes[0].question.threshold),
                  std::bit_cast<std::uint64_t>(x));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(back.trees[0].nodes[1].value[0]), std::bit_cast<std::uint64_t>(x));
    }
    EXPECT_TRUE(
        std::isinf(parse_model(write_model(two_leaves(INFINITY, 0)), "m").trees[0].nodes[0].question.threshold));
}

TEST(RegroveJson, SpacingAndKeyOrderDoNotMatter) {
    EXPECT_EQ(parse_model(with("{\n\"format\": \"regrove-json\",\n\"version\": 1",
                               "\n {\"version\":1,\"format\"  :\n\"regrove-json\""),
                          "m.json"),
              two_leaves(0.5, -1));
}

TEST(RegroveJson, VersionsAndFormat) {
    expect_refused(with("\"version\": 1", "\"version\": 3"), "version: version 3 is unknown");
    expect_refused(with("\"version\": 1", "\"version\": 0"), "version 0 is unknown");
    expect_refused(with("\"version\": 1", "\"version\": \"1\""), "version: expected a whole number");
    expect_refused(with("\"results_version\": 2", "\"results_version\": -1"), "results_version: expected a whole");
}

TEST(RegroveJson, KeysAreDemandedAndOthersRefused) {
    expect_refused(with("\"label\": \"y\",\n", ""), "m.json: key 'label' is missing");
    expect_refused(with("\"label\"", "\"lable\": 1, \"label\""), "m.json: unknown key 'lable'");
    expect_refused(with("\"kind\"", "\"Kind\": 1, \"kind\""), "features[0]: unknown key 'Kind'");
    expect_refused(with("\"gain\": 0.30000000000000004, ", ""), "trees[0].nodes[0]: key 'gain' is missing");
    expect_refused(with("{\"id\": 1", "{\"gain\": 1, \"id\": 1"), "trees[0].nodes[1]: unknown key 'gain'");
    expect_refused(with("{\"id\": 1", "{\"threshold\": 1, \"id\": 1"), "trees[0].nodes[1]: unknown key 'threshold'");
    expect_refused(with("\"left\": 1", "\"left\": 1, \"left\": 1"), "key 'left' stands twice");
}

TEST(RegroveJson, ValuesOfTheWrongType) {
    expect_refused(with("\"threshold\": 0.5", "\"threshold\": \"half\""),
                   "trees[0].nodes[0].threshold: expected a number");
    expect_refused(with("\"threshold\": 0.5", "\"threshold\": null"), "expected a number, found null");
    expect_refused(with("\"missing_seen\": false", "\"missing_seen\": 0"), "missing_seen: expected true or false");
    expect_refused(with("\"missing_side\": \"left\"", "\"missing_side\": \"up\""), "'up' is none of: left, right");
    expect_refused(with("\"task\": \"regression\"", "\"task\": \"ranking\""), "task: 'ranking' is none of");
    expect_refused(with("\"rows\": 1,", "\"rows\": -1,"), "trees[0].nodes[1].rows: expected a whole number");
    expect_refused(with("\"left\": 1", "\"left\": 4294967297"), "nodes[0].left: number 4294967297 is too large");
    expect_refused(with("\"provenance\": {}", "\"provenance\": {\"seed\": 1}"), "provenance.seed: expected text");
    expect_refused(with("\"classes\": []", "\"classes\": {}"), "classes: expected a list");
    expect_refused(with("\"trees\": [\n{", "\"trees\": [\n1, {"), "trees[0]: expected an object");
}

TEST(RegroveJson, MeaningIsChecked) {
    expect_refused(with("\"id\": 2", "\"id\": 3"), "trees[0].nodes[2].id: expected 2");
    expect_refused(with("\"feature\": \"x\"", "\"feature\": \"z\""), "nodes[0].feature: 'z' is no feature");
    expect_refused(with("\"value\": [-1]", "\"value\": [-1, 2]"), "tree 0, node 1: value has 2 numbers, expected 1");
    expect_refused(with("\"value\": [-1]", "\"value\": [\"inf\"]"), "tree 0, node 1: value must be finite");
    expect_refused(with("\"right\": 2", "\"right\": 1"), "tree 0, node 1: the nodes are not in pre-order");
    expect_refused(with("\"threshold\": 0.5", "\"threshold\": \"-inf\""), "tree 0, node 0: threshold");
}

TEST(RegroveJson, CombinationOfVotes) {
    model::Ensemble voters = sample_voters();
    const std::string text = write_model(voters);
    EXPECT_THAT(text, HasSubstr("\"combination\": \"majority\",\n"));
    EXPECT_EQ(parse_model(text, "m.json").combination, model::Combination::majority);
    voters.combination = model::Combination::mean;
    std::string mean = write_model(voters);
    EXPECT_THAT(mean, testing::Not(HasSubstr("combination"))) << "the mean needs no word";
    EXPECT_EQ(parse_model(mean, "m.json"), voters);
    mean.insert(mean.find("\"provenance\""), "\"combination\": \"mean\",\n");
    EXPECT_EQ(parse_model(mean, "m.json"), voters);
    mean.replace(mean.find("\"mean\""), 6, "\"most\"");
    expect_refused(mean, "combination: 'most' is none of: mean, majority");
}

TEST(RegroveJson, WeightsOfTrees) {
    const model::Ensemble weighed = sample_weighed_voters();
    const std::string text = write_model(weighed);
    EXPECT_THAT(text, HasSubstr("\"tree_weights\": [0.1, 3],\n"));
    EXPECT_EQ(parse_model(text, "m.json"), weighed);
    EXPECT_THAT(write_model(sample_voters()), testing::Not(HasSubstr("tree_weights"))) << "equal trees need no word";
    const auto changed = [&](const std::string& list) {
        std::string bad = text;
        return bad.replace(bad.find("[0.1, 3]"), 8, list);
    };
    expect_refused(changed("[0.1]"), "m.json: there are 1 tree weights for 2 trees");
    expect_refused(changed("[0.1, 0]"), "m.json: tree 1: its weight must be finite and above zero");
    expect_refused(changed("[0.1, null]"), "tree_weights[1]: expected a number, found null");
    expect_refused(changed("3"), "tree_weights: expected a list");
}

TEST(RegroveJson, FeaturesByPosition) {
    const std::string text = write_model(sample_numbered_voters());
    EXPECT_THAT(text, HasSubstr("\"features_by_position\": true,\n"));
    EXPECT_THAT(write_model(sample_voters()), testing::Not(HasSubstr("features_by_position")));
    std::string other = text;
    other.replace(other.find("true,"), 4, "false");
    EXPECT_FALSE(parse_model(other, "m.json").features_by_position);
    other.replace(other.find("false,"), 5, "0");
    expect_refused(other, "features_by_position: expected true or false");
}

TEST(RegroveJson, CategoriesByName) {
    const std::string text = write_model(sample_classifier());
    EXPECT_THAT(text, HasSubstr("\"right_categories\": [\"Z\xc3\xbcrich 67\"]"));
    std::string unknown = text;
    unknown.replace(unknown.find("rich 67\"], \"seen"), 7, "rich 99");
    expect_refused(unknown, "trees[0].nodes[0].right_categories[0]: 'Z\xc3\xbcrich 99' is no category");
    std::string twice = text;
    twice.replace(twice.find("Z\xc3\xbcrich 1\", \"Z\xc3\xbcrich 3", twice.find("seen")), 9, "Z\xc3\xbcrich 0");
    expect_refused(twice, "seen_categories[1]: category stands twice");
}

/// Two questions for the same 20 of 40 categories, and one for 16 of them.
model::Ensemble with_long_sets() {
    model::Ensemble ensemble;
    ensemble.task = model::Task::regression;
    ensemble.label_name = "y";
    for (const char* name : {"place", "town"}) {
        model::Feature feature;
        feature.name = name;
        feature.kind = model::FeatureKind::category;
        for (int c = 0; c < 40; ++c) feature.categories.push_back("c" + std::to_string(c));
        ensemble.features.push_back(feature);
    }
    for (const auto& [feature, count] : {std::pair(0U, 20U), {0U, 20U}, {0U, 16U}, {1U, 20U}, {1U, 20U}}) {
        model::Tree tree;
        tree.nodes.resize(3);
        model::Question& question = tree.nodes[0].question;
        question.kind = model::QuestionKind::category;
        question.feature = FeatureId{feature};
        question.right_categories = {(std::uint64_t{1} << count) - 1};
        question.seen_categories = {(std::uint64_t{1} << 40U) - 1};
        tree.nodes[0].left = NodeId{1};
        tree.nodes[0].right = NodeId{2};
        for (model::Node& node : tree.nodes) node.value = {1.0};
        ensemble.trees.push_back(tree);
    }
    return ensemble;
}

TEST(RegroveJson, LongSetsStandOnce) {
    const model::Ensemble ensemble = with_long_sets();
    const std::string text = write_model(ensemble);
    EXPECT_EQ(parse_model(text, "m.json"), ensemble);
    EXPECT_THAT(text, HasSubstr("\"version\": 2,"));
    EXPECT_THAT(text, HasSubstr("\"right_categories\": 0, \"seen_categories\": 1"));
    EXPECT_THAT(text, HasSubstr("\"right_categories\": 2, \"seen_categories\": 3"));
    EXPECT_THAT(text, HasSubstr("\"right_categories\": [\"c0\", \"c1\"")) << "short sets stay where they are";
    EXPECT_THAT(write_model(sample_classifier()), testing::Not(HasSubstr("category_sets")));
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string bad = text;
        return bad.replace(bad.find(from, bad.find("category_sets")), from.size(), to);
    };
    expect_refused(changed("\"right_categories\": 0", "\"right_categories\": 4"),
                   "trees[0].nodes[0].right_categories: the file has no set of that number (category_sets has 4)");
    expect_refused(changed("\"right_categories\": 0", "\"right_categories\": 2"),
                   "trees[0].nodes[0].right_categories: that set is of another feature");
    expect_refused(changed("\"right_categories\": 0", "\"right_categories\": -1"), "expected a whole number");
    expect_refused(changed("\"c1\", \"c2\"", "\"c1\", \"c1\""),
                   "category_sets[0].categories[2]: category stands twice");
}

TEST(RegroveJson, DamagedJsonNamesLineAndColumn) {
    expect_refused(with("\"task\": \"regression\"", "\"task\": regression"), "m.json:5:9: damaged or truncated JSON");
    expect_refused(with("\"weight\": 1e+22", "\"weight\": 1e999"), "damaged JSON: number overflow");
}

TEST(RegroveJson, NamesMustBeUtf8) {
    model::Ensemble ensemble = two_leaves(0.5, 1);
    ensemble.label_name = "caf\xe9";
    try {
        write_model(ensemble);
        ADD_FAILURE() << "accepted";
    } catch (const FormatError& error) {
        EXPECT_THAT(error.what(), HasSubstr("is not valid UTF-8"));
    }
}

TEST(RegroveJson, WritesValidModelsOnly) {
    model::Ensemble ensemble = two_leaves(0.5, 1);
    ensemble.trees[0].nodes[1].value = {NAN};
    EXPECT_THROW(write_model(ensemble), FormatError);
}

TEST(RegroveJson, SumsOfTrees) {
    const model::Ensemble boosted = sample_boosted();
    const std::string text = write_model(boosted);
    EXPECT_THAT(text, HasSubstr("\"combination\": \"sum\",\n\"link\": \"softmax\",\n\"initial_scores\": [0.1, -2, "
                                "-0.0],\n\"tree_outputs\": [0, 1, 2, 0],\n"));
    EXPECT_EQ(parse_model(text, "m.json"), boosted);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string bad = text;
        return bad.replace(bad.find(from), from.size(), to);
    };
    expect_refused(changed("[0.1, -2, -0.0]", "[0.1, -2]"), "m.json: there are 2 initial scores for 3 raw scores");
    expect_refused(changed("\"softmax\"", "\"probit\""), "link: 'probit' is none of: identity, logistic, softmax");
    expect_refused(changed("[0, 1, 2, 0]", "[0, 1, 2, 3]"), "m.json: tree 3: adds to score 3");
    expect_refused(changed("[0, 1, 2, 0]", "[0, 1, 2, -1]"), "tree_outputs[3]: expected a whole number");
    expect_refused(changed("\"link\": \"softmax\",\n", ""), "key 'link' is missing");
    expect_refused(changed("\"combination\": \"sum\",\n", ""), "link: only a model with");
    expect_refused(changed("\"sum\"", "\"mean\""), "link: only a model with");
}

TEST(RegroveJson, SumOfOneScoreNeedsNoTreeOutputs) {
    model::Ensemble ensemble = two_leaves(0.5, -1);
    ensemble.combination = model::Combination::sum;
    ensemble.link = model::Link::exponential;
    ensemble.initial_scores = {0.25};
    const std::string text = write_model(ensemble);
    EXPECT_THAT(text, HasSubstr("\"link\": \"exponential\",\n\"initial_scores\": [0.25],\n\"provenance\""));
    EXPECT_EQ(parse_model(text, "m.json"), ensemble);
}

}  // namespace
}  // namespace regrove::formats
