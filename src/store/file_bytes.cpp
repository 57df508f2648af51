#include "file_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "regrove/core/error.hpp"

namespace regrove::store {

namespace {
/// Linux moves at most about 2 GiB a call.
constexpr std::size_t k_call_bytes = std::size_t{1} << 30U;
}  // namespace

OpenFile::OpenFile(std::string path, int flags, const char* action, unsigned mode) : path_(std::move(path)) {
    file_ = open(path_.c_str(), flags | O_CLOEXEC, mode);
    if (file_ < 0) throw io_error(action, path_, errno);
}

OpenFile::~OpenFile() {
    if (file_ >= 0) close(file_);
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

void OpenFile::write_at(std::uint64_t offset, const void* bytes, std::size_t size) const {
    const auto* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t done = pwrite(file_, from, std::min(size, k_call_bytes), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) throw io_error("write", path_, errno);
        if (done == 0) throw io_error("write", path_, ENOSPC);
        from += done;
        offset += static_cast<std::uint64_t>(done);
        size -= static_cast<std::size_t>(done);
    }
}

void OpenFile::read_at(std::uint64_t offset, void* bytes, std::size_t size) const {
    auto* to = static_cast<char*>(bytes);
    while (size > 0) {
        const ssize_t done = pread(file_, to, std::min(size, k_call_bytes), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) throw io_error("read", path_, errno);
        if (done == 0) throw io_error("read", path_, EIO);
        to += done;
        offset += static_cast<std::uint64_t>(done);
        size -= static_cast<std::size_t>(done);
    }
}

void OpenFile::sync() const {
    if (fsync(file_) != 0) throw io_error("write", path_, errno);
}

void OpenFile::reserve(std::uint64_t offset, std::uint64_t size) const {
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < offset + size) throw io_error("write", path_, EFBIG);
    int status = 0;
    do {
        status = fallocate(file_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(size));
    } while (status != 0 && errno == EINTR);
    if (status != 0 && errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)
        throw io_error("write", path_, errno);
}

void OpenFile::drop_reserved() const {
    const off_t length = lseek(file_, 0, SEEK_END);
    if (length < 0 || ftruncate(file_, length) != 0) throw io_error("write", path_, errno);
}

bool OpenFile::try_lock() const {
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK || errno == EINTR) return false;
    if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) return true;
    throw io_error("lock", path_, errno);
}

void OpenFile::forget_copies() const { posix_fadvise(file_, 0, 0, POSIX_FADV_DONTNEED); }

void OpenFile::unlink() const { ::unlink(path_.c_str()); }

void sync_file(const std::string& path) { OpenFile(path, O_RDONLY, "write").sync(); }

void sync_folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    OpenFile(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY, "write").sync();
}

}  // namespace regrove::store
