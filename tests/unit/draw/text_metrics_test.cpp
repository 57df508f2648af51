// Text widths grow with the text, and shortened texts fit and stay valid UTF-8.
#include "regrove/draw/text_metrics.hpp"

#include <gtest/gtest.h>

#include "regrove/draw/clean_text.hpp"

namespace regrove::draw {
namespace {

constexpr Font k_font{10};

TEST(TextWidth, AddsTheWidthsOfTheCharacters) {
    EXPECT_DOUBLE_EQ(text_width("", k_font), 0);
    EXPECT_DOUBLE_EQ(text_width("i", k_font), 2.78);
    EXPECT_DOUBLE_EQ(text_width("iW", k_font), 2.78 + 9.89);
    EXPECT_DOUBLE_EQ(text_width("iW", {20}), 2 * (2.78 + 9.89));
    EXPECT_GT(text_width("wide", {10, FontWeight::bold}), text_width("wide", k_font));
}

TEST(TextWidth, CountsACharacterOfSeveralBytesOnce) {
    EXPECT_DOUBLE_EQ(text_width("é", k_font), 8.5);
    EXPECT_DOUBLE_EQ(text_width("中文", k_font), 21);
}

TEST(Shortened, KeepsWhatFits) { EXPECT_EQ(shortened("thal", k_font, 100), "thal"); }

TEST(Shortened, KeepsBeginningAndEndWithinTheWidth) {
    const std::string text = "Horizontal_Distance_To_Hydrology";
    const std::string cut = shortened(text, k_font, 100);
    EXPECT_LE(text_width(cut, k_font), 100);
    EXPECT_GT(text_width(cut, k_font), 80);
    EXPECT_EQ(cut.substr(0, 6), "Horizo");
    EXPECT_EQ(cut.substr(cut.size() - 3), "ogy");
    EXPECT_NE(cut.find("…"), std::string::npos);
}

TEST(Shortened, CutsBetweenCharacters) {
    const std::string text = "äöüäöüäöüäöüäöüäöü中文中文中文";
    for (double width = 20; width < 200; width += 3) {
        const std::string cut = shortened(text, k_font, width);
        EXPECT_EQ(clean_text(cut), cut) << width;
        EXPECT_LE(text_width(cut, k_font), width);
    }
}

TEST(CleanText, KeepsValidTextOfEveryLength) { EXPECT_EQ(clean_text("a é 中 🌳"), "a é 中 🌳"); }

TEST(CleanText, ReplacesWhatIsNoUtf8) {
    EXPECT_EQ(clean_text("caf\xE9!"), "caf\xEF\xBF\xBD!");
    EXPECT_EQ(clean_text("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // overlong
    EXPECT_EQ(clean_text("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate
    EXPECT_EQ(clean_text("ab\xE4\xB8"), "ab\xEF\xBF\xBD\xEF\xBF\xBD");              // cut short
}

TEST(CleanText, ReplacesWhatXmlForbidsAndWhatBreaksLines) {
    EXPECT_EQ(clean_text(std::string_view("a\0b", 3)),
              "a\xEF\xBF\xBD"
              "b");
    EXPECT_EQ(clean_text("a\x1B[0m"), "a\xEF\xBF\xBD[0m");
    EXPECT_EQ(clean_text("two\nlines\tand\rmore"), "two lines and more");
}

}  // namespace
}  // namespace regrove::draw
