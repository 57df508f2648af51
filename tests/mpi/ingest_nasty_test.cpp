// Every hard file of tests/data/nasty is read right or refused with a message that says what to do.
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/dist/ingest_text.hpp"

#include "support/mpi_world.hpp"

namespace regrove::dist {
namespace {

using data::ColumnType;
using test::world;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

/// A table as its cells' texts, all rows on every rank.
struct Table {
    data::Schema schema;
    std::uint64_t rows = 0;
    std::vector<std::uint64_t> missing;
    std::vector<double> sums;
    Texts first, last;  ///< rows
    IngestReport report;
    const data::ColumnSchema& column(const std::string& name) const { return schema.columns[*schema.find(name)]; }
};

Texts row_texts(const data::TableShard& shard, std::uint64_t row, bool here) {
    Texts out;
    for (std::size_t c = 0; c < shard.schema.columns.size(); ++c) {
        const auto texts = world().gather_all(here ? cell_text(shard.schema.columns[c], shard.values[c], row) : "");
        out.push_back(std::accumulate(texts.begin(), texts.end(), std::string()));
    }
    return out;
}

IngestRequest request_for(const std::string& file, const ingest::TextOptions& options) {
    IngestRequest request;
    request.inputs = {std::string(REGROVE_TEST_DATA) + "/nasty/" + file};
    request.options = options;
    request.sizes = {512, 100};
    return request;
}

Table read(const std::string& file, const ingest::TextOptions& options = {}) {
    const auto table = scan_text(world(), request_for(file, options));
    const auto shard = read_rows(world(), *table);
    Table out;
    out.schema = table->schema();
    out.rows = table->global_rows();
    out.report = table->report();
    if (out.schema.columns.size() > 100) return out;  // each column below costs several messages
    for (std::size_t c = 0; c < shard.values.size(); ++c) {
        const ColumnType type = shard.schema.columns[c].type;
        std::uint64_t missing = 0;
        double sum = 0;
        for (std::size_t row = 0; row < shard.rows; ++row) {
            const bool empty = data::is_missing(type, shard.values[c], row);
            missing += empty ? 1U : 0U;
            if (!empty) sum += data::as_double(type, shard.values[c], row);
        }
        out.missing.push_back(world().sum(missing));
        const auto sums = world().gather_all(sum);
        out.sums.push_back(std::accumulate(sums.begin(), sums.end(), 0.0));
    }
    out.first = row_texts(shard, 0, shard.rows > 0 && shard.first_row == 0);
    out.last = row_texts(shard, shard.rows - 1, shard.rows > 0 && shard.first_row + shard.rows == shard.global_rows);
    return out;
}

std::string refusal(const std::string& file, const ingest::TextOptions& options = {}) {
    try {
        scan_text(world(), request_for(file, options));
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::data) << error.what();
        return error.what();
    }
    return "it was read";
}

ingest::TextOptions ignoring(const Texts& columns) {
    ingest::TextOptions options;
    options.ignore = columns;
    return options;
}

TEST(Nasty, DecimalCommaUnderAHeaderOfTooManyNames) {
    EXPECT_THAT(refusal("decimal_comma_bom.csv"),
                HasSubstr("the header has 7 fields but the rows have 5; use --skip-lines"));
    ingest::TextOptions options;
    options.skip_lines = 1;
    options.header = false;
    options.names = {"label", "sepal_length", "sepal_width", "petal_length", "petal_width"};
    options.target = "label";
    EXPECT_THAT(refusal("decimal_comma_bom.csv", options), HasSubstr("use --decimal comma"));
    options.decimal_mark = ',';
    const Table table = read("decimal_comma_bom.csv", options);
    EXPECT_EQ(table.rows, 150U);
    EXPECT_EQ(table.column("sepal_width").type, ColumnType::float32);
    EXPECT_EQ(table.first, (Texts{"0", "5.1", "3.5", "1.4", "0.2"}));
    EXPECT_EQ(table.last, (Texts{"2", "5.9", "3", "5.1", "1.8"}));
}

TEST(Nasty, DecimalCommaAndPointInOneTable) {
    auto options = ignoring({"CUP", "PROGRAMMATO_INDICATORE_1"});
    options.id = {"COD_LOCALE_PROGETTO"};
    EXPECT_THAT(refusal("decimal_comma_mixed.csv", options), HasSubstr("use --decimal comma"));
    options.ignore = {"CUP"};
    options.decimal_mark = ',';
    const Table table = read("decimal_comma_mixed.csv", options);
    EXPECT_EQ(table.rows, 8U);
    EXPECT_EQ(table.schema.columns.size(), 27U);
    EXPECT_EQ(table.first[7], "8e+07");
    EXPECT_EQ(table.first[12], "71000170.9");
    EXPECT_EQ(table.column("TOT_PAGAMENTI").type, ColumnType::float64);
    EXPECT_EQ(table.first[25], "1.5");
    EXPECT_THAT(table.report.warnings, testing::Contains(HasSubstr("'PROGRAMMATO_INDICATORE_1' has decimal points")));
}

TEST(Nasty, Semicolons) {
    ingest::TextOptions options;
    options.target = "target";
    const Table table = read("semicolon.csv", options);
    EXPECT_EQ(table.rows, 500U);
    EXPECT_THAT(table.report.read_as, HasSubstr(";-delimited"));
    EXPECT_NEAR(table.sums[11], 190036.32, 0.02);
    EXPECT_EQ(table.column("target").type, ColumnType::float32);
}

TEST(Nasty, Latin1IsRefusedWithTheWayOut) {
    EXPECT_THAT(refusal("latin1_semicolon.csv"), HasSubstr("latin1_semicolon.csv:1:9: bytes that are not UTF-8"));
    EXPECT_THAT(refusal("latin1_semicolon.csv"), HasSubstr("iconv -f ISO-8859-1 -t UTF-8"));
}

TEST(Nasty, CommentsAndLineEndsInQuotes) {
    EXPECT_THAT(refusal("multiline_comments.csv"), HasSubstr("--comment //"));
    ingest::TextOptions options;
    options.comment = "//";
    options.id = {"description"};
    const Table table = read("multiline_comments.csv", options);
    EXPECT_EQ(table.rows, 13U);
    EXPECT_EQ(table.first, (Texts{"10", "this is a description", "dog"}));
    EXPECT_EQ(table.column("animal").categories, (Texts{"bird", "cat", "dog"}));
    EXPECT_EQ(table.missing, (std::vector<std::uint64_t>{1, 1, 1}));
}

TEST(Nasty, BackslashEscapes) {
    ingest::TextOptions options;
    options.comment = "//";
    options.id = {"description"};
    EXPECT_THAT(refusal("multiline_backslash_escape.csv", options), HasSubstr("use --escape '\\'"));
    options.escape = "\\";
    const Table table = read("multiline_backslash_escape.csv", options);
    EXPECT_EQ(table.rows, 13U);
    EXPECT_EQ(table.column("animal").categories, (Texts{"bird", "cat", "dog"}));
}

TEST(Nasty, WideQuotedRowsOnManyLines) {
    EXPECT_THAT(refusal("quoted_multiline_wide.csv"), HasSubstr("different text in each of the 44 rows"));
    ingest::TextOptions options;
    options.id = {"GPMLHTLN", "TWBBEUVGM", "UCEXFMDT", "YVYB"};
    const Table table = read("quoted_multiline_wide.csv", options);
    EXPECT_EQ(table.rows, 44U);
    EXPECT_EQ(table.schema.columns.size(), 24U);
    EXPECT_EQ(table.column("BLYBZ").type, ColumnType::int32);
    EXPECT_EQ(table.first[0], "3308386085360");
    EXPECT_EQ(table.column("VA.TEXK.SCS").type, ColumnType::category);  // 0522
}

TEST(Nasty, SpectrumOfSmallCases) {
    ingest::TextOptions lenient;
    lenient.refuse_useless = false;
    EXPECT_EQ(read("spectrum_empty_crlf.csv").missing, (std::vector<std::uint64_t>{0, 1, 1}));
    EXPECT_EQ(read("spectrum_escaped_quotes.csv", lenient).first, (Texts{"1", "ha \"ha\" ha"}));
    EXPECT_EQ(read("spectrum_json.csv", lenient).first,
              (Texts{"1", "{\"type\": \"Point\", \"coordinates\": [102.0, 0.5]}"}));
    const Table newlines = read("spectrum_newlines_crlf.csv", lenient);
    EXPECT_EQ(newlines.rows, 3U);
    EXPECT_THAT(newlines.schema.columns[0].categories, testing::Contains(testing::StartsWith("Once upon")));
    EXPECT_EQ(read("spectrum_quotes_and_newlines.csv", lenient).rows, 2U);
    EXPECT_EQ(read("spectrum_utf8.csv", lenient).last, (Texts{"4", "5", "\xca\xa4"}));
    EXPECT_THAT(refusal("spectrum_utf8.csv"), HasSubstr("column 'c' is a category with a different text in each"));
}

TEST(Nasty, BareQuotesInQuotedFields) {
    EXPECT_THAT(refusal("unescaped_quotes.csv"), HasSubstr("unescaped_quotes.csv:2:15: text behind a closing quote"));
    ingest::TextOptions options;
    options.bad_rows = ingest::BadRowPolicy::skip;
    EXPECT_THAT(refusal("unescaped_quotes.csv", options), HasSubstr("all rows are bad"));
}

TEST(Nasty, ShortRows) {
    EXPECT_THAT(refusal("missing_fields.csv"), HasSubstr("missing_fields.csv:10:1: 4 fields where 7 are expected"));
    auto options = ignoring({"description"});
    options.bad_rows = ingest::BadRowPolicy::skip;
    EXPECT_THAT(refusal("missing_fields.csv", options), HasSubstr("an infinite value in column 'num4'"));
    options.missing = {"NaN", "?", "Infinity"};
    const Table table = read("missing_fields.csv", options);
    EXPECT_EQ(table.rows, 12U);
    EXPECT_EQ(table.report.bad_rows, 2U);
    EXPECT_EQ(table.column("int").type, ColumnType::int32);
    EXPECT_EQ(table.column("num3").type, ColumnType::float64);  // 101010.101010
    EXPECT_EQ(table.missing, (std::vector<std::uint64_t>{3, 3, 4, 2, 3, 6}));
}

TEST(Nasty, AirlineWithTwoKindsOfMissing) {
    const Table table = read("airline_2008_na.csv");
    EXPECT_EQ(table.rows, 499U);
    EXPECT_EQ(table.schema.columns.size(), 29U);
    EXPECT_EQ(table.column("DepTime").type, ColumnType::int32);
    EXPECT_EQ(table.missing[4], 5U);
    EXPECT_EQ(table.missing[22], 494U);
    EXPECT_EQ(table.missing[24], 250U);
    EXPECT_THAT(table.report.warnings, testing::Contains("column 'Year' has the same value in all rows"));
    EXPECT_THAT(table.report.warnings, testing::Contains(HasSubstr("column 'TailNum' looks like an id")));
}

TEST(Nasty, CreditApprovals) {
    ingest::TextOptions options;
    options.target = "A16";
    const Table table = read("question_mark.csv", options);
    EXPECT_EQ(table.rows, 552U);
    EXPECT_EQ(table.column("A16").categories, (Texts{"+", "-"}));
    EXPECT_EQ(table.column("A2").type, ColumnType::float32);
    EXPECT_EQ(table.missing[1], 12U);
    EXPECT_EQ(table.column("A14").type, ColumnType::category);
    EXPECT_EQ(table.first[13], "00200");
}

TEST(Nasty, TitleLineBeforeTheHeader) {
    EXPECT_THAT(refusal("title_line_accents.csv.gz"), HasSubstr("has 1 field but the rows have 5; use --skip-lines"));
    ingest::TextOptions options;
    options.skip_lines = 1;
    const Table table = read("title_line_accents.csv.gz", options);
    EXPECT_EQ(table.rows, 2046U);
    EXPECT_EQ(table.column("id_admin").type, ColumnType::category);
    EXPECT_EQ(table.first[3], "31 - For\xc3\xaats");
    EXPECT_NEAR(table.sums[4], 1742.77275, 1e-3);
}

TEST(Nasty, DuplicateColumns) {
    EXPECT_THAT(refusal("duplicate_columns.csv"), HasSubstr("columns 0 and 1 both have the name 'a'"));
    ingest::TextOptions options;
    options.header = true;
    for (int i = 0; i < 13; ++i) options.names.push_back("c" + std::to_string(i));
    options.ignore = {"2", "12"};
    const Table table = read("duplicate_columns.csv", options);
    EXPECT_EQ(table.rows, 2U);
    EXPECT_EQ(table.column("c0").type, ColumnType::int32);
}

TEST(Nasty, EveryCellQuoted) {
    EXPECT_THAT(refusal("all_quoted.csv"), HasSubstr("column 'time' is a category with a different text"));
    const Table table = read("all_quoted.csv", ignoring({"time"}));
    EXPECT_EQ(table.rows, 399U);
    EXPECT_EQ(table.column("bikes_available").type, ColumnType::int32);
    EXPECT_EQ(table.first, (Texts{"2", "2", "25"}));
}

TEST(Nasty, TwentyThousandRowsWithoutHeader) {
    const Table table = read("crlf_20k.csv.gz");
    EXPECT_EQ(table.rows, 20000U);
    EXPECT_EQ(table.report.read_as, "comma-delimited, without header");
    EXPECT_EQ(table.column("column_1").categories, (Texts{"hello"}));
    EXPECT_EQ(table.sums[0], 19999.0 * 10000);
    EXPECT_EQ(table.last, (Texts{"19999", "hello", "20001"}));
}

TEST(Nasty, LineEndsOfCarriageReturnsAlone) {
    const Table table = read("eol_cr_only.csv", ignoring({"y"}));
    EXPECT_EQ(table.rows, 3U);
    EXPECT_EQ(table.last, (Texts{"3"}));
}

TEST(Nasty, OtherEncodingsAndNulBytes) {
    EXPECT_THAT(refusal("utf16.csv"), HasSubstr("utf16.csv:1:1: the file is UTF-16 by its byte order mark"));
    EXPECT_THAT(refusal("nul_byte_header.csv"), HasSubstr("nul_byte_header.csv:1:9: a NUL byte"));
}

TEST(Nasty, HeaderWithoutRows) { EXPECT_THAT(refusal("header_4096_bytes.csv"), HasSubstr("the table is empty")); }

TEST(Nasty, SixThousandColumns) {
    EXPECT_THAT(refusal("wide_6830_columns.csv.gz"), HasSubstr("use --id 'column_0'"));
    ingest::TextOptions options;
    options.id = {"0"};
    const Table table = read("wide_6830_columns.csv.gz", options);
    EXPECT_EQ(table.rows, 64U);
    EXPECT_EQ(table.schema.columns.size(), 6831U);
    EXPECT_EQ(table.schema.columns[6830].name, "6830");
    const Table labels = read("wide_6830_columns.labels.csv");
    EXPECT_EQ(labels.rows, 64U);
    EXPECT_EQ(labels.first, (Texts{"1", "CNS"}));
}

TEST(Nasty, IntegersAndAnExponent) {
    const Table table = read("integer_exponent.csv");
    EXPECT_EQ(table.column("c").type, ColumnType::float32);
    EXPECT_EQ(table.last, (Texts{"7", "8", "1e-07"}));
}

TEST(Nasty, ExtremeNumbers) {
    EXPECT_THAT(refusal("../core/numbers_extreme.txt"), HasSubstr("is larger than any 64-bit float"));
    ingest::TextOptions options;
    options.id = {"3"};
    EXPECT_EQ(read("../core/numbers_extreme.txt", options).rows, 60U);
}

TEST(Nasty, SparseAndDenseRowsMixed) {
    EXPECT_THAT(refusal("sparse_mlnet.txt"), HasSubstr("sparse_mlnet.txt:3:1: 3 fields where 5 are expected"));
}

}  // namespace
}  // namespace regrove::dist
