// The exception types of Regrove and the process exit code that each of them ends in.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace regrove {

/// Exit codes follow sysexits(3); docs/cli.md lists them for users.
enum class ExitCode : int {
    ok = 0,
    answer_is_no = 1,
    usage = 64,
    data = 65,
    no_checkpoint = 66,
    limit = 69,
    internal = 70,
    cannot_create = 73,
    io = 74,
    stopped_resumable = 75,
    permission = 77,
    config = 78,
};

/// Base of all errors that Regrove reports to a person: says what was wrong, where, and what to do.
class Error : public std::runtime_error {
  public:
    Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

/// The command line itself is wrong (64).
struct UsageError : Error {
    explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// An option or configuration file is wrong: unknown key, value out of bounds, contradiction (78).
struct ConfigError : Error {
    explicit ConfigError(const std::string& message) : Error(ExitCode::config, message) {}
};

/// Where in an input file something was found; zero means unknown. Lines and columns count from one.
struct TextPosition {
    std::string file;
    std::uint64_t line = 0;
    std::uint64_t column = 0;
};

/// "file:line:column", leaving out what is unknown.
std::string to_string(const TextPosition& position);

/// The data are bad or do not match (65).
struct InputError : Error {
    explicit InputError(const std::string& message) : Error(ExitCode::data, message) {}
    InputError(const TextPosition& position, const std::string& message)
        : Error(ExitCode::data, to_string(position) + ": " + message) {}
};

/// A model or table file is not what it claims to be: truncated, corrupted or of an unknown version (65).
struct FormatError : Error {
    explicit FormatError(const std::string& message) : Error(ExitCode::data, message) {}
};

/// A budget of memory, time or size is used up and there is no way on (69).
struct LimitError : Error {
    explicit LimitError(const std::string& message) : Error(ExitCode::limit, message) {}
};

/// Reading or writing failed: no such file, disk full, device error (74), no permission (77), exists already (73).
struct IoError : Error {
    explicit IoError(const std::string& message) : Error(ExitCode::io, message) {}
    IoError(ExitCode code, const std::string& message) : Error(code, message) {}
};

/// An IoError for `path` from an errno value, with the exit code that fits it (EACCES and EPERM: 77, EEXIST: 73).
IoError io_error(std::string_view action, std::string_view path, int error_number);

/// A bug in Regrove (70).
struct InternalError : Error {
    explicit InternalError(const std::string& message) : Error(ExitCode::internal, message) {}
};

}  // namespace regrove
