// A result file that appears under its name only when it is complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace regrove::pipeline {

/// Writes to a temporary beside `path`; commit() syncs and renames. Destroyed without commit, nothing is left.
/// "-" is standard output. Throws IoError (73) when `path` exists and `overwrite` is false, before any work is done.
class OutputFile {
  public:
    OutputFile(std::string path, bool overwrite, unsigned permissions = 0644);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    void write(std::string_view bytes);
    void commit();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Early refusal: throws IoError (73) when `path` exists and may not be overwritten, or its folder cannot be written.
void require_writable(const std::string& path, bool overwrite);

}  // namespace regrove::pipeline
