// Numbers to text and back to the same bits; one rounding; overflow told from underflow; durations and sizes.
#include "regrove/core/number_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove {
namespace {

template <class T>
T from_hex(std::string_view hex) {
    T value = 0;
    std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
    return value;
}

TEST(NumberText, ParsesEveryLineOfTheExtremesToTheirBits) {
    std::ifstream file(std::string(REGROVE_TEST_DATA) + "/core/numbers_extreme.txt");
    int lines = 0;
    for (std::string line; std::getline(file, line); ++lines) {
        std::istringstream fields(line);
        std::string half, single, twice, text;
        fields >> half >> single >> twice >> text;
        const auto as_float = parse_float(text);
        const auto as_double = parse_double(text);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(as_float.value), from_hex<std::uint32_t>(single)) << text;
        EXPECT_EQ(std::bit_cast<std::uint64_t>(as_double.value), from_hex<std::uint64_t>(twice)) << text;
        EXPECT_EQ(as_float.status, std::isinf(as_float.value) ? NumberStatus::overflow : NumberStatus::ok) << text;
        EXPECT_EQ(as_double.status, std::isinf(as_double.value) ? NumberStatus::overflow : NumberStatus::ok) << text;
    }
    EXPECT_EQ(lines, 60);
}

TEST(NumberText, DoublesOfAllSizesComeBack) {
    const CounterRandom random(1, 9);
    for (int i = 0; i < 100000; ++i) {
        const double value = std::bit_cast<double>(random.bits(i));
        if (!std::isfinite(value)) continue;
        const auto back = parse_double(to_text(value));
        ASSERT_EQ(back.status, NumberStatus::ok);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(back.value), std::bit_cast<std::uint64_t>(value)) << to_text(value);
    }
}

TEST(NumberText, FloatsOfAllSizesComeBackAndAreShort) {
    const CounterRandom random(2, 9);
    for (int i = 0; i < 100000; ++i) {
        const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits(i)));
        if (!std::isfinite(value)) continue;
        const std::string text = to_text(value);
        ASSERT_LE(text.size(), 15U);
        const auto back = parse_float(text);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(back.value), std::bit_cast<std::uint32_t>(value)) << text;
    }
}

TEST(NumberText, ShortestForms) {
    EXPECT_EQ(to_text(0.1), "0.1");
    EXPECT_EQ(to_text(0.1F), "0.1");
    EXPECT_EQ(to_text(1e300), "1e+300");
    EXPECT_EQ(to_text(-0.0), "-0");
    EXPECT_EQ(to_text(5e-324), "5e-324");
    EXPECT_EQ(to_text(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(to_text(-std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(to_text(std::numeric_limits<float>::quiet_NaN()), "nan");
    EXPECT_EQ(to_text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

// Just above the middle of 1 and the next float: by way of a double it would round to even, to 1.
TEST(NumberText, FloatTextRoundsOnce) {
    const std::string text = "1.00000005960464477540";
    EXPECT_EQ(static_cast<float>(parse_double(text).value), 1.0F);
    EXPECT_EQ(parse_float(text).value, std::nextafter(1.0F, 2.0F));
    EXPECT_EQ(parse_float("1.000000059604644775390625").value, 1.0F);  // the very middle goes to even
}

TEST(NumberText, TakesTheUsualSpellings) {
    for (const auto& [text, value] :
         std::initializer_list<std::pair<const char*, double>>{{"+1.5", 1.5},
                                                               {"-1.5", -1.5},
                                                               {".5", 0.5},
                                                               {"5.", 5},
                                                               {"+.5e1", 5},
                                                               {"1E3", 1000},
                                                               {"1e+3", 1000},
                                                               {"007", 7},
                                                               {"0e999999999999999999999", 0}}) {
        EXPECT_EQ(parse_double(text).status, NumberStatus::ok) << text;
        EXPECT_EQ(parse_double(text).value, value) << text;
        EXPECT_EQ(parse_float(text).value, static_cast<float>(value)) << text;
    }
}

TEST(NumberText, RefusesWhatIsNoNumber) {
    for (const char* text : {"",     "+",    "-",        ".",     "+-1",   "-+1",  "++1", "--1",  "+ 1",  " 1",
                             "1 ",   "1,5",  "1e",       "1e+",   "e5",    "0x10", "nan", "NaN",  "-nan", "inf",
                             "+inf", "-inf", "infinity", "1.2.3", "1_000", "1d",   "-.",  "1e5.5"}) {
        EXPECT_EQ(parse_double(text).status, NumberStatus::not_a_number_text) << text;
        EXPECT_EQ(parse_float(text).status, NumberStatus::not_a_number_text) << text;
        EXPECT_EQ(parse_int64(text).status, NumberStatus::not_a_number_text) << text;
    }
}

TEST(NumberText, TellsOverflowFromUnderflow) {
    for (const char* text : {"1e309", "-1e309", "1.8e308", "0.001e400", "1000e306", "+1e99999999999999999999999"}) {
        EXPECT_EQ(parse_double(text).status, NumberStatus::overflow) << text;
        EXPECT_TRUE(std::isinf(parse_double(text).value)) << text;
    }
    for (const char* text :
         {"1e-400", "-1e-400", "1000e-400", "0.0001e-330", "2e-324", "1e-99999999999999999999999"}) {
        EXPECT_EQ(parse_double(text).status, NumberStatus::ok) << text;
        EXPECT_EQ(parse_double(text).value, 0.0) << text;
        EXPECT_EQ(std::signbit(parse_double(text).value), text[0] == '-') << text;
    }
    EXPECT_EQ(parse_float("3.5e38").status, NumberStatus::overflow);
    EXPECT_EQ(parse_float("1e-50").status, NumberStatus::ok);
    EXPECT_EQ(parse_float("1e-50").value, 0.0F);
    const std::string long_tiny = "0." + std::string(400, '0') + "1";
    const std::string long_huge = "1" + std::string(400, '0');
    EXPECT_EQ(parse_double(long_tiny).status, NumberStatus::ok);
    EXPECT_EQ(parse_double(long_tiny).value, 0.0);
    EXPECT_EQ(parse_double(long_huge).status, NumberStatus::overflow);
    EXPECT_EQ(parse_double(long_huge + ".5").status, NumberStatus::overflow);
}

TEST(NumberText, KeepsDenormals) {
    EXPECT_EQ(parse_double("5e-324").value, std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(parse_double("2.5e-324").value, std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(parse_float("1.5e-45").value, std::numeric_limits<float>::denorm_min());
    EXPECT_EQ(parse_float("1.17549428e-38").value, std::nextafter(std::numeric_limits<float>::min(), 0.0F));
}

TEST(NumberText, Integers) {
    EXPECT_EQ(parse_int64("9223372036854775807").value, std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(parse_int64("-9223372036854775808").value, std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(parse_int64("+12").value, 12);
    EXPECT_EQ(parse_int64("-0").value, 0);
    EXPECT_EQ(parse_int64("007").value, 7);
    EXPECT_EQ(parse_int64("9223372036854775808").status, NumberStatus::overflow);
    EXPECT_EQ(parse_int64("-9223372036854775809").status, NumberStatus::overflow);
    EXPECT_EQ(parse_int64("1.0").status, NumberStatus::not_a_number_text);
    EXPECT_EQ(parse_int64("99999999999999999999x").status, NumberStatus::not_a_number_text);
}

TEST(Durations, AreReadInAllForms) {
    EXPECT_EQ(parse_duration_seconds("90"), 90);
    EXPECT_EQ(parse_duration_seconds("0.5"), 0.5);
    EXPECT_EQ(parse_duration_seconds("30s"), 30);
    EXPECT_EQ(parse_duration_seconds("15m"), 900);
    EXPECT_EQ(parse_duration_seconds("1.5h"), 5400);
    EXPECT_EQ(parse_duration_seconds("2d"), 172800);
    EXPECT_EQ(parse_duration_seconds("01:02:03"), 3723);
    EXPECT_EQ(parse_duration_seconds("100:00:00"), 360000);
    EXPECT_EQ(parse_duration_seconds("2-03:04:05"), 2 * 86400 + 3 * 3600 + 4 * 60 + 5);
    for (const char* text : {"", "m", "-5", "+5", "5x", "1:2", "1:60:00", "1:00:60", "1-24:00:00", "1-", "-1:00:00",
                             "1-00:00", "nan", "inf", "1 h", "1e999", "1:2:3:4", "1::2"})
        EXPECT_EQ(parse_duration_seconds(text), std::nullopt) << text;
}

TEST(Sizes, AreReadInBothKindsOfUnits) {
    EXPECT_EQ(parse_size_bytes("4096"), 4096U);
    EXPECT_EQ(parse_size_bytes("4096B"), 4096U);
    EXPECT_EQ(parse_size_bytes("512MiB"), 512ULL << 20U);
    EXPECT_EQ(parse_size_bytes("4GiB"), 4ULL << 30U);
    EXPECT_EQ(parse_size_bytes("4 GiB"), 4ULL << 30U);
    EXPECT_EQ(parse_size_bytes("4G"), 4ULL << 30U);
    EXPECT_EQ(parse_size_bytes("1.5GB"), 1500000000U);
    EXPECT_EQ(parse_size_bytes("0.5KiB"), 512U);
    EXPECT_EQ(parse_size_bytes("2TiB"), 2ULL << 40U);
    EXPECT_EQ(parse_size_bytes("18446744073709551615"), ~0ULL);
    for (const char* text :
         {"", "GiB", "-1", "+1", "1X", "1GiBs", "1 ", "1e3", "99999999999TiB", "18446744073709551616", "1.2.3MB"})
        EXPECT_EQ(parse_size_bytes(text), std::nullopt) << text;
}

TEST(Sizes, AreShownForPeople) {
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(1023), "1023 B");
    EXPECT_EQ(format_bytes(1024), "1.0 KiB");
    EXPECT_EQ(format_bytes(1610612736), "1.5 GiB");
    EXPECT_EQ(format_bytes((1ULL << 30U) - 1), "1.0 GiB");
    EXPECT_EQ(format_bytes(~0ULL), "16.0 EiB");
}

TEST(Durations, AreShownForPeople) {
    EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
    EXPECT_EQ(format_seconds(3.42), "3.4 s");
    EXPECT_EQ(format_seconds(59.97), "1m 00s");
    EXPECT_EQ(format_seconds(125), "2m 05s");
    EXPECT_EQ(format_seconds(3720), "1h 02m");
    EXPECT_EQ(format_seconds(93600), "1d 02h");
    EXPECT_EQ(format_seconds(std::numeric_limits<double>::infinity()), "very long");
    EXPECT_EQ(format_seconds(-1), "unknown time");
}

}  // namespace
}  // namespace regrove
