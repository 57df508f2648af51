// Thread defaults from the affinity mask, cgroup quotas of both versions (in folders made here) and Slurm's
// variables.
#include "regrove/core/cpu_limits.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include "regrove/core/parallel.hpp"

namespace regrove {
namespace {

namespace fs = std::filesystem;

struct CgroupTest : testing::Test {
    fs::path mount = fs::temp_directory_path() / ("regrove_cgroup_" + std::to_string(::getpid()));
    CgroupTest() { fs::create_directories(mount); }
    ~CgroupTest() override { fs::remove_all(mount); }
    void write(const std::string& path, const std::string& text) {
        fs::create_directories((mount / path).parent_path());
        std::ofstream(mount / path) << text;
    }
    std::optional<double> quota(const std::string& proc) { return cgroup_cpu_quota(proc, mount.string()); }
};

TEST_F(CgroupTest, Version2TakesTheSmallestOfThePath) {
    write("a/cpu.max", "150000 100000\n");
    write("a/b/cpu.max", "max 100000\n");
    EXPECT_EQ(quota("0::/a/b\n"), 1.5);
    write("a/b/cpu.max", "400000 100000\n");
    EXPECT_EQ(quota("0::/a/b\n"), 1.5);
    write("a/b/cpu.max", "50000 100000\n");
    EXPECT_EQ(quota("0::/a/b\n"), 0.5);
}

TEST_F(CgroupTest, Version2InsideAContainerReadsTheRoot) {
    write("cpu.max", "200000 100000\n");
    EXPECT_EQ(quota("0::/\n"), 2.0);
    EXPECT_EQ(quota("0::/../../elsewhere\n"), 2.0);
}

TEST_F(CgroupTest, Version1ReadsQuotaAndPeriod) {
    const std::string proc = "5:memory:/m\n4:cpu,cpuacct:/job/step\n1:name=systemd:/x\n";
    write("cpu,cpuacct/job/step/cpu.cfs_quota_us", "-1\n");
    write("cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(proc), std::nullopt);
    write("cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
    write("cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(proc), 3.0);
    write("cpu/cpu.cfs_quota_us", "250000\n");
    write("cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(quota(proc), 2.5);
    EXPECT_EQ(quota("4:cpuset:/job\n"), std::nullopt);
}

TEST_F(CgroupTest, NothingThereIsNoLimit) {
    EXPECT_EQ(quota(""), std::nullopt);
    EXPECT_EQ(quota("0::/nowhere\n"), std::nullopt);
    EXPECT_EQ(quota("nonsense\n\n:\n"), std::nullopt);
    write("cpu.max", "max 100000\n");
    EXPECT_EQ(quota("0::/\n"), std::nullopt);
}

TEST(ThreadsForRank, SharesTheMachineAmongRanks) {
    CpuLimits limits;
    limits.affinity = 16;
    EXPECT_EQ(threads_for_rank(limits, 1), 16U);
    EXPECT_EQ(threads_for_rank(limits, 3), 5U);
    EXPECT_EQ(threads_for_rank(limits, 64), 1U);
    EXPECT_EQ(threads_for_rank(limits, 0), 16U);
    limits.cgroup_quota = 6.5;
    EXPECT_EQ(threads_for_rank(limits, 1), 6U);
    EXPECT_EQ(threads_for_rank(limits, 2), 3U);
    limits.cgroup_quota = 0.5;
    EXPECT_EQ(threads_for_rank(limits, 1), 1U);
}

TEST(ThreadsForRank, SlurmCountsPerTask) {
    CpuLimits limits;
    limits.affinity = 8;
    limits.slurm_per_task = 4;
    EXPECT_EQ(threads_for_rank(limits, 1), 4U);
    EXPECT_EQ(threads_for_rank(limits, 4), 4U) << "each task's own mask is not shared once more";
    limits.slurm_on_node = 8;
    EXPECT_EQ(threads_for_rank(limits, 4), 2U) << "an allocation of one task shared by four ranks";
    limits.slurm_per_task = 32;
    limits.slurm_on_node = 128;
    EXPECT_EQ(threads_for_rank(limits, 4), 8U) << "never more than the mask";
}

/// Sets a variable for one test.
struct Environment {
    explicit Environment(const char* variable, const char* value) : name(variable) { ::setenv(name, value, 1); }
    ~Environment() { ::unsetenv(name); }
    const char* name;
};

TEST(CurrentCpuLimits, ReadsSlurmsVariables) {
    {
        const Environment per_task("SLURM_CPUS_PER_TASK", "3");
        const Environment on_node("SLURM_CPUS_ON_NODE", "6");
        EXPECT_EQ(current_cpu_limits().slurm_per_task, 3U);
        EXPECT_EQ(current_cpu_limits().slurm_on_node, 6U);
    }
    {
        const Environment one("SLURM_CPUS_PER_TASK", "1");
        EXPECT_EQ(default_thread_count(), 1U);
    }
    const Environment nonsense("SLURM_CPUS_PER_TASK", "many");
    EXPECT_EQ(current_cpu_limits().slurm_per_task, std::nullopt);
}

TEST(CurrentCpuLimits, FollowsTheAffinityMask) {
    cpu_set_t before;
    ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
    EXPECT_EQ(current_cpu_limits().affinity, static_cast<unsigned>(CPU_COUNT(&before)));
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(current_cpu_limits().affinity, 1U);
    EXPECT_EQ(default_thread_count(), 1U);
    ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace regrove
