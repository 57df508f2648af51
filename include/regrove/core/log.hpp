// The one log: to standard error, from rank 0 unless a message concerns one rank only.
#pragma once

#include <string>
#include <string_view>

namespace regrove::log {

enum class Level { quiet, error, warning, info, debug };

/// `rank` prefixes messages when there is more than one; ranks other than 0 log warnings and errors only at debug.
void configure(Level level, int rank, int ranks);
Level level();

void error(std::string_view message);
void warning(std::string_view message);
void info(std::string_view message);
void debug(std::string_view message);

}  // namespace regrove::log
