// Who has the options of checkpoints, what they may say, and what they ask of a job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/pipeline/invocation.hpp"

#include "test_job.hpp"

namespace regrove::pipeline {
namespace {

using testing::HasSubstr;

JobRow long_row() {
    JobRow row = test::tree_row();
    row.has_checkpoints = true;
    return row;
}

CheckpointRequest request_of(const std::vector<std::string>& words) {
    const JobRow row = long_row();
    Invocation invocation(row);
    invocation.read_command_line(words, std::span(&row, 1));
    return invocation.checkpoint_request();
}

TEST(CheckpointOptions, OnlyLongJobsHaveThem) {
    const JobRow row = test::tree_row();
    Invocation invocation(row);
    const std::vector<std::string> words{"--checkpoint", "ck"};
    EXPECT_THAT(test::failure_of([&] { invocation.read_command_line(words, std::span(&row, 1)); }),
                testing::StartsWith("64 "));
    EXPECT_TRUE(invocation.checkpoint_request().folder.empty());
    EXPECT_TRUE(invocation.checkpoint_facts().empty());
}

TEST(CheckpointOptions, TheRequestSaysWhatWasAsked) {
    const auto request = request_of({"--checkpoint", "ck", "--checkpoint-every", "1:30:00", "--resume", "require"});
    EXPECT_EQ(request.folder, "ck");
    EXPECT_EQ(request.every_seconds, 5400);
    EXPECT_EQ(request.resume, store::ResumeMode::require);
    EXPECT_EQ(request_of({"--checkpoint-every", "0"}).every_seconds, 0);
    EXPECT_EQ(request_of({}).every_seconds, 600);
}

TEST(CheckpointOptions, TheIdentityHoldsWhatTheResultDependsOn) {
    auto identity = request_of({"--checkpoint", "ck", "--max-depth", "4", "--threads", "1", "--seed", "5"}).identity;
    EXPECT_EQ(identity.job, "train");
    EXPECT_THAT(identity.options, testing::Contains(testing::Pair("max_depth", "4")));
    EXPECT_THAT(identity.options, testing::Contains(testing::Pair("seed", "5")));
    for (const char* name : {"threads", "checkpoint", "checkpoint_every", "resume", "output"})
        EXPECT_THAT(identity.options, testing::Not(testing::Contains(testing::Pair(name, testing::_))));
    identity.forget_option("max_depth");
    EXPECT_THAT(identity.options, testing::Not(testing::Contains(testing::Pair("max_depth", testing::_))));
}

TEST(CheckpointOptions, BadTimesAndAMissingFolderAreRefused) {
    EXPECT_THAT(test::failure_of([] {
                    request_of({"--checkpoint-every", "soon"});
                }),
                testing::AllOf(testing::StartsWith("78 "), HasSubstr("checkpoint_every")));
    EXPECT_THAT(test::failure_of([] {
                    request_of({"--resume", "require"});
                }),
                testing::AllOf(testing::StartsWith("78 "), HasSubstr("--checkpoint DIR")));
}

TEST(CheckpointOptions, RanksCompareThem) {
    const JobRow row = long_row();
    Invocation invocation(row);
    const std::vector<std::string> words{"--checkpoint", "ck"};
    invocation.read_command_line(words, std::span(&row, 1));
    EXPECT_THAT(invocation.checkpoint_facts(),
                testing::ElementsAre(testing::Pair("--checkpoint", "ck"), testing::Pair("--checkpoint-every", "10m"),
                                     testing::Pair("--resume", "auto")));
}

}  // namespace
}  // namespace regrove::pipeline
