// Numbers in cells: kinds, exact bits, and which of them float32 keeps.
#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "regrove/core/number_text.hpp"
#include "regrove/core/random.hpp"
#include "regrove/ingest/number_cell.hpp"

namespace regrove::ingest {
namespace {

TEST(NumberCell, TellsKindsApart) {
    EXPECT_EQ(read_number("12", '.').kind, NumberKind::integer);
    EXPECT_EQ(read_number("-9223372036854775807", '.').integer, -9223372036854775807LL);
    EXPECT_EQ(read_number("9223372036854775808", '.').kind, NumberKind::big_integer);
    EXPECT_EQ(read_number("+3.5", '.').real, 3.5);
    EXPECT_EQ(read_number(".5", '.').real, 0.5);
    EXPECT_EQ(read_number("5.", '.').real, 5);
    EXPECT_EQ(read_number("007", '.').kind, NumberKind::leading_zero);
    EXPECT_EQ(read_number("-01", '.').kind, NumberKind::leading_zero);
    EXPECT_EQ(read_number("0", '.').kind, NumberKind::integer);
    EXPECT_EQ(read_number("0.5", '.').kind, NumberKind::real);
    EXPECT_EQ(read_number("1e999", '.').kind, NumberKind::overflow);
    EXPECT_EQ(read_number("-Infinity", '.').kind, NumberKind::infinite);
    for (const char* text :
         {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 2", "0x10", "nan", "--1", "+-1", "1,5", "infx"})
        EXPECT_EQ(read_number(text, '.').kind, NumberKind::none) << text;
}

TEST(NumberCell, TakesADecimalComma) {
    EXPECT_EQ(read_number("5,25", ',').real, 5.25);
    EXPECT_EQ(read_number("5.25", ',').kind, NumberKind::none);
    EXPECT_EQ(read_number("123456789012345678901,5", ',').real, 123456789012345678901.5);
}

TEST(NumberCell, CodesAreNumbersWhenSaidSo) {
    EXPECT_EQ(read_number_or_code("007", '.').integer, 7);
    EXPECT_EQ(read_number_or_code("-0012", '.').integer, -12);
    EXPECT_EQ(read_number_or_code("000", '.').integer, 0);
}

TEST(NumberCell, ReadsExtremeNumbersToTheBit) {
    std::ifstream file(std::string(REGROVE_TEST_DATA) + "/core/numbers_extreme.txt");
    std::string half, single, bits, text;
    int numbers = 0;
    while (file >> half >> single >> bits >> text) {
        ++numbers;
        const std::uint64_t expected = std::stoull(bits, nullptr, 16);
        const NumberCell cell = read_number(text, '.');
        if (expected == 0x7FF0000000000000U)
            EXPECT_EQ(cell.kind, NumberKind::overflow) << text;
        else
            EXPECT_EQ(std::bit_cast<std::uint64_t>(cell.real), expected) << text;
    }
    EXPECT_EQ(numbers, 60);
}

TEST(NumberCell, AgreesWithFromCharsOnRandomNumbers) {
    const CounterRandom random(7, 1);
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const double value = std::bit_cast<double>(random.bits(i));
        if (!std::isfinite(value)) continue;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(read_number(to_text(value), '.').real),
                  std::bit_cast<std::uint64_t>(value));
        const std::string fixed = std::to_string(static_cast<double>(random.below(i, 2000000)) / 997.0 - 1000.0);
        EXPECT_EQ(read_number(fixed, '.').real, parse_double(fixed).value) << fixed;
    }
}

TEST(NumberCell, EveryShortestFloatIsRecoverable) {
    const CounterRandom random(7, 2);
    for (std::uint64_t i = 0; i < 50000; ++i) {
        const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits(i)));
        if (!std::isnormal(value)) continue;
        EXPECT_TRUE(recoverable_from_float32(read_number(to_text(value), '.'))) << to_text(value);
    }
}

TEST(NumberCell, RecoverableMeansThatPrintingWithAsManyDigitsGivesTheText) {
    const auto recoverable = [](const char* text) { return recoverable_from_float32(read_number(text, '.')); };
    for (const char* text :
         {"0", "1", "0.1", "-5.75", "123456", "16777216", "0.000123456", "8.692932128906250000e-01",
          "0.10000000149011612", "1e30", "100000000", "0.50000000000000000000000000"})
        EXPECT_TRUE(recoverable(text)) << text;
    for (const char* text :
         {"16777217", "0.123456789", "3.14159265358979", "1e39", "1e-40", "0.1000000001", "123456789"})
        EXPECT_FALSE(recoverable(text)) << text;
}

TEST(NumberCell, KnowsWhichBigIntegersADoubleKeeps) {
    const auto exact = [](const char* text) { return is_exact_double(text, read_number(text, '.').real); };
    EXPECT_TRUE(exact("9223372036854775808"));
    EXPECT_TRUE(exact("-18446744073709551616"));
    EXPECT_FALSE(exact("9223372036854775809"));
    EXPECT_FALSE(exact("12345678901234567890123"));
}

}  // namespace
}  // namespace regrove::ingest
