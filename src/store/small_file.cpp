// Temporary, sync, rename, sync of the folder.
#include "small_file.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/temporary_file.hpp"

#include "file_bytes.hpp"

namespace regrove::store {

std::optional<std::string> read_if_there(const std::string& path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT) return std::nullopt;
        throw io_error("read", path, errno);
    }
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    const OpenFile file(path, O_RDONLY, "read");
    file.read_at(0, text.data(), text.size());
    return text;
}

std::string write_temporary(const std::string& path, std::string_view text) {
    const std::string temporary = temporary_name(path);
    try {
        const OpenFile file(temporary, O_WRONLY | O_CREAT | O_TRUNC, "write");
        file.write_at(0, text.data(), text.size());
        file.sync();
    } catch (const IoError&) {
        ::unlink(temporary.c_str());
        throw;
    }
    return temporary;
}

void rename_durably(const std::string& from, const std::string& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) throw io_error("create", to, errno);
    sync_folder_of(to);
}

void replace_durably(const std::string& path, std::string_view text) {
    rename_durably(write_temporary(path, text), path);
}

}  // namespace regrove::store
