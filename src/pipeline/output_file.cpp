#include "regrove/pipeline/output_file.hpp"

#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/temporary_file.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::size_t k_buffer_bytes = std::size_t{1} << 18U;

void write_all(int file, std::string_view bytes, const std::string& path) {
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw io_error("write", path, errno);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string folder_of(const std::string& path) {
    const auto parent = std::filesystem::path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

/// A device, pipe or socket: there is nothing to replace, so it is written in place.
bool is_stream(const std::string& path) {
    struct stat info {};
    return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/// What a symbolic link leads to, so that the file and not the link is replaced.
std::string resolved(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_symlink(path, ignored)) return path;
    const auto target = std::filesystem::weakly_canonical(path, ignored);
    return ignored ? path : target.string();
}

/// The name in the folder is on disk only after this; file systems that cannot are left alone.
void sync_folder(const std::string& path) {
    const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    fsync(folder);
    close(folder);
}

}  // namespace

void require_writable(const std::string& path, bool overwrite) {
    if (path.empty()) throw ConfigError("the name of the output file is empty");
    if (path == "-" || is_stream(path)) return;
    struct stat info {};
    if (stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode))
            throw IoError(ExitCode::cannot_create, "cannot create '" + path + "': it is a folder");
        if (!overwrite) throw IoError(ExitCode::cannot_create, "'" + path + "' exists already");
    }
    const std::string folder = folder_of(resolved(path));
    if (stat(folder.c_str(), &info) != 0) throw io_error("create a file in", folder, errno);
    if (!S_ISDIR(info.st_mode)) throw io_error("create a file in", folder, ENOTDIR);
    if (access(folder.c_str(), W_OK | X_OK) != 0) throw io_error("create a file in", folder, errno);
}

struct OutputFile::State {
    std::string path;
    bool overwrite = false;
    bool in_place = false;
    int file = -1;
    std::string buffer;
    std::optional<TemporaryFile> temporary;

    void flush() {
        write_all(file, buffer, path);
        buffer.clear();
    }
    void close_file() {
        const int closing = std::exchange(file, -1);
        if (closing >= 0 && closing != STDOUT_FILENO && close(closing) != 0) throw io_error("write", path, errno);
    }
};

OutputFile::OutputFile(std::string path, bool overwrite, unsigned permissions) : state_(std::make_unique<State>()) {
    require_writable(path, overwrite);
    state_->path = path == "-" ? "standard output" : resolved(path);
    state_->overwrite = overwrite;
    state_->in_place = path == "-" || is_stream(path);
    if (path == "-") {
        state_->file = STDOUT_FILENO;
    } else if (state_->in_place) {
        state_->file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        remove_stale_temporaries(state_->path);
        state_->temporary.emplace(temporary_name(state_->path));
        unlink(state_->temporary->path().c_str());
        state_->file = open(state_->temporary->path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions);
    }
    if (state_->file < 0) throw io_error("create", path, errno);
}

OutputFile::~OutputFile() {
    if (state_->file >= 0 && state_->file != STDOUT_FILENO) close(state_->file);
}

void OutputFile::write(std::string_view bytes) {
    state_->buffer.append(bytes);
    if (state_->buffer.size() >= k_buffer_bytes) state_->flush();
}

void OutputFile::commit() {
    state_->flush();
    if (!state_->in_place && fsync(state_->file) != 0) throw io_error("write", state_->path, errno);
    state_->close_file();
    if (state_->in_place) return;
    state_->temporary->rename_to(state_->path, state_->overwrite);
    sync_folder(state_->path);
}

}  // namespace regrove::pipeline
