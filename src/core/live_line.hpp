// The one line of the terminal that progress rewrites, shared with the log so that neither writes into the other.
#pragma once

#include <string_view>

namespace regrove::live_line {

/// Replaces the live line of standard error by `text` (no line end).
void show(std::string_view text);
/// Removes the live line, if there is one; callers write whole lines afterwards.
void clear();

}  // namespace regrove::live_line
