// Born-again trees of the ten breast-cancer forests of Vidal and Schiffer 2020 are the smallest ones, fold 3 included, on
// which the authors' program runs out of memory.
#include <gtest/gtest.h>

#include "born_again_check.hpp"

namespace regrove::test {
namespace {

TEST(BornAgainBreastCancer, IsThePublishedOptimum) { BornAgainCheck(born_again_sets().front()).run(); }

}  // namespace
}  // namespace regrove::test
