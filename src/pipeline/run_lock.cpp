#include "regrove/pipeline/run_lock.hpp"

#include <cerrno>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/log.hpp"

namespace regrove::pipeline {

namespace {

struct Holder {
    std::string host;
    std::string process;
};

std::string this_host() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

Holder read_holder(int file) {
    char text[512] = {};
    const auto size = pread(file, text, sizeof text - 1, 0);
    std::istringstream words(std::string(text, size > 0 ? static_cast<std::size_t>(size) : 0));
    Holder holder;
    words >> holder.host >> holder.process;
    return holder;
}

IoError in_use(const std::string& path, const Holder& holder, const std::string& advice) {
    return {ExitCode::cannot_create, "the run directory is in use by process " + holder.process + " on host " +
                                         holder.host + " (" + path + "); " + advice};
}

/// False when the file was removed or replaced between opening and locking it.
bool is_still_at(int file, const std::string& path) {
    struct stat opened {};
    struct stat named {};
    return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

int open_locked(const std::string& path) {
    while (true) {
        const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (file < 0) throw io_error("create", path, errno);
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            const Holder holder = read_holder(file);
            close(file);
            throw in_use(path, holder, "wait for it, or give another --dir");
        }
        if (is_still_at(file, path)) return file;
        close(file);
    }
}

}  // namespace

RunLock::RunLock(const std::string& folder) : path_(folder + "/lock"), file_(open_locked(path_)) {
    const Holder old = read_holder(file_);
    if (!old.host.empty() && old.host != this_host()) {
        close(file_);
        throw in_use(path_, old, "if that process is gone, delete the file and run again");
    }
    if (!old.host.empty())
        log::warning("taking over the run directory from process " + old.process + ", which ended early");
    const std::string text = this_host() + " " + std::to_string(getpid()) + "\n";
    if (ftruncate(file_, 0) != 0 || pwrite(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
        const auto error = io_error("write", path_, errno);
        close(file_);
        throw error;
    }
}

RunLock::~RunLock() {
    unlink(path_.c_str());
    close(file_);
}

}  // namespace regrove::pipeline
