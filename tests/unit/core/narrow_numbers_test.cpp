// Narrow columns give back every bit, in the width that the widest number asks for.
#include "regrove/core/narrow_numbers.hpp"

#include <bit>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace regrove {
namespace {

void expect_given_back(const std::vector<double>& numbers, std::size_t bytes) {
    const NarrowNumbers kept{std::span<const double>(numbers)};
    ASSERT_EQ(kept.size(), numbers.size());
    EXPECT_EQ(kept.bytes_a_number(), bytes);
    const std::vector<double> all = kept.all();
    std::vector<double> backwards(numbers.size());
    kept.gather(backwards, [&](std::size_t i) { return numbers.size() - 1 - i; });
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto bits = std::bit_cast<std::uint64_t>(numbers[i]);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(all[i]), bits) << i;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(kept[i]), bits) << i;
        ASSERT_EQ(std::bit_cast<std::uint64_t>(backwards[numbers.size() - 1 - i]), bits) << i;
    }
}

TEST(NarrowNumbers, TakeTheWidthOfTheWidest) {
    expect_given_back({}, 1);
    expect_given_back({0, 1, 255}, 1);
    expect_given_back({0, 1, 256}, 4);
    expect_given_back({-1}, 4);
    expect_given_back({0.5, 16777216, 3.4028234663852886e38, -1.401298464324817e-45}, 4);
    expect_given_back({0.5, 16777217}, 8);
    expect_given_back({0.1}, 8);
    expect_given_back({1e39}, 8);
    expect_given_back({std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}, 8);
}

TEST(NarrowNumbers, KeepTheSignOfZero) { expect_given_back({0.0, -0.0}, 4); }

TEST(NarrowNumbers, OneWideNumberFarBehindWidensAll) {
    std::vector<double> numbers(200000, 7);
    expect_given_back(numbers, 1);
    numbers.back() = 0.25;
    expect_given_back(numbers, 4);
    numbers[70000] = 0.3;
    expect_given_back(numbers, 8);
}

TEST(NarrowNumbers, ClassesAreTakenAsTheyAre) {
    const std::vector<std::uint32_t> few{3, 0, 255};
    const std::vector<std::uint32_t> many{3, 16777215};
    const std::vector<std::uint32_t> most{3, 16777217, 4294967295U};
    EXPECT_EQ(NarrowNumbers(std::span(few)).bytes_a_number(), 1U);
    EXPECT_EQ(NarrowNumbers(std::span(many)).bytes_a_number(), 4U);
    EXPECT_EQ(NarrowNumbers(std::span(most)).bytes_a_number(), 8U);
    EXPECT_EQ(NarrowNumbers(std::span(few)).all(), (std::vector<double>{3, 0, 255}));
    EXPECT_EQ(NarrowNumbers(std::span(many)).all(), (std::vector<double>{3, 16777215}));
    EXPECT_EQ(NarrowNumbers(std::span(most)).all(), (std::vector<double>{3, 16777217, 4294967295.0}));
}

TEST(NarrowNumbers, ReadsAnyPart) {
    const std::vector<double> numbers{1, 2, 3, 4, 5};
    std::vector<double> part(3);
    NarrowNumbers(numbers).read(1, part);
    EXPECT_EQ(part, (std::vector<double>{2, 3, 4}));
    NarrowNumbers().read(0, {});
}

}  // namespace
}  // namespace regrove
