// Options of each type: what is read, what is refused and in which words, and how unknown names are answered.
#include "regrove/core/option_table.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

enum class Shape { round, square };

struct Sample {
    bool exact = false;
    std::string output = "-";
    std::vector<std::string> input{"a.csv"};
    std::uint32_t max_depth = 6;
    std::uint64_t rows = 10;
    double rate = 0.1;
    double any = 0;
    std::optional<bool> header;
    Shape shape = Shape::square;
};

OptionTable table_of(Sample& sample) {
    OptionTable table;
    table.add("exact", sample.exact, "whether");
    table.add("output", sample.output, "where").value_name("FILE").no_result();
    table.add("input", sample.input, "what").alias("file").alias("files");
    table.add("max_depth", sample.max_depth, 1, 64, "levels").alias("depth");
    table.add("rows", sample.rows, 1, std::numeric_limits<std::uint64_t>::max(), "rows");
    table.add("rate", sample.rate, 0.0, 1.0, "step").alias("eta");
    table.add("any", sample.any, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
              "x");
    table.add("header", sample.header, "first line");
    table.add("shape", sample.shape, Choices<Shape>{{"round", Shape::round}, {"square", Shape::square}}, "form");
    return table;
}

struct OptionTableTest : testing::Test {
    Sample sample;
    OptionTable table = table_of(sample);
    void parse(const char* name, std::string_view text) { table.find(name)->parse(text); }
    std::string refusal(const char* name, std::string_view text) {
        try {
            parse(name, text);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "taken";
    }
};

TEST_F(OptionTableTest, ShowsDefaultsBoundsAndChoices) {
    std::string defaults;
    std::string bounds;
    for (const OptionEntry& entry : table.entries()) {
        defaults += entry.default_text + ';';
        bounds += entry.bounds + ';';
    }
    EXPECT_EQ(defaults, "no;-;a.csv;6;10;0.1;0;auto;square;");
    EXPECT_EQ(bounds, ";;;1 .. 64;>= 1;0 .. 1;;;;");
    EXPECT_EQ(table.find("shape")->value_name, "round|square");
    EXPECT_EQ(table.find("output")->value_name, "FILE");
    EXPECT_TRUE(table.find("exact")->is_flag);
    EXPECT_FALSE(table.find("header")->is_flag);
    EXPECT_TRUE(table.find("input")->is_list);
    EXPECT_FALSE(table.find("output")->affects_result);
    EXPECT_TRUE(table.find("rate")->affects_result);
}

TEST_F(OptionTableTest, ReadsEachType) {
    parse("exact", "yes");
    parse("output", "x y.json");
    parse("input", "a,b\\,c,,d");
    parse("max-depth", "64");
    parse("rows", "1e6");
    parse("eta", "1");
    parse("any", "-1e308");
    parse("header", "no");
    parse("shape", "round");
    EXPECT_TRUE(sample.exact);
    EXPECT_EQ(sample.output, "x y.json");
    EXPECT_THAT(sample.input, ElementsAre("a", "b,c", "", "d"));
    EXPECT_EQ(sample.max_depth, 64U);
    EXPECT_EQ(sample.rows, 1000000U);
    EXPECT_EQ(sample.rate, 1.0);
    EXPECT_EQ(sample.any, -1e308);
    EXPECT_EQ(sample.header, false);
    EXPECT_EQ(sample.shape, Shape::round);
    std::string texts;
    for (const OptionEntry& entry : table.entries()) texts += entry.text() + ';';
    EXPECT_EQ(texts, "yes;x y.json;a,b\\,c,,d;64;1000000;1;-1e+308;no;round;");
    EXPECT_EQ(table.find("max_depth")->default_text, "6") << "the default stays what it was";
    parse("header", "auto");
    EXPECT_EQ(sample.header, std::nullopt);
}

TEST_F(OptionTableTest, EveryTextReadsBack) {
    for (const OptionEntry& entry : table.entries()) {
        const std::string before = entry.text();
        entry.parse(before);
        EXPECT_EQ(entry.text(), before) << entry.name;
    }
}

TEST_F(OptionTableTest, RefusesWithNameValueAndBounds) {
    EXPECT_THAT(refusal("max_depth", "65"), AllOf(HasSubstr("--max-depth"), HasSubstr("'65'"), HasSubstr("1 .. 64")));
    for (const char* text : {"0", "-1", "x", "", "1.5", "1e-1", "99999999999999999999"})
        EXPECT_THAT(refusal("max_depth", text), HasSubstr("whole number 1 .. 64")) << text;
    for (const char* text : {"0", "1e40", "18446744073709551616", "nan"})
        EXPECT_THAT(refusal("rows", text), HasSubstr(">= 1")) << text;
    for (const char* text : {"1.0001", "-0.1", "nan", "inf", "", "1,5"})
        EXPECT_THAT(refusal("rate", text), HasSubstr("number 0 .. 1")) << text;
    EXPECT_THAT(refusal("any", "1e309"), HasSubstr("any number"));
    EXPECT_THAT(refusal("shape", "Round"), HasSubstr("round, square"));
    EXPECT_THAT(refusal("exact", "maybe"), HasSubstr("yes, no"));
    EXPECT_THAT(refusal("header", ""), HasSubstr("auto, yes, no"));
    EXPECT_EQ(sample.max_depth, 6U) << "a refused value changes nothing";
}

TEST_F(OptionTableTest, FindsByNameAliasAndDashes) {
    EXPECT_EQ(table.find("max-depth"), table.find("max_depth"));
    EXPECT_EQ(table.find("depth"), table.find("max_depth"));
    EXPECT_EQ(table.find("files"), table.find("input"));
    EXPECT_EQ(table.find("max"), nullptr);
    EXPECT_EQ(table.find(""), nullptr);
}

TEST_F(OptionTableTest, NamesTheNearest) {
    EXPECT_EQ(table.nearest("max-dept"), "max_depth");
    EXPECT_EQ(table.nearest("maxdepth"), "max_depth");
    EXPECT_EQ(table.nearest("dept"), "depth");
    EXPECT_EQ(table.nearest("ouput"), "output");
    EXPECT_EQ(table.nearest("dep"), "max_depth");
    EXPECT_EQ(table.nearest("colsample_bylevel"), "");
    EXPECT_EQ(table.nearest("zq"), "");
}

TEST_F(OptionTableTest, ANameIsGivenOnce) {
    EXPECT_THROW(table.add("rows", sample.rows, 1, 2, "again"), InternalError);
    EXPECT_THROW(table.add("eta", sample.any, 0, 1, "an alias of another"), InternalError);
}

TEST(Lists, JoinAndSplitAreInverse) {
    const std::vector<std::vector<std::string>> lists{{},        {"a"},        {"a", "b"}, {"a,b", "c\\d"},
                                                      {"", "x"}, {"\\,", "\\"}};
    for (const auto& items : lists) EXPECT_EQ(split_list(join_list(items)), items) << join_list(items);
    EXPECT_EQ(join_list({"a,b", "c"}), "a\\,b,c");
    EXPECT_THAT(split_list("C:\\x,y"), ElementsAre("C:\\x", "y"));
}

}  // namespace
}  // namespace regrove
