// Files that must not be left behind half-written, whatever ends the process short of SIGKILL.
#pragma once

#include <string>
#include <string_view>

namespace regrove {

/// The name of the temporary that stands beside `path` until it is complete, PATH.partial-PID-HOST; the same process
/// gets the same name.
std::string temporary_name(std::string_view path);

/// Removes the temporaries beside `path` that killed processes of this host have left. Those of processes that are
/// alive, and of other hosts (the folder may be shared), stay.
void remove_stale_temporaries(const std::string& path);

/// Owns the name of a temporary file: removes the file on destruction unless rename_to() has succeeded, and lets
/// remove_all_temporary_files() remove it when a signal ends the process.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string path);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return path_; }
    /// Renames to `target`; with `replace` false, throws IoError (73) when `target` exists, even if it appeared just
    /// now.
    void rename_to(const std::string& target, bool replace);

  private:
    std::string path_;
    bool owned_ = true;
};

/// Removes every temporary of this process. From then on making or renaming one blocks for ever: the caller ends the
/// process.
void remove_all_temporary_files() noexcept;

}  // namespace regrove
