// Where Linux and Slurm say how many processors this process may use.
#include "regrove/core/cpu_limits.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include <sched.h>

namespace regrove {

namespace {

std::string read_text(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The first whole number of `text`, after blanks; nullopt for "max", "-1" and other words.
std::optional<std::uint64_t> leading_count(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end == text.data() || value == 0) return std::nullopt;
    return value;
}

std::optional<double> ratio(std::optional<std::uint64_t> quota, std::optional<std::uint64_t> period) {
    if (!quota || !period) return std::nullopt;
    return static_cast<double>(*quota) / static_cast<double>(*period);
}

/// cpu.max holds "200000 100000" or "max 100000".
std::optional<double> quota_v2(const std::string& folder) {
    const std::string text = read_text(folder + "/cpu.max");
    const std::size_t blank = std::min(text.find(' '), text.size());
    return ratio(leading_count(std::string_view(text).substr(0, blank)),
                 leading_count(std::string_view(text).substr(blank)));
}

std::optional<double> quota_v1(const std::string& folder) {
    return ratio(leading_count(read_text(folder + "/cpu.cfs_quota_us")),
                 leading_count(read_text(folder + "/cpu.cfs_period_us")));
}

void take_smaller(std::optional<double>& smallest, std::optional<double> found) {
    if (found && (!smallest || *found < *smallest)) smallest = found;
}

/// The smallest quota of `path` and its ancestors below `root`; a container may see only the root of its own cgroup.
std::optional<double> smallest_along(const std::string& root, std::string path,
                                     std::optional<double> (*quota)(const std::string&)) {
    std::optional<double> smallest;
    while (!path.empty() && path != "/") {
        take_smaller(smallest, quota(root + path));
        path.erase(std::min(path.rfind('/'), path.size()));
    }
    take_smaller(smallest, quota(root));
    return smallest;
}

bool names_cpu(std::string_view controllers) {
    while (!controllers.empty()) {
        const std::size_t comma = std::min(controllers.find(','), controllers.size());
        if (controllers.substr(0, comma) == "cpu") return true;
        controllers.remove_prefix(std::min(comma + 1, controllers.size()));
    }
    return false;
}

/// One line of /proc/self/cgroup: "id:controllers:path"; version 2 has id 0 and no controllers.
std::optional<double> quota_of_line(std::string_view line, const std::string& mount) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', std::min(first, line.size() - 1) + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
    const std::string controllers(line.substr(first + 1, second - first - 1));
    const std::string path(line.substr(second + 1));
    std::optional<double> smallest;
    if (controllers.empty()) {
        take_smaller(smallest, smallest_along(mount, path, quota_v2));
        take_smaller(smallest, smallest_along(mount + "/unified", path, quota_v2));
    } else if (names_cpu(controllers)) {
        take_smaller(smallest, smallest_along(mount + '/' + controllers, path, quota_v1));
        take_smaller(smallest, smallest_along(mount + "/cpu", path, quota_v1));
    }
    return smallest;
}

unsigned affinity_count() {
    // The mask may be larger than cpu_set_t on big machines: grow until the kernel takes it.
    for (std::size_t processors = 1024; processors <= (1U << 20U); processors *= 4) {
        std::vector<cpu_set_t> masks(CPU_ALLOC_SIZE(processors) / sizeof(cpu_set_t) + 1);
        const std::size_t bytes = masks.size() * sizeof(cpu_set_t);
        if (sched_getaffinity(0, bytes, masks.data()) == 0)
            return static_cast<unsigned>(CPU_COUNT_S(bytes, masks.data()));
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

std::optional<unsigned> environment_count(const char* name) {
    const char* const text = std::getenv(name);
    const auto value = text == nullptr ? std::nullopt : leading_count(text);
    if (!value) return std::nullopt;
    return static_cast<unsigned>(std::min<std::uint64_t>(*value, 1U << 20U));
}

}  // namespace

std::optional<double> cgroup_cpu_quota(std::string_view proc_cgroup, const std::string& mount) {
    std::optional<double> smallest;
    while (!proc_cgroup.empty()) {
        const std::size_t end = std::min(proc_cgroup.find('\n'), proc_cgroup.size());
        if (end > 0) take_smaller(smallest, quota_of_line(proc_cgroup.substr(0, end), mount));
        proc_cgroup.remove_prefix(std::min(end + 1, proc_cgroup.size()));
    }
    return smallest;
}

CpuLimits current_cpu_limits() {
    return {affinity_count(), cgroup_cpu_quota(read_text("/proc/self/cgroup"), "/sys/fs/cgroup"),
            environment_count("SLURM_CPUS_PER_TASK"), environment_count("SLURM_CPUS_ON_NODE")};
}

unsigned threads_for_rank(const CpuLimits& limits, unsigned local_ranks) {
    const unsigned ranks = std::max(1U, local_ranks);
    unsigned threads =
        limits.slurm_per_task ? std::min(limits.affinity, *limits.slurm_per_task) : limits.affinity / ranks;
    if (limits.slurm_on_node) threads = std::min(threads, *limits.slurm_on_node / ranks);
    if (limits.cgroup_quota) threads = std::min(threads, static_cast<unsigned>(*limits.cgroup_quota / ranks));
    return std::max(1U, threads);
}

}  // namespace regrove
