// What ingest does with good, bad and impossible requests: one message, the right exit code, nothing half-written.
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class IngestJob : public CliTest {
  protected:
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }

    /// Names in the folder that begin with `stem`.
    std::vector<std::string> names_from(const std::string& stem) const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            const std::string name = entry.path().filename().string();
            if (name.find(stem) != std::string::npos) names.push_back(name);
        }
        return names;
    }

    /// Alone and on two ranks: one message that holds `says`, and no output.
    void expect_refusal(const std::string& words, int code, const std::string& says) const {
        for (const int ranks : {0, 2}) {
            const Outcome outcome = ranks == 0 ? regrove("ingest " + words) : regrove_on(ranks, "ingest " + words);
            EXPECT_EQ(outcome.code, code) << ranks << " ranks: " << outcome.err;
            EXPECT_EQ(count_of(outcome.err, "regrove: error:"), 1U) << outcome.err;
            EXPECT_THAT(outcome.err, HasSubstr(says));
            EXPECT_THAT(names_from("out.h5"), testing::IsEmpty());
        }
    }
};

TEST_F(IngestJob, SkippedRowsAreCountedAndKeptForTheirOwnerAlone) {
    write("a.csv", "x,y\n1,a\n2\n3,b\n4,b,c\n5,a\n");
    for (const int ranks : {1, 3}) {
        const Outcome outcome = regrove_on(
            ranks, "ingest --input a.csv --target y --bad-rows skip --output t.h5 --summary s.json --overwrite");
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(summary()["result"]["bad_rows"], 2);
        EXPECT_EQ(summary()["result"]["rows"], 3);
        EXPECT_EQ(read("t.h5.rejects"), "2\n4,b,c\n");
        struct stat status {};
        ASSERT_EQ(stat((folder_ / "t.h5.rejects").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777U, 0600U);
    }
}

TEST_F(IngestJob, RefusesWhatCannotBeATable) {
    write("one_class.csv", "x,y\n1,a\n2,a\n");
    expect_refusal("--input one_class.csv --target y --output out.h5", 65, "the same value in all 2 rows");
    write("twice.csv", "x,y,x\n1,a,2\n2,b,3\n");
    expect_refusal("--input twice.csv --target y --output out.h5", 65, "both have the name 'x'");
    write("overflow.csv", "x,y\n1,a\n1e999,b\n");
    expect_refusal("--input overflow.csv --target y --output out.h5", 65, "overflow.csv:3:1");
    write("one_class.txt", "1 1:2\n1 2:3\n");
    expect_refusal("--input one_class.txt --output out.h5", 65, "the same value in all 2 rows");
    write("bad.txt", "1 1:2\n0 1:x\n");
    expect_refusal("--input bad.txt --output out.h5", 65, "bad.txt:2:5");
}

TEST_F(IngestJob, ConstantColumnIsAWarning) {
    write("a.csv", "x,y,z\n1,a,7\n2,b,7\n3,a,7\n");
    const Outcome outcome = regrove("ingest --input a.csv --target y --output t.h5 --summary s.json");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("warning: column 'z' has the same value in all rows"));
    EXPECT_THAT(summary()["warnings"].dump(), HasSubstr("'z'"));
}

TEST_F(IngestJob, FilesThatCannotBeReadOrWritten) {
    write("a.csv", "x,y\n1,a\n2,b\n");
    std::filesystem::create_directory(folder_ / "folder");
    expect_refusal("--input none.csv --output out.h5", 74, "none.csv");
    expect_refusal("--input folder --output out.h5", 74, "folder");
    expect_refusal("--input a.csv --input none.csv --output out.h5", 74, "none.csv");
    expect_refusal("--input a.csv --output none/out.h5", 74, "none");
    write("old.h5", "old");
    for (const int ranks : {1, 2}) {
        const Outcome exists = regrove_on(ranks, "ingest --input a.csv --output old.h5");
        EXPECT_EQ(exists.code, 73);
        EXPECT_THAT(exists.err, AllOf(HasSubstr("old.h5"), HasSubstr("--overwrite")));
        EXPECT_EQ(read("old.h5"), "old");
    }
}

TEST_F(IngestJob, FullDiskLeavesNothingBehind) {
    ASSERT_EQ(regrove("generate --kind friedman1 --rows 3000 --output a.csv").code, 0);
    for (const std::string compress : {"none", "fast"}) {
        const std::string words = "ingest --input a.csv --target y --output out.h5 --compress " + compress;
        const Outcome alone = run("bash -c 'ulimit -f 8; exec \"$REGROVE\" " + words + "'");
        EXPECT_EQ(alone.code, 74) << alone.err;
        EXPECT_EQ(count_of(alone.err, "regrove: error:"), 1U) << alone.err;
        EXPECT_THAT(names_from("out.h5"), testing::IsEmpty());
        // Without shared memory, whose files the limit would meet before the table.
        const Outcome ranks =
            run("OMPI_MCA_btl=self,tcp mpirun -n 2 bash -c 'ulimit -f 8; exec \"$REGROVE\" " + words + "'");
        EXPECT_EQ(ranks.code, 74) << ranks.err;
        EXPECT_THAT(names_from("out.h5"), testing::IsEmpty());
    }
}

TEST_F(IngestJob, MoreRanksThanRows) {
    write("a.csv", "x,y\n1,5\n2,6\n");
    write("a.txt", "1 1:2\n0 2:3\n");
    for (const std::string name : {"a.csv", "a.txt"}) {
        ASSERT_EQ(regrove("ingest --input " + name + " --output one.h5 --overwrite").code, 0);
        ASSERT_EQ(regrove_on(4, "ingest --input " + name + " --output four.h5 --overwrite").code, 0);
        EXPECT_EQ(read("one.h5"), read("four.h5")) << name;
    }
}

TEST_F(IngestJob, LibsvmIsTrainedOnAndPredictedAsTableAndAsText) {
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += std::to_string(i % 2) + " 0:" + std::to_string(i % 7) + (i % 2 == 1 ? " 3:1\n" : "\n");
    write("a.txt", text);
    ASSERT_EQ(regrove("ingest --input a.txt --output t.h5 --summary s.json").code, 0);
    EXPECT_EQ(summary()["details"]["format"], "libsvm");
    for (const std::string data : {"t.h5", "a.txt"}) {
        const std::string words = "train --objective gini --data " + data + " --output " + data + ".json";
        ASSERT_EQ(regrove_on(2, words).code, 0) << data;
    }
    EXPECT_EQ(read("t.h5.json"), read("a.txt.json"));
    // No row gives index 3 or 0 here, but the model asks for them.
    write("b.txt", "0 1:1\n0 2:2\n0 1:3\n");
    const Outcome predicted = regrove_on(2, "predict --model a.txt.json --data b.txt --kind class --output p.csv");
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    EXPECT_EQ(read("p.csv"), "class\n0\n0\n0\n");
    const Outcome evaluated = regrove_on(2, "evaluate --model a.txt.json --data b.txt --summary e.json");
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    EXPECT_EQ(nlohmann::json::parse(read("e.json"))["result"]["accuracy"], 1.0) << read("e.json");
}

TEST_F(IngestJob, FormatAndOptionsThatDoNotSuitAreNamed) {
    write("a.txt", "1 1:2\n0 1:3\n");
    expect_refusal("--input a.txt --target f1 --output out.h5", 78, "target");
    expect_refusal("--input a.txt --weight f1 --output out.h5", 78, "weight");
    expect_refusal("--input a.txt --format idx --output out.h5", 65, "idx");
    write("a.csv", "x,y\n1,a\n2,b\n");
    expect_refusal("--input a.csv --format libsvm --output out.h5", 65, "a.csv:1:1");
    expect_refusal("--input a.csv --absent missing --output out.h5", 78, "absent");
}

}  // namespace
}  // namespace regrove::test
