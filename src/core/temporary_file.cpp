#include "regrove/core/temporary_file.hpp"

#include <cerrno>
#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "regrove/core/error.hpp"

namespace regrove {

namespace {

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
    return std::string(path) + ".partial-" + std::to_string(getpid());
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
