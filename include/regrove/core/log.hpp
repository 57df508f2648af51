// The one log: to standard error, from rank 0 unless a message concerns one rank only.
#pragma once

#include <string>
#include <string_view>

namespace regrove::log {

enum class Level { quiet, error, warning, info, debug };

/// Ranks other than 0 are silent, except that at level debug they log warnings and errors, with their rank in front.
/// Lines read "regrove: warning: text".
void configure(Level level, int rank, int ranks);
Level level();

void error(std::string_view message);
void warning(std::string_view message);
void info(std::string_view message);
void debug(std::string_view message);

}  // namespace regrove::log
