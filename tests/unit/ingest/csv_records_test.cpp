// Record boundaries: quotes, escapes and line ends, cut at any block size and range.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"
#include "regrove/ingest/piece_fields.hpp"
#include "regrove/ingest/quote_summary.hpp"
#include "regrove/ingest/record_blocks.hpp"
#include "regrove/ingest/text_check.hpp"

namespace regrove::ingest {
namespace {

class TextSource : public ByteSource {
  public:
    explicit TextSource(std::string text) : text_(std::move(text)) {}
    std::size_t read(char* buffer, std::size_t size) override {
        const std::size_t got = std::min(size, text_.size() - at_);
        text_.copy(buffer, got, at_);
        at_ += got;
        return got;
    }

  private:
    std::string text_;
    std::size_t at_ = 0;
};

struct AnyRow : RowCheck {
    std::size_t first_misfit(const Field*, std::string&) const override { return k_fits; }
};

struct ReadRows {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::uint64_t> lines;
    std::vector<BadRow> bad;
};

ReadRows read_rows(const std::string& text, const Dialect& dialect, std::size_t columns, BlockSizes sizes) {
    RecordBlocks blocks(std::make_unique<TextSource>(text), "f.csv", dialect, 1, sizes);
    ReadRows out;
    for (auto pieces = blocks.next(); !pieces.empty(); pieces = blocks.next()) {
        for (const Piece& piece : pieces) {
            PieceFields fields(piece, 0, dialect, columns, AnyRow());
            for (std::size_t row = 0; row < fields.rows(); ++row) {
                auto& cells = out.rows.emplace_back();
                for (std::size_t c = 0; c < columns; ++c) cells.emplace_back(fields.column(c)[row * columns].text());
                out.lines.push_back(fields.place(row, 0).line);
            }
            for (BadRow& bad : fields.bad_rows()) out.bad.push_back(bad);
        }
    }
    return out;
}

using Rows = std::vector<std::vector<std::string>>;

const std::string k_quoted =
    "a,\"b\nb\",c\r\n1,\"say \"\"x, y\"\"\",3\n\n\"x\ry\",,\"\"\r  ,\"  k\" , z z \n20,we also "
    "allow\"quotes,\"last\"";
const Rows k_quoted_rows{{"a", "b\nb", "c"},
                         {"1", "say \"x, y\"", "3"},
                         {"x\ry", "", ""},
                         {"", "  k", "z z"},
                         {"20", "we also allow\"quotes", "last"}};

TEST(Records, AreTheSameForAnyBlockAndPieceSize) {
    for (std::size_t block = 1; block <= k_quoted.size() + 1; ++block) {
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
            const ReadRows read = read_rows(k_quoted, {}, 3, {block, piece});
            EXPECT_EQ(read.rows, k_quoted_rows) << block << ' ' << piece;
            EXPECT_EQ(read.lines, (std::vector<std::uint64_t>{1, 3, 5, 7, 8})) << block << ' ' << piece;
            EXPECT_TRUE(read.bad.empty());
        }
    }
}

TEST(Records, LineEndsMayBeMixed) {
    const ReadRows read = read_rows("1,2\r3,4\r\n5,6\n\r\n7,8\r", {}, 2, {3, 2});
    EXPECT_EQ(read.rows, (Rows{{"1", "2"}, {"3", "4"}, {"5", "6"}, {"7", "8"}}));
    EXPECT_EQ(read.lines, (std::vector<std::uint64_t>{1, 2, 3, 5}));
}

TEST(Records, RunsOfBlanksDelimit) {
    Dialect dialect;
    dialect.delimiter = ' ';
    const ReadRows read = read_rows("  1  2\t3 \n4 5 6\n   \n\"a b\" x  y  ", dialect, 3, {4, 4});
    EXPECT_EQ(read.rows, (Rows{{"1", "2", "3"}, {"4", "5", "6"}, {"a b", "x", "y"}}));
}

TEST(Records, TabsKeepEmptyFields) {
    Dialect dialect;
    dialect.delimiter = '\t';
    const ReadRows read = read_rows("1\t\t3\n\t\t\n a \tb\t\n", dialect, 3, {64, 64});
    EXPECT_EQ(read.rows, (Rows{{"1", "", "3"}, {"", "", ""}, {"a", "b", ""}}));
}

TEST(Records, EscapesAndComments) {
    Dialect dialect;
    dialect.escape = '\\';
    dialect.comment = "//";
    const ReadRows read =
        read_rows("// a \"comment\n1,\"x \\\"y\\\" \\\\\"\n //no\n2,\"a\n//kept\"\n", dialect, 2, {5, 5});
    EXPECT_EQ(read.rows, (Rows{{"1", "x \"y\" \\"}, {"2", "a\n//kept"}}));
}

TEST(Records, BadOnesAreSetAsideWithPlaceAndText) {
    const ReadRows read = read_rows("1,2\n3\n4,\"x\" y\n5,6\n7,8,9\n10,\"open\nnever", {}, 2, {6, 6});
    EXPECT_EQ(read.rows, (Rows{{"1", "2"}, {"5", "6"}}));
    ASSERT_EQ(read.bad.size(), 4U);
    EXPECT_EQ(read.bad[0].place, (CellPlace{0, 2, 1}));
    EXPECT_EQ(read.bad[0].reason, "1 field where 2 are expected");
    EXPECT_EQ(read.bad[1].place, (CellPlace{0, 3, 7}));
    EXPECT_EQ(read.bad[1].text, "4,\"x\" y");
    EXPECT_EQ(read.bad[2].text, "7,8,9");
    EXPECT_EQ(read.bad[3].place, (CellPlace{0, 6, 1}));
    EXPECT_EQ(read.bad[3].text, "10,\"open\nnever");
}

/// Cuts a text at every line start and folds the parts' summaries in some grouping.
TEST(QuoteSummary, MergesToTheSummaryOfTheWhole) {
    const CounterRandom random(3, 9);
    const std::string letters = "a,\"\n\r\" \\";
    for (std::uint64_t round = 0; round < 400; ++round) {
        std::string text;
        for (std::uint64_t i = 0; i < 40; ++i) text += letters[random.below(round * 100 + i, letters.size())];
        Dialect dialect;
        if (round % 2 == 1) dialect.escape = '\\';
        const QuoteSummary whole = summarise_quotes(text, dialect);
        QuoteSummary folded;
        std::size_t begin = 0;
        for (std::size_t i = 1; i <= text.size(); ++i) {
            const bool line_start =
                text[i - 1] == '\n' || (text[i - 1] == '\r' && (i == text.size() || text[i] != '\n'));
            if (!line_start && i != text.size()) continue;
            folded = merge(folded, summarise_quotes(std::string_view(text).substr(begin, i - begin), dialect));
            begin = i;
        }
        EXPECT_EQ(folded.lines, whole.lines);
        for (const std::size_t start : {0U, 1U}) {
            EXPECT_EQ(folded.ends_inside[start], whole.ends_inside[start]) << text;
            EXPECT_EQ(folded.first_record[start], whole.first_record[start]) << text;
            EXPECT_EQ(folded.lines_before[start], whole.lines_before[start]) << text;
        }
    }
}

TEST(TextCheck, NamesTheLineOfBadBytes) {
    EXPECT_NO_THROW(check_text("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\n", "f", 1));
    const auto message = [](std::string_view text) {
        try {
            check_text(text, "f.csv", 10);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(message("a\nb\xe9\n"), testing::StartsWith("f.csv:11:2: bytes that are not UTF-8"));
    EXPECT_THAT(message(std::string_view("a\0b", 3)), testing::StartsWith("f.csv:10:2: a NUL byte"));
    for (const char* bad : {"\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\x80"})
        EXPECT_NE(message(bad), "");
}

}  // namespace
}  // namespace regrove::ingest
