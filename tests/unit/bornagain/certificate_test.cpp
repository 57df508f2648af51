// Certificates: what they say, and that nothing that varies with the run is in them.
#include "regrove/bornagain/certificate.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regrove/core/sha256.hpp"

namespace regrove::bornagain {
namespace {

RebornResult stump_result() {
    RebornResult result;
    result.tree.nodes = {{0, 0, 2, 0}, {CellNode::k_leaf, 0, 0, 0}, {CellNode::k_leaf, 0, 0, 1}};
    result.value = 2;
    result.lower_bound = 2;
    result.depth_bound = 1;
    result.figures.states = 77;
    return result;
}

CertificateFacts facts() {
    CertificateFacts facts;
    facts.ensemble_text = "the ensemble\n";
    facts.ensemble_trees = 3;
    facts.tree_text = "the tree\n";
    facts.verified = Verified::yes;
    return facts;
}

nlohmann::json certificate(const RebornResult& result, const RebornOptions& options) {
    return nlohmann::json::parse(certificate_text(result, options, cellspace::UnseenValues::outside, facts()));
}

TEST(Certificate, SaysWhatIsClaimedOfWhat) {
    RebornOptions options;
    options.objective = Objective::leaves;
    const auto json = certificate(stump_result(), options);
    EXPECT_EQ(json["objective"], "leaves");
    EXPECT_EQ(json["value"], 2);
    EXPECT_EQ(json["lower_bound"], 2);
    EXPECT_EQ(json["optimal"], true);
    EXPECT_EQ(json["ended"], "optimal");
    EXPECT_EQ(json["depth"], 1);
    EXPECT_EQ(json["leaves"], 2);
    EXPECT_EQ(json["verified"], "yes");
    EXPECT_EQ(json["support"], "all");
    EXPECT_EQ(json["unseen_values"], "outside");
    EXPECT_EQ(json["ensemble"]["sha256"], sha256_hex("the ensemble\n"));
    EXPECT_EQ(json["ensemble"]["trees"], 3);
    EXPECT_EQ(json["tree"]["sha256"], sha256_hex("the tree\n"));
    EXPECT_FALSE(json.contains("seed"));
    EXPECT_FALSE(json.contains("data_content_hash"));
}

TEST(Certificate, BytesDoNotDependOnTheFiguresOfTheRun) {
    RebornResult other = stump_result();
    other.figures = {1000, 2000, 3000, 4, 3};
    const auto unseen = cellspace::UnseenValues::inside;
    EXPECT_EQ(certificate_text(stump_result(), {}, unseen, facts()), certificate_text(other, {}, unseen, facts()));
}

TEST(Certificate, AGapIsNotOptimal) {
    RebornResult result = stump_result();
    result.lower_bound = 1;
    result.ended = Ended::stopped;
    RebornOptions options;
    options.support = Support::rows;
    options.supported_cells = {0, 1};
    const auto json = certificate(result, options);
    EXPECT_EQ(json["optimal"], false);
    EXPECT_EQ(json["ended"], "stopped");
    EXPECT_TRUE(json.contains("data_content_hash"));
    EXPECT_NE(json["claim"], certificate(result, {})["claim"]);
}

TEST(Certificate, DepthLeavesNeedsTheLeastDepthToo) {
    RebornResult result = stump_result();
    EXPECT_TRUE(is_optimal(result, Objective::depth_leaves));
    result.depth_bound = 0;
    EXPECT_FALSE(is_optimal(result, Objective::depth_leaves));
    EXPECT_TRUE(is_optimal(result, Objective::leaves));
}

TEST(Certificate, TheHeuristicNamesItsSeed) {
    RebornOptions options;
    options.objective = Objective::heuristic;
    const auto json = certificate(stump_result(), options);
    EXPECT_EQ(json["heuristic_samples"], 1000);
    EXPECT_EQ(json["seed"], 0);
}

TEST(CertificatePath, StandsBesideTheTree) {
    EXPECT_EQ(default_certificate_path("out/T.json"), "out/T.certificate.json");
    EXPECT_EQ(default_certificate_path("tree"), "tree.certificate.json");
    EXPECT_EQ(default_certificate_path(".json"), ".json.certificate.json");
}

}  // namespace
}  // namespace regrove::bornagain
