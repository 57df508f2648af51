#include "regrove/core/error.hpp"

#include <cerrno>
#include <cstring>

namespace regrove {

std::string to_string(const TextPosition& position) {
    std::string text = position.file;
    if (position.line == 0) return text;
    text += ':' + std::to_string(position.line);
    if (position.column != 0) text += ':' + std::to_string(position.column);
    return text;
}

IoError io_error(std::string_view action, std::string_view path, int error_number) {
    ExitCode code = ExitCode::io;
    if (error_number == EACCES || error_number == EPERM) code = ExitCode::permission;
    if (error_number == EEXIST) code = ExitCode::cannot_create;
    std::string message = "cannot ";
    message.append(action).append(" '").append(path).append("': ").append(std::strerror(error_number));
    return {code, message};
}

}  // namespace regrove
