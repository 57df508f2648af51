// Anonymous memory files, opened by others through the process file system.
#include "regrove/core/shared_region.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"

namespace regrove {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw IoError("memory shared by this host's ranks: " + what + ": " + std::strerror(errno));
}

}  // namespace

SharedRegion::SharedRegion(int file, std::uint64_t bytes) : file_(file), bytes_(bytes) {
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (mapped == MAP_FAILED) {
        const int reason = errno;
        close(file);
        errno = reason;
        fail("cannot map it");
    }
    data_ = static_cast<std::byte*>(mapped);
}

SharedRegion SharedRegion::create(std::uint64_t bytes) {
    rlimit largest{};  // beyond it the system would end the process
    if (getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur < bytes) {
        errno = EFBIG;
        fail("cannot reserve it (ulimit -f)");
    }
    const int file = memfd_create("regrove", MFD_CLOEXEC);
    if (file < 0) fail("cannot make it");
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0) {
        const int reason = errno;
        close(file);
        errno = reason;
        fail("cannot reserve it");
    }
    return SharedRegion(file, bytes);
}

SharedRegion SharedRegion::join(const Handle& handle, std::uint64_t bytes) {
    const std::string path = "/proc/" + std::to_string(handle.process) + "/fd/" + std::to_string(handle.file);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) fail("cannot open that of process " + std::to_string(handle.process));
    SharedRegion region(file, bytes);
    struct stat found {};
    if (fstat(file, &found) != 0 || static_cast<std::uint64_t>(found.st_size) != bytes)
        throw IoError("memory shared by this host's ranks: process " + std::to_string(handle.process) +
                      " has another file under that number");
    return region;
}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

SharedRegion::~SharedRegion() {
    if (data_ != nullptr) munmap(data_, bytes_);
    if (file_ >= 0) close(file_);
}

void SharedRegion::commit(std::uint64_t begin, std::uint64_t bytes) {
    if (fallocate(file_, 0, static_cast<off_t>(begin), static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
}

void SharedRegion::discard(std::uint64_t begin, std::uint64_t bytes) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t first = (begin + page - 1) / page * page;
    const std::uint64_t last = (begin + bytes) / page * page;
    // Failing costs memory, nothing else.
    if (first < last) madvise(data_ + first, last - first, MADV_REMOVE);
}

SharedRegion::Handle SharedRegion::handle() const { return {getpid(), file_}; }

std::uint64_t host_identity() {
    // The boot's random number tells hosts apart, the namespace of process numbers the containers of one host.
    std::ostringstream identity;
    identity << std::ifstream("/proc/sys/kernel/random/boot_id").rdbuf();
    struct stat namespace_of_processes {};
    if (stat("/proc/self/ns/pid", &namespace_of_processes) == 0) identity << namespace_of_processes.st_ino;
    Hasher hasher;
    hasher.update(identity.str());
    return hasher.digest().low;
}

}  // namespace regrove
