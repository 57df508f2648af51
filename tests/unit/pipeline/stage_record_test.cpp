// Records of stages: written, read back, and compared with what is on disk now.
#include "regrove/pipeline/stage_record.hpp"

#include <gmock/gmock.h>

#include "regrove/core/version.hpp"

#include "unit/pipeline/test_job.hpp"

namespace regrove::pipeline::test {
namespace {

using testing::HasSubstr;

class StageRecordTest : public testing::Test {
  protected:
    StageRecordTest() {
        folder_.write("in.csv", "a,b\n1,2\n");
        folder_.write("out.json", "{}");
        record_ = {"train",
                   "abc",
                   k_results_version,
                   {file("in.csv")},
                   {file("out.json")},
                   {{"rows", "1"}},
                   {{"result", {{"leaves", 3}}}}};
    }
    FileRecord file(const std::string& name) const {
        FileRecord record = record_file(folder_ / name);
        record.path = paths_.symbolic(record.path);
        return record;
    }
    std::string why() const { return why_outdated(record_, "abc", paths_); }

    TemporaryFolder folder_;
    RunPaths paths_{folder_.path(), "none", ""};
    StageRecord record_;
};

TEST_F(StageRecordTest, ComesBackAsItWasWritten) {
    write_record(record_, folder_ / "01-train.json");
    const auto back = read_record(folder_ / "01-train.json");
    ASSERT_TRUE(back);
    EXPECT_EQ(back->inputs[0].path, "${run}/in.csv");
    EXPECT_EQ(back->inputs[0].bytes, 8U);
    EXPECT_EQ(back->outputs[0].hash, record_.outputs[0].hash);
    EXPECT_EQ(back->shown, record_.shown);
    EXPECT_EQ(back->summary, record_.summary);
    EXPECT_EQ(why_outdated(*back, "abc", paths_), "");
}

TEST_F(StageRecordTest, HoldsOnlyWhileNothingChanged) {
    EXPECT_EQ(why(), "");
    EXPECT_THAT(why_outdated(record_, "abd", paths_), HasSubstr("options"));
    folder_.write("in.csv", "a,b\n1,3\n");  // as long as before
    EXPECT_THAT(why(), HasSubstr("in.csv"));
    folder_.write("in.csv", "a,b\n1,2\n");
    EXPECT_EQ(why(), "");
    std::filesystem::remove(folder_ / "out.json");
    EXPECT_THAT(why(), HasSubstr("out.json"));
    folder_.write("out.json", "{}");
    record_.results_version += 1;
    EXPECT_THAT(why(), HasSubstr("version"));
}

TEST_F(StageRecordTest, ADamagedRecordIsNone) {
    write_record(record_, folder_ / "r.json");
    const std::string text = read_text(folder_ / "r.json");
    folder_.write("r.json", text.substr(0, text.size() / 2));
    EXPECT_FALSE(read_record(folder_ / "r.json"));
    EXPECT_FALSE(read_record(folder_ / "none.json"));
    folder_.write("r.json", "{\"record_schema\": 99}");
    EXPECT_FALSE(read_record(folder_ / "r.json"));
}

}  // namespace
}  // namespace regrove::pipeline::test
