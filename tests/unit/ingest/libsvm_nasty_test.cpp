// The hard LibSVM files of tests/data/nasty: each is read right or refused with its place.
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/ingest/libsvm.hpp"

namespace regrove::ingest {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::string nasty(const std::string& name) {
    std::ifstream file(std::string(REGROVE_TEST_DATA) + "/nasty/" + name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

data::TableShard read(const std::string& name, bool skip_bad_rows = false, const LibsvmOptions& options = {}) {
    const std::string text = nasty(name);
    const LibsvmSummary summary = scan_libsvm(text, options);
    check_libsvm_file(name, summary, skip_bad_rows);
    const LibsvmDecision decision = decide_libsvm(summary, options);
    data::TableShard out = data::make_shard(decision.schema);
    parse_libsvm(text, 0, decision, out);
    return out;
}

std::string refusal(const std::string& name) {
    try {
        read(name);
    } catch (const InputError& error) {
        return error.what();
    }
    return "read";
}

double cell(const data::TableShard& table, std::string_view name, std::size_t row) {
    const std::size_t c = table.schema.find(name).value();
    return data::as_double(table.schema.columns[c].type, table.values[c], row);
}

TEST(LibsvmNasty, ZeroAndOneBasedFilesHoldTheSameRows) {
    const auto zero = read("libsvm_zero_based.txt");
    const auto one = read("libsvm_one_based.txt");
    EXPECT_EQ(zero.rows, 200U);
    EXPECT_EQ(one.rows, 200U);
    EXPECT_EQ(zero.schema.columns[1].name, "f0");
    EXPECT_EQ(one.schema.columns[1].name, "f1");
    EXPECT_EQ(zero.values, one.values);
    EXPECT_EQ(cell(one, "f9", 0), 1);
    EXPECT_EQ(cell(one, "f10", 0), 0);
    EXPECT_EQ(one.schema.columns[1].type, data::ColumnType::float32);
}

TEST(LibsvmNasty, HugeIndices) {
    EXPECT_THAT(refusal("libsvm_huge_indices_repeated.txt"),
                HasSubstr("libsvm_huge_indices_repeated.txt:2:92: index 1022968 is given twice"));
    EXPECT_EQ(scan_libsvm(nasty("libsvm_huge_indices_repeated.txt"), {}).bad_rows, 118U);
    try {
        read("libsvm_huge_indices_repeated.txt", true);
        FAIL() << "no error";
    } catch (const LimitError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("feature columns (indices 1 to 10"), HasSubstr("--max-columns")));
    }
}

TEST(LibsvmNasty, RepeatedIndicesWithGroups) {
    EXPECT_THAT(refusal("libsvm_qid.txt"), HasSubstr("libsvm_qid.txt:1:48: index 17 is given twice"));
    const auto table = read("libsvm_qid.txt", true);
    EXPECT_EQ(table.schema.columns[1].name, "qid");
    EXPECT_EQ(table.schema.columns[1].role, data::ColumnRole::group);
    EXPECT_GT(table.rows, 0U);
}

TEST(LibsvmNasty, CommentsTabsAndTrailingBlanks) {
    const auto table = read("svmlight_classification.txt");
    EXPECT_EQ(table.rows, 6U);
    EXPECT_THAT(table.schema.columns, SizeIs(22));
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(table.values[0]), (std::vector<std::int32_t>{1, 2, 3, 4, 1, 2}));
    EXPECT_EQ(cell(table, "f3", 0), 2.5);
    EXPECT_EQ(cell(table, "f11", 0), static_cast<double>(-5.2F));
    EXPECT_EQ(cell(table, "f16", 0), 1.5);
    EXPECT_EQ(cell(table, "f13", 1), -3);
    EXPECT_EQ(cell(table, "f21", 2), 27);
    EXPECT_EQ(cell(table, "f2", 3), 1.234567890123456e10);
    EXPECT_EQ(cell(table, "f3", 5), 0);
}

TEST(LibsvmNasty, SeveralLabelsAndNone) {
    EXPECT_THAT(refusal("svmlight_multilabel.txt"), HasSubstr("svmlight_multilabel.txt:2:1: several labels '1,0'"));
    const std::string text = nasty("svmlight_multilabel.txt");
    const auto rest = scan_libsvm(std::string_view(text).substr(text.find("\n2 5") + 1), {});
    EXPECT_THAT(rest.first_bad_row->message, HasSubstr("the row has no label: it begins with '2:3.5'"));
    EXPECT_EQ(rest.bad_rows, 2U);
}

TEST(LibsvmNasty, LabelThatIsNoNumber) {
    EXPECT_THAT(refusal("svmlight_invalid.txt"), HasSubstr("svmlight_invalid.txt:1:1: label 'python' is no number"));
}

TEST(LibsvmNasty, IndicesOutOfOrder) {
    const auto table = read("svmlight_invalid_order.txt");
    EXPECT_EQ(table.rows, 1U);
    EXPECT_EQ(cell(table, "f5", 0), 2.5);
    EXPECT_EQ(cell(table, "f2", 0), static_cast<double>(-5.2F));
    EXPECT_EQ(cell(table, "f15", 0), 1.5);
    EXPECT_EQ(cell(table, "label", 0), -1);
}

TEST(LibsvmNasty, MixedDenseAndSparseIsNotLibsvm) {
    EXPECT_FALSE(looks_like_libsvm(nasty("sparse_mlnet.txt")));
    EXPECT_THAT(refusal("sparse_mlnet.txt"), HasSubstr("sparse_mlnet.txt:1:1: label 'C1' is no number"));
}

TEST(LibsvmNasty, AreRecognised) {
    for (const std::string name : {"libsvm_zero_based", "libsvm_qid", "svmlight_classification",
                                   "svmlight_multilabel", "svmlight_invalid", "svmlight_invalid_order"}) {
        EXPECT_TRUE(looks_like_libsvm(nasty(name + ".txt"))) << name;
    }
}

}  // namespace
}  // namespace regrove::ingest
