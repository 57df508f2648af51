#include "regrove/core/temporary_file.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove {

namespace {

constexpr std::string_view k_mark = ".partial-";
/// Of a host's name: enough to tell hosts apart, short enough for names of files.
constexpr std::size_t k_host_characters = 32;

std::string this_host() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    return std::string(name.data()).substr(0, k_host_characters);
}

/// Whether a name that ends in "PID-HOST" is that of a process of this host that is no more.
bool is_of_the_dead(std::string_view ending, std::string_view host) {
    const std::size_t dash = ending.find('-');
    if (dash == std::string_view::npos || ending.substr(dash + 1) != host) return false;
    const auto process = parse_int64(ending.substr(0, dash));
    if (process.status != NumberStatus::ok || process.value <= 0 ||
        process.value != static_cast<pid_t>(process.value))
        return false;
    return kill(static_cast<pid_t>(process.value), 0) != 0 && errno == ESRCH;
}

/// The temporaries of this process; process-wide because signals are.
struct Registry {
    std::mutex mutex;
    std::multiset<std::string> paths;
};

Registry& registry() {
    static auto* const instance = new Registry;  // never destroyed: a signal may come while the process ends
    return *instance;
}

void forget(const std::string& path) {
    auto& paths = registry().paths;
    if (const auto found = paths.find(path); found != paths.end()) paths.erase(found);
}

/// rename() that fails with EEXIST when the target exists; file systems without that operation get a plain check.
int rename_without_replacing(const char* from, const char* to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (access(to, F_OK) == 0) {
        errno = EEXIST;
        return -1;
    }
    return std::rename(from, to);
}

}  // namespace

std::string temporary_name(std::string_view path) {
    return std::string(path) + std::string(k_mark) + std::to_string(getpid()) + "-" + this_host();
}

/// Nobody waits for this: what cannot be listed or removed stays.
void remove_stale_temporaries(const std::string& path) {
    namespace fs = std::filesystem;
    const std::string beginning = fs::path(path).filename().string() + std::string(k_mark);
    const fs::path folder = fs::path(path).parent_path();
    const std::string host = this_host();
    std::error_code error;
    std::vector<fs::path> stale;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(beginning) && is_of_the_dead(std::string_view(name).substr(beginning.size()), host))
            stale.push_back(entry->path());
    }
    for (const fs::path& file : stale) unlink(file.c_str());  // no folder, whatever its name
}

TemporaryFile::TemporaryFile(std::string path) : path_(std::move(path)) {
    const std::lock_guard lock(registry().mutex);
    registry().paths.insert(path_);
}

TemporaryFile::~TemporaryFile() {
    const std::lock_guard lock(registry().mutex);
    if (!owned_) return;
    unlink(path_.c_str());
    forget(path_);
}

void TemporaryFile::rename_to(const std::string& target, bool replace) {
    const std::lock_guard lock(registry().mutex);
    const int status = replace ? std::rename(path_.c_str(), target.c_str())
                               : rename_without_replacing(path_.c_str(), target.c_str());
    if (status != 0) throw io_error("create", target, errno);
    owned_ = false;
    forget(path_);
}

void remove_all_temporary_files() noexcept {
    registry().mutex.lock();  // kept for ever: no temporary appears after this
    for (const auto& path : registry().paths) unlink(path.c_str());
}

}  // namespace regrove
