// How many processors the surroundings allow: affinity mask, cgroup quota, Slurm; each limit can be asked alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regrove {

/// What limits the threads of this process; unset where there is no such limit.
struct CpuLimits {
    unsigned affinity = 1;                   ///< processors in the affinity mask of this process
    std::optional<double> cgroup_quota;      ///< processors' worth of time, for all processes of the cgroup
    std::optional<unsigned> slurm_per_task;  ///< SLURM_CPUS_PER_TASK: for each rank
    std::optional<unsigned> slurm_on_node;   ///< SLURM_CPUS_ON_NODE: for all ranks on this host
};

CpuLimits current_cpu_limits();

/// Threads for one of `local_ranks` ranks on this host, at least one. A per-task number of Slurm holds for each rank,
/// and its mask may already be the rank's own; without it the mask and the quota are shared among the ranks.
unsigned threads_for_rank(const CpuLimits& limits, unsigned local_ranks);

/// The smallest quota along the path of the cgroup that `proc_cgroup` (the text of /proc/self/cgroup) names, read
/// below `mount` (normally /sys/fs/cgroup): cpu.max of version 2, or cpu.cfs_quota_us and cpu.cfs_period_us of
/// version 1.
std::optional<double> cgroup_cpu_quota(std::string_view proc_cgroup, const std::string& mount);

}  // namespace regrove
