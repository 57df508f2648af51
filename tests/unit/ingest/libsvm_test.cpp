// The LibSVM reader on small texts: what is read right and what is refused, where.
#include "regrove/ingest/libsvm.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/option_table.hpp"
#include "regrove/ingest/excerpt.hpp"

namespace regrove::ingest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

data::TableShard read(const std::string& text, const LibsvmOptions& options = {}) {
    const LibsvmSummary summary = scan_libsvm(text, options);
    check_libsvm_file("t.txt", summary, false);
    const LibsvmDecision decision = decide_libsvm(summary, options);
    data::TableShard out = data::make_shard(decision.schema);
    parse_libsvm(text, 0, decision, out);
    EXPECT_EQ(out.rows, summary.rows);
    return out;
}

std::vector<std::string> names(const data::TableShard& table) {
    std::vector<std::string> all;
    for (const auto& column : table.schema.columns) all.push_back(column.name);
    return all;
}

std::vector<double> column(const data::TableShard& table, std::string_view name) {
    std::vector<double> cells;
    const std::size_t c = table.schema.find(name).value();
    for (std::size_t r = 0; r < table.rows; ++r)
        cells.push_back(data::as_double(table.schema.columns[c].type, table.values[c], r));
    return cells;
}

data::ColumnType type_of(const data::TableShard& table, std::string_view name) {
    return table.schema.columns[table.schema.find(name).value()].type;
}

std::string refusal(const std::string& text, const LibsvmOptions& options = {}) {
    try {
        read(text, options);
    } catch (const InputError& error) {
        return error.what();
    } catch (const LimitError& error) {
        return std::string("limit: ") + error.what();
    }
    return "read";
}

TEST(Libsvm, ReadsBlanksTabsCommentsAndAnyOrder) {
    const auto table = read("# head\n\n1 \t 3:0.5   1:2 # c 9:9\n  # more\n-1\t2:-1e-3  \n0 #x\n");
    EXPECT_THAT(names(table), ElementsAre("label", "f1", "f2", "f3"));
    EXPECT_THAT(column(table, "label"), ElementsAre(1, -1, 0));
    EXPECT_THAT(column(table, "f1"), ElementsAre(2, 0, 0));
    EXPECT_THAT(column(table, "f2"), ElementsAre(0, static_cast<double>(-1e-3F), 0));
    EXPECT_THAT(column(table, "f3"), ElementsAre(0.5, 0, 0));
    EXPECT_EQ(table.schema.columns[0].role, data::ColumnRole::label);
}

TEST(Libsvm, LineEndsAndByteOrderMark) {
    for (const std::string text : {"1 1:2\r\n0 1:3\r\n", "1 1:2\r0 1:3",
                                   "\xef\xbb\xbf"
                                   "1 1:2\n0 1:3\r\n",
                                   "1 1:2\n\r\n\r0 1:3"}) {
        const auto table = read(text);
        EXPECT_THAT(column(table, "f1"), ElementsAre(2, 3)) << excerpt(text);
        EXPECT_THAT(column(table, "label"), ElementsAre(1, 0));
    }
    EXPECT_THAT(refusal("1 1:2\r\n0 1:3\r\nx 1:1\r\n"), HasSubstr("t.txt:3:1: label 'x' is no number"));
    EXPECT_THAT(refusal("1 1:2\r0 1:3\rx 1:1"), HasSubstr("t.txt:3:1:"));
}

TEST(Libsvm, ColumnsAreAsNarrowAsTheirValuesAllow) {
    const auto table = read("1 1:0.5 2:0.123456789 3:16777217 4:1e300 5:0.1\n2.5 1:-3 2:1 3:1 4:1\n");
    EXPECT_EQ(type_of(table, "f1"), data::ColumnType::float32);
    EXPECT_EQ(type_of(table, "f2"), data::ColumnType::float64);
    EXPECT_EQ(type_of(table, "f3"), data::ColumnType::float64);
    EXPECT_EQ(type_of(table, "f4"), data::ColumnType::float64);
    EXPECT_EQ(type_of(table, "label"), data::ColumnType::float64);
    EXPECT_EQ(type_of(table, "f5"), data::ColumnType::float32) << "0.1F is printed as 0.1";
    EXPECT_EQ(column(table, "f2")[0], 0.123456789);
    EXPECT_EQ(column(table, "f5")[0], static_cast<double>(0.1F));
    EXPECT_EQ(column(table, "f4")[0], 1e300);
    LibsvmOptions narrow;
    narrow.width = NumberWidth::float32;
    EXPECT_EQ(column(read("1 2:0.1\n", narrow), "f2")[0], static_cast<double>(0.1F));
    EXPECT_THAT(refusal("1 2:1e300\n", narrow), HasSubstr("t.txt:1:5: value in '2:1e300' is too large"));
    LibsvmOptions wide;
    wide.width = NumberWidth::float64;
    EXPECT_EQ(type_of(read("1 2:1\n", wide), "f2"), data::ColumnType::float64);
}

TEST(Libsvm, WholeLabelsAreIntegers) {
    EXPECT_EQ(type_of(read("+1 1:1\n-1.0 1:1\n"), "label"), data::ColumnType::int32);
    EXPECT_EQ(type_of(read("1 1:1\n2147483648 1:1\n"), "label"), data::ColumnType::float64);
    EXPECT_EQ(type_of(read("1 1:1\n-2147483648 1:1\n"), "label"), data::ColumnType::float64) << "it means missing";
    const LibsvmSummary summary = scan_libsvm("3 1:1\n-2 1:1\n3 1:1\n0.5 1:1\n", {});
    EXPECT_THAT(summary.labels.distinct, ElementsAre(-2, 0.5, 3));
    EXPECT_EQ(summary.labels.low, -2);
    EXPECT_EQ(summary.labels.high, 3);
}

TEST(Libsvm, IndexBase) {
    LibsvmOptions zero;
    zero.index_base = IndexBase::zero;
    LibsvmOptions one;
    one.index_base = IndexBase::one;
    EXPECT_THAT(names(read("1 0:1 2:1\n")), ElementsAre("label", "f0", "f1", "f2"));
    EXPECT_THAT(names(read("1 1:1 2:1\n", zero)), ElementsAre("label", "f0", "f1", "f2"));
    EXPECT_THAT(names(read("1 1:1 2:1\n", one)), ElementsAre("label", "f1", "f2"));
    EXPECT_THAT(refusal("1 1:1\n2  1:1 0:1\n", one), HasSubstr("t.txt:2:8: index 0 in '0:1'"));
    const auto warnings = [](const std::string& text, const LibsvmOptions& options) {
        return decide_libsvm(scan_libsvm(text, options), options).warnings;
    };
    EXPECT_THAT(warnings("1 1:1\n", {}), ElementsAre(HasSubstr("start at 1")));
    EXPECT_THAT(warnings("1 0:1\n", {}), IsEmpty());
    EXPECT_THAT(warnings("1 1:1\n", zero), IsEmpty());
    EXPECT_THAT(warnings("1 1:1\n", one), IsEmpty());
}

TEST(Libsvm, AbsentAndMissingCells) {
    LibsvmOptions missing;
    missing.absent = AbsentCell::missing;
    const auto table = read("1 1:1 2:nan\n2 1:NA 2:0\n3 2:?\n", missing);
    const auto f1 = column(table, "f1");
    const auto f2 = column(table, "f2");
    EXPECT_EQ(f1[0], 1);
    EXPECT_TRUE(std::isnan(f1[1]) && std::isnan(f1[2]) && std::isnan(f2[0]) && std::isnan(f2[2]));
    EXPECT_EQ(f2[1], 0);
    EXPECT_EQ(column(read("1 2:1\n"), "f1")[0], 0);
    missing.missing = {"-9"};
    EXPECT_THAT(refusal("1 2:nan\n", missing), HasSubstr("t.txt:1:5: value in '2:nan' is no number"));
}

TEST(Libsvm, LastIndexWidens) {
    LibsvmOptions options;
    options.last_index = 4;
    EXPECT_THAT(names(read("1 2:1\n", options)), ElementsAre("label", "f1", "f2", "f3", "f4"));
    EXPECT_THAT(names(read("1 6:1\n", options)), SizeIs(7));
}

TEST(Libsvm, Groups) {
    const auto table = read("2 qid:7 1:1\n0 qid:-8 1:2\n1 qid:9007199254740993 2:1\n");
    EXPECT_THAT(names(table), ElementsAre("label", "qid", "f1", "f2"));
    EXPECT_EQ(table.schema.columns[1].role, data::ColumnRole::group);
    EXPECT_THAT(std::get<std::vector<std::int64_t>>(table.values[1]), ElementsAre(7, -8, 9007199254740993));
    EXPECT_THAT(refusal("1 qid:1 1:1\n1 1:1\n"), HasSubstr("t.txt:2:1: this row has no qid"));
    EXPECT_THAT(refusal("\n1 1:1\n\n1 qid:1 1:1\n"), HasSubstr("t.txt:4:1: this row has a qid"));
    EXPECT_THAT(refusal("1 1:1 qid:1\n"), HasSubstr("t.txt:1:7: 'qid:1' must stand once, directly behind the label"));
    EXPECT_THAT(refusal("1 qid:1 qid:1 1:1\n"), HasSubstr("t.txt:1:9:"));
    EXPECT_THAT(refusal("1 qid:a 1:1\n"), HasSubstr("qid 'a' is no whole number"));
    const LibsvmSummary with = scan_libsvm("1 qid:1 1:1\n", {});
    EXPECT_THROW(decide_libsvm(merge_files(with, scan_libsvm("1 1:1\n", {})), {}), InputError);
}

TEST(Libsvm, BadRowsAreRefusedWhereTheyAre) {
    EXPECT_THAT(refusal("1 1:1\n\n 2:3.5 11:26\n"),
                HasSubstr("t.txt:3:2: the row has no label: it begins with '2:3.5'"));
    EXPECT_THAT(refusal("qid:1 1:1\n"), HasSubstr("the row has no label"));
    EXPECT_THAT(refusal("1,0 1:1\n"), HasSubstr("t.txt:1:1: several labels '1,0'"));
    EXPECT_THAT(refusal("nan 1:1\n"), HasSubstr("label 'nan' is no number"));
    EXPECT_THAT(refusal("1e999 1:1\n"), HasSubstr("label '1e999' is too large"));
    EXPECT_THAT(refusal("1 1:1e999\n"), HasSubstr("t.txt:1:5: value in '1:1e999' is too large"));
    EXPECT_THAT(refusal("1 1:inf\n"), HasSubstr("value in '1:inf' is infinite"));
    EXPECT_THAT(refusal("1 1:\n"), HasSubstr("value in '1:' is no number"));
    EXPECT_THAT(refusal("1 1:2:3\n"), HasSubstr("value in '1:2:3' is no number"));
    EXPECT_THAT(refusal("1 :2\n"), HasSubstr("index '' is no whole number"));
    EXPECT_THAT(refusal("1 -1:2\n"), HasSubstr("index '-1' is no whole number"));
    EXPECT_THAT(refusal("1 1.5:2\n"), HasSubstr("index '1.5' is no whole number"));
    EXPECT_THAT(refusal("1 4294967296:2\n"), HasSubstr("index '4294967296' is no whole number"));
    EXPECT_THAT(refusal("1 99999999999999999999:2\n"), HasSubstr("is no whole number"));
    EXPECT_THAT(refusal("1 1:2 7\n"), HasSubstr("t.txt:1:7: cell '7' is not of the form index:value"));
    EXPECT_THAT(refusal("1 5:1 3:1 9:1 3:2 5:0\n"), HasSubstr("t.txt:1:15: index 3 is given twice"));
    EXPECT_THAT(refusal("1 5:1 5:1\n"), HasSubstr("t.txt:1:7: index 5 is given twice"));
    EXPECT_THAT(refusal(std::string("a\0b 1:1\n", 8)), HasSubstr("label 'a\\x00b' is no number"));
    EXPECT_THAT(refusal(""), HasSubstr("no rows"));
    EXPECT_THAT(refusal("# only\n\n"), HasSubstr("no rows"));
    EXPECT_THAT(refusal("1\n2\n"), HasSubstr("no features"));
}

TEST(Libsvm, SkippedRowsAreHandedBack) {
    const std::string text = "1 1:1\nx 1:1\n2 2:2\n1,2 1:5 \r\n3 1:3\n";
    const LibsvmSummary summary = scan_libsvm(text, {});
    EXPECT_EQ(summary.rows, 3U);
    EXPECT_EQ(summary.bad_rows, 2U);
    EXPECT_NO_THROW(check_libsvm_file("t.txt", summary, true));
    const LibsvmDecision decision = decide_libsvm(summary, {});
    auto out = data::make_shard(decision.schema);
    std::vector<LibsvmBadRow> bad;
    parse_libsvm(text, 100, decision, out, &bad);
    EXPECT_THAT(column(out, "label"), ElementsAre(1, 2, 3));
    EXPECT_THAT(column(out, "f1"), ElementsAre(1, 0, 3));
    ASSERT_THAT(bad, SizeIs(2));
    EXPECT_EQ(bad[0].line, 101U);
    EXPECT_EQ(bad[0].text, "x 1:1");
    EXPECT_EQ(bad[1].line, 103U);
    EXPECT_EQ(bad[1].text, "1,2 1:5 ");
    EXPECT_THAT(bad[1].message, HasSubstr("several labels"));
}

TEST(Libsvm, TooWideOrTooLargeIsRefused) {
    LibsvmOptions options;
    options.max_columns = 10;
    EXPECT_EQ(refusal("1 10:1\n", options), "read");
    EXPECT_THAT(refusal("1 11:1\n", options),
                HasSubstr("limit: the LibSVM input would become a dense table of 11 feature "
                          "columns (indices 1 to 11) and 1 rows"));
    EXPECT_THAT(refusal("1 0:1 10:1\n", options), HasSubstr("11 feature columns (indices 0 to 10)"));
    options.max_dense_bytes = 80;
    EXPECT_EQ(refusal("1 10:1\n1 2:1\n", options), "read");
    EXPECT_THAT(refusal("1 10:1\n1 2:1\n0\n", options), HasSubstr("over the limit of 80 B"));
}

TEST(Libsvm, SummariesOfPiecesMergeToTheWhole) {
    const std::string text =
        "# c\n1 3:0.1 1:2\n\n0 2:5\nbad\n1 qid:3 7:1\n2 9:0.25 # x\n-7.5 8:1e40\n1 1:1 1:1\n0 4:4\n";
    const LibsvmSummary whole = scan_libsvm(text, {});
    std::vector<std::size_t> ends{0};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') ends.push_back(i + 1);
    }
    for (const std::size_t a : ends) {
        for (const std::size_t b : ends) {
            if (b < a) continue;
            const auto first = scan_libsvm(std::string_view(text).substr(0, a), {});
            const auto second = scan_libsvm(std::string_view(text).substr(a, b - a), {});
            const auto third = scan_libsvm(std::string_view(text).substr(b), {});
            EXPECT_EQ(pack(merge(merge(first, second), third)), pack(whole)) << a << ' ' << b;
            EXPECT_EQ(pack(merge(first, merge(second, third))), pack(whole)) << a << ' ' << b;
        }
    }
    EXPECT_EQ(pack(unpack_libsvm_summary(pack(whole))), pack(whole));
    EXPECT_EQ(whole.first_bad_row->line, 4U);
    EXPECT_EQ(whole.first_line_with_group, 5U);
    EXPECT_EQ(whole.bad_rows, 2U);
    EXPECT_THAT(whole.labels.distinct, ElementsAre(-7.5, 0, 1, 2));
}

TEST(Libsvm, PiecesParseToTheWhole) {
    const std::string text = "1 3:0.1 1:2\n0 2:5\n2 5:1\n3 1:7 3:0.3\n";
    const LibsvmDecision decision = decide_libsvm(scan_libsvm(text, {}), {});
    auto whole = data::make_shard(decision.schema);
    parse_libsvm(text, 0, decision, whole);
    auto pieces = data::make_shard(decision.schema);
    parse_libsvm(std::string_view(text).substr(0, 18), 0, decision, pieces);
    parse_libsvm("", 0, decision, pieces);
    parse_libsvm(std::string_view(text).substr(18), 2, decision, pieces);
    EXPECT_EQ(pieces.rows, 4U);
    EXPECT_EQ(pieces.values, whole.values);
}

TEST(Libsvm, ManyDistinctLabelsAreCappedAlikeInAnyOrder) {
    std::string up;
    std::string down;
    for (int i = 0; i < 400; ++i) {
        up += std::to_string(i) + " 1:1\n";
        down += std::to_string(399 - i) + " 1:1\n";
    }
    EXPECT_EQ(pack(scan_libsvm(up, {})), pack(scan_libsvm(down, {})));
    EXPECT_THAT(scan_libsvm(up, {}).labels.distinct, SizeIs(LibsvmLabels::k_max_distinct));
}

TEST(Libsvm, IsRecognisedByContent) {
    EXPECT_TRUE(looks_like_libsvm("1 1:1 2:0.5\n0 3:1\n"));
    EXPECT_TRUE(looks_like_libsvm("# c\n1,0 2:2.5\n 2:3.5 11:26\n"));
    EXPECT_TRUE(looks_like_libsvm("1 qid:1 1:1\n2 qid:1 3"));
    EXPECT_FALSE(looks_like_libsvm("a,b\n1,2\n"));
    EXPECT_FALSE(looks_like_libsvm("time,x\n12:30,4\n"));
    EXPECT_FALSE(looks_like_libsvm("1\t2\t3\n"));
    EXPECT_FALSE(looks_like_libsvm("5\t3:4\n1\t2\n"));
    EXPECT_FALSE(looks_like_libsvm("name 12:30,x\n"));
    EXPECT_FALSE(looks_like_libsvm(""));
}

TEST(Libsvm, OptionsAreListed) {
    LibsvmOptions options;
    OptionTable table;
    list_options(options, table);
    table.find("index-base")->parse("1");
    table.find("absent")->parse("missing");
    table.find("max-columns")->parse("7");
    EXPECT_EQ(options.index_base, IndexBase::one);
    EXPECT_EQ(options.absent, AbsentCell::missing);
    EXPECT_EQ(options.max_columns, 7U);
    EXPECT_THROW(table.find("index_base")->parse("2"), ConfigError);
}

TEST(Excerpt, IsFitForAMessage) {
    EXPECT_EQ(excerpt("plain"), "'plain'");
    EXPECT_EQ(excerpt("a\tb\x7f"), "'a\\x09b\\x7f'");
    EXPECT_EQ(excerpt("gr\xc3\xbc\xc3\x9f"), "'gr\xc3\xbc\xc3\x9f'");
    EXPECT_EQ(excerpt("gr\xfc\xdf"), "'gr\\xfc\\xdf'");
    EXPECT_EQ(excerpt("\xc0\xaf\xed\xa0\x80"), "'\\xc0\\xaf\\xed\\xa0\\x80'");
    EXPECT_EQ(excerpt(std::string(50, 'x')), "'" + std::string(40, 'x') + "...'");
    EXPECT_EQ(excerpt(std::string(39, 'x') + "\xc3\xbc"), "'" + std::string(39, 'x') + "...'");
}

}  // namespace
}  // namespace regrove::ingest
