// Born-again trees of fifty forests of Vidal and Schiffer 2020 are the smallest ones, and score as the forests do.
#include <gtest/gtest.h>

#include "born_again_check.hpp"

namespace regrove::test {
namespace {

class BornAgainValues : public testing::TestWithParam<BornAgainSet> {};

TEST_P(BornAgainValues, AreThePublishedOptima) { BornAgainCheck(GetParam()).run(); }

std::vector<BornAgainSet> fast_sets() {
    std::vector<BornAgainSet> sets = born_again_sets();
    std::erase_if(sets, [](const BornAgainSet& set) { return set.name == "Breast-Cancer-Wisconsin"; });
    return sets;
}

INSTANTIATE_TEST_SUITE_P(Sets, BornAgainValues, testing::ValuesIn(fast_sets()),
                         [](const auto& set) { return set.param.table; });

TEST(BornAgainReferences, AreAllThere) {
    const References references;
    EXPECT_EQ(references.size(), 165U + 50U);
    EXPECT_EQ(references.find("Breast-Cancer-Wisconsin", 3, "D"), nullptr);
    ASSERT_NE(references.find("Pima-Diabetes", 5, "DL minimum"), nullptr);
    EXPECT_EQ(references.find("Pima-Diabetes", 5, "DL minimum")->leaves, 68U);
}

}  // namespace
}  // namespace regrove::test
