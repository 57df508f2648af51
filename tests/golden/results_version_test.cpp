// Result bytes stay the same as long as results_version does: pinned hashes of models, predictions and tables.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "regrove/core/hash.hpp"
#include "regrove/core/version.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

/// The results_version that the hashes below belong to.
constexpr int k_pinned_version = 2;

/// A command whose output file has this hash (XXH3, 128 bits).
struct Pinned {
    const char* name;
    const char* words;  ///< @ stands for the folder of the test tables; the output is called result
    const char* hash;
};

constexpr std::array k_pinned = {
    Pinned{"gini_tree", "train --method cart --data @/wdbc_train.csv --target diagnosis --output result",
           "58b68097ce45c4bd6846217dbe6370f1"},
    Pinned{"entropy_tree",
           "train --method cart --objective entropy --max-depth 5 --data @/wdbc_train.csv --target diagnosis"
           " --output result",
           "408a2a4e4937dfb8b677d22d889ef2db"},
    Pinned{"tree_of_a_table_with_missing_values",
           "train --method cart --missing-split surrogate --data @/cleveland.csv --target disease --output result",
           "276a528d73786a4accf889ff3ff5a998"},
    Pinned{"regression_tree_with_categories",
           "train --method cart --objective squared_error --data @/golf_players_14.csv --target Num_Players --output "
           "result",
           "625d152213d3c94b52b1789d578ead7e"},
    Pinned{"weighted_entropy_tree",
           "train --method cart --objective entropy --class-weight balanced --max-leaves 9 --data @/cleveland.csv"
           " --target disease --output result",
           "46b7e5241a4e16a8d8bfd5dd9ead7f1b"},
    Pinned{
        "forest_by_histogram",
        "train --method forest --trees 3 --seed 5 --max-bin 63 --data @/wdbc_train.csv --target diagnosis --output "
        "result",
        "59b1ccd732ededc0f792fce16ce7f49b"},
    Pinned{"forest_by_exact_thresholds_with_majority_vote",
           "train --method forest --trees 3 --seed 5 --split-points exact --vote majority --max-features p/2 "
           "--missing-split separate --data @/cleveland.csv --target disease --output result",
           "6cbe57c8e61f366ff9b2aefe57ddac4c"},
    Pinned{"extra_random_forest",
           "train --method forest --trees 3 --seed 5 --extra-random --bootstrap=no --split-points exact "
           "--objective entropy --data @/cleveland.csv --target disease --output result",
           "bd92cbc42f8d4db882a001c4f2f339b9"},
    Pinned{"regression_forest",
           "train --method forest --trees 3 --seed 5 --max-depth 6 --subsample 0.3 --max-features 0.3 --data "
           "@/bike_sharing_hour.csv.gz --target cnt --objective squared_error --output result",
           "a1c410c167d27a7f4357fa38dbfa3c58"},
    Pinned{"regression_forest_with_categories",
           "train --method forest --trees 3 --seed 5 --objective squared_error --data @/golf_players_14.csv --target "
           "Num_Players --output result",
           "5a52a71ebcb939a35aafec081804f3ab"},
    Pinned{"out_of_bag_answers",
           "train --method forest --trees 3 --seed 5 --data @/wdbc_train.csv --target diagnosis --output model.json "
           "--oob-predictions result.csv",
           "1a304d25b596a07dedbdde7dc89b39e9"},
    Pinned{"boosted_logistic",
           "train --method boosting --trees 8 --data @/wdbc_train.csv --target diagnosis --output result",
           "4a582ea63eb72eb20804921addc16d99"},
    Pinned{"boosted_best_first_with_sampling",
           "train --method boosting --trees 8 --grow lossguide --num-leaves 6 --subsample 0.7 --colsample-bynode 0.5 "
           "--seed 5 --data @/cleveland.csv --target disease --output result",
           "95c2ab4bcf0c65c2d77e1d2835db2d16"},
    Pinned{"boosted_symmetric_poisson",
           "train --method boosting --trees 8 --grow symmetric --max-depth 3 --objective poisson --data "
           "@/bike_sharing_hour.csv.gz --target cnt --output result",
           "2d0572c196a4246a3ee6fb279a997b3f"},
    Pinned{"boosted_dart_with_categories",
           "train --method boosting --trees 8 --dart --drop-rate 0.3 --skip-drop 0 --seed 5 --objective "
           "absolute_error --data @/golf_players_14.csv --target Num_Players --output result",
           "a366205d006f7eba5c0727a28059fa4b"},
    Pinned{"boosted_softmax",
           "train --method boosting --trees 4 --data @/letter.csv.gz --target lettr --max-depth 4 --output result",
           "99561ef60b21a6ce67cef05f8ed0b70f"},
    Pinned{"boosted_exact_split_points",
           "train --method boosting --trees 4 --split-points exact --data @/cleveland.csv --target disease --output "
           "result",
           "625dcd9b1d00dabecf48c8a2e969f6f4"},
    Pinned{"higgs_like_table", "generate --kind higgs-like --rows 500 --seed 7 --output result.csv",
           "ee65c507d6e5838f293794e16440ee74"},
    Pinned{"friedman1_table", "generate --kind friedman1 --rows 500 --seed 7 --output result.csv",
           "e43c482fc3234e5182f0028c47d9bfb0"},
    Pinned{"mixed_table", "generate --kind mixed --rows 500 --seed 7 --output result.csv",
           "a29ec631d43614275e216fe7b37a38ca"},
};

class ResultsVersion : public CliTest, public testing::WithParamInterface<Pinned> {
  protected:
    std::string words() const {
        std::string text = GetParam().words;
        for (auto at = text.find('@'); at != std::string::npos; at = text.find('@')) {
            text.replace(at, 1, std::string(REGROVE_TEST_DATA) + "/tables");
        }
        return text;
    }
    std::string result() const { return read(exists("result.csv") ? "result.csv" : "result"); }
};

TEST_P(ResultsVersion, KeepsItsBytes) {
    const Outcome outcome = regrove(words());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(to_hex(hash_bytes(result())), GetParam().hash)
        << "The bytes of '" << GetParam().name
        << "' have changed. If that was not meant, it is a bug. If it was, raise "
        << "k_results_version in include/regrove/core/version.hpp, pin the new hashes and k_pinned_version here, and "
        << "say in CHANGELOG.md what changed (docs/determinism.md).";
}

INSTANTIATE_TEST_SUITE_P(Golden, ResultsVersion, testing::ValuesIn(k_pinned),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(PinnedHashes, BelongToThisResultsVersion) {
    EXPECT_EQ(k_pinned_version, k_results_version)
        << "k_results_version was raised: pin the hashes of this file anew and set k_pinned_version to it.";
}

}  // namespace
}  // namespace regrove::test
