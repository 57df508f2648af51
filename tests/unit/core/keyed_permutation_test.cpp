// Every size is permuted without loss, all orders of a few numbers come equally often, and places do not correlate.
#include "regrove/core/keyed_permutation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace regrove {
namespace {

std::vector<std::uint64_t> order_of(std::uint64_t seed, std::uint64_t stream, std::uint64_t size) {
    const KeyedPermutation permutation(seed, stream, size);
    std::vector<std::uint64_t> order(size);
    for (std::uint64_t i = 0; i < size; ++i) order[i] = permutation(i);
    return order;
}

void expect_bijection(std::uint64_t stream, std::uint64_t size) {
    auto order = order_of(3, stream, size);
    std::vector<std::uint64_t> all(size);
    std::iota(all.begin(), all.end(), 0U);
    std::ranges::sort(order);
    EXPECT_EQ(order, all) << "size " << size;
}

TEST(KeyedPermutation, IsABijectionOfEverySize) {
    for (std::uint64_t size = 1; size <= 200; ++size)
        for (std::uint64_t stream = 0; stream < 3; ++stream) expect_bijection(stream, size);
    for (const std::uint64_t size : {255U, 256U, 257U, 65537U, 100003U, 1U << 17U}) expect_bijection(7, size);
}

TEST(KeyedPermutation, DependsOnSeedAndStreamAlone) {
    const auto order = order_of(1, 2, 50);
    EXPECT_EQ(order, order_of(1, 2, 50));
    EXPECT_NE(order, order_of(2, 2, 50));
    EXPECT_NE(order, order_of(1, 3, 50));
}

TEST(KeyedPermutation, StaysInsideTheLargestRanges) {
    for (const std::uint64_t size : {(1ULL << 40U) + 1, 1ULL << 63U, (1ULL << 62U) + 12345}) {
        const KeyedPermutation permutation(5, 0, size);
        const std::uint64_t first = permutation(0);
        EXPECT_LT(first, size);
        EXPECT_LT(permutation(size - 1), size);
        EXPECT_NE(permutation(size - 1), first);
    }
}

/// Pearson's statistic of the orders of `size` numbers over 200 * size! streams; the mean is size! - 1.
double chi_square_of_orders(std::uint64_t size) {
    std::uint64_t orders = 1;
    for (std::uint64_t i = 2; i <= size; ++i) orders *= i;
    constexpr std::uint64_t k_expected = 200;
    std::map<std::vector<std::uint64_t>, std::uint64_t> counts;
    for (std::uint64_t stream = 0; stream < orders * k_expected; ++stream) ++counts[order_of(11, stream, size)];
    EXPECT_EQ(counts.size(), orders);
    double chi_square = 0;
    for (const auto& [order, count] : counts) {
        const double off = static_cast<double>(count) - k_expected;
        chi_square += off * off / k_expected;
    }
    return chi_square;
}

// The statistic's standard deviation is sqrt(2 (n! - 1)); four of them are allowed.
TEST(KeyedPermutation, AllOrdersOfAFewNumbersComeEquallyOften) {
    for (const auto& [size, freedom] : {std::pair(2, 1.0), {3, 5.0}, {4, 23.0}, {5, 119.0}, {6, 719.0}})
        EXPECT_LT(chi_square_of_orders(static_cast<std::uint64_t>(size)), freedom + 4 * std::sqrt(2 * freedom))
            << "size " << size;
}

// Where the first and the last number go together: Pearson's statistic over all pairs of 16 equal parts of the range.
TEST(KeyedPermutation, PairsFallEverywhereEquallyOften) {
    for (const std::uint64_t size : {272U, 512U, 1008U, 65536U}) {
        constexpr std::uint64_t k_parts = 16;
        constexpr std::uint64_t k_streams = 100000;
        std::vector<double> counts(k_parts * k_parts);
        for (std::uint64_t stream = 0; stream < k_streams; ++stream) {
            const KeyedPermutation permutation(4, stream, size);
            ++counts[permutation(0) * k_parts / size * k_parts + permutation(size - 1) * k_parts / size];
        }
        double chi_square = 0;
        constexpr double k_cells = k_parts * k_parts;
        for (std::uint64_t cell = 0; cell < counts.size(); ++cell) {
            const double width = static_cast<double>(size / k_parts);
            const double others = cell / k_parts == cell % k_parts ? width - 1 : width;
            const double expected =
                k_streams * width * others / (static_cast<double>(size) * (static_cast<double>(size) - 1));
            chi_square += (counts[cell] - expected) * (counts[cell] - expected) / expected;
        }
        EXPECT_LT(chi_square, k_cells - 1 + 4 * std::sqrt(2 * (k_cells - 1))) << "size " << size;
    }
}

/// Correlation of a number with its place, over `streams` orders of `size` numbers.
double correlation(std::uint64_t size, std::uint64_t streams) {
    const double middle = static_cast<double>(size - 1) / 2;
    const double variance = (static_cast<double>(size) * static_cast<double>(size) - 1) / 12;
    double sum = 0;
    for (std::uint64_t stream = 0; stream < streams; ++stream) {
        const KeyedPermutation permutation(2, stream, size);
        for (std::uint64_t i = 0; i < size; ++i)
            sum += (static_cast<double>(i) - middle) * (static_cast<double>(permutation(i)) - middle);
    }
    return sum / (static_cast<double>(size * streams) * variance);
}

TEST(KeyedPermutation, PlacesDoNotFollowNumbers) {
    EXPECT_NEAR(correlation(100, 2000), 0, 4 / std::sqrt(99.0 * 2000));
    EXPECT_NEAR(correlation(1000, 200), 0, 4 / std::sqrt(999.0 * 200));
    EXPECT_NEAR(correlation(100000, 3), 0, 4 / std::sqrt(99999.0 * 3));
}

// A random order of n numbers keeps one in its place on average, with variance 1; so does its steps' count of +1.
TEST(KeyedPermutation, KeepsOneNumberInItsPlaceOnAverage) {
    constexpr std::uint64_t k_streams = 2000;
    double fixed = 0;
    double steps = 0;
    for (std::uint64_t stream = 0; stream < k_streams; ++stream) {
        const auto order = order_of(9, stream, 150);
        for (std::size_t i = 0; i < order.size(); ++i) {
            fixed += order[i] == i ? 1 : 0;
            steps += i > 0 && order[i] == order[i - 1] + 1 ? 1 : 0;
        }
    }
    EXPECT_NEAR(fixed / k_streams, 1, 4 / std::sqrt(static_cast<double>(k_streams)));
    EXPECT_NEAR(steps / k_streams, 149.0 / 150, 4 / std::sqrt(static_cast<double>(k_streams)));
}

}  // namespace
}  // namespace regrove
