// Which known name is taken for a mistyped one.
#include "regrove/core/nearest_name.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace regrove {
namespace {

TEST(NearestName, ByEditDistance) {
    const std::vector<std::string> known{"cholesterol", "age", "stress_test", "sex"};
    EXPECT_EQ(nearest_name("colesterol", known), "cholesterol");
    EXPECT_EQ(nearest_name("Stress-Test", known), "stress_test");
    EXPECT_EQ(nearest_name("Age", known), "age");
    EXPECT_EQ(nearest_name("weight", known), "");
    EXPECT_EQ(nearest_name("", known), "");
    EXPECT_EQ(nearest_name("age", {}), "");
}

TEST(NearestName, SwappedNeighboursCountOnce) {
    EXPECT_EQ(nearest_name("trian", std::vector<std::string>{"draw", "train"}), "train");
    EXPECT_EQ(nearest_name("gae", std::vector<std::string>{"age"}), "age");
    EXPECT_EQ(nearest_name("aeg", std::vector<std::string>{"gea"}), "");
}

TEST(NearestName, TheFirstOfEquals) { EXPECT_EQ(nearest_name("x3", std::vector<std::string>{"x1", "x2"}), "x1"); }

}  // namespace
}  // namespace regrove
