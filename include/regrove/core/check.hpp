// Checks of invariants that hold unless Regrove has a bug; a failure names the place and ends with InternalError.
#pragma once

#include "regrove/core/error.hpp"

namespace regrove {

[[noreturn]] inline void fail_check(const char* condition, const char* file, int line) {
    throw InternalError(std::string("internal check failed: ") + condition + " (" + file + ":" +
                        std::to_string(line) + "); please report this with the command that led here");
}

}  // namespace regrove

/// Costs one comparison, no communication: safe in every build.
#define REGROVE_CHECK(condition) \
    (static_cast<bool>(condition) ? void(0) : ::regrove::fail_check(#condition, __FILE__, __LINE__))
