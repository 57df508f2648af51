// The known name that a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace regrove {

/// The one of `known` nearest to `name` by edit distance, the first of equals; empty when none is near (more than a
/// third of the letters differ).
std::string nearest_name(std::string_view name, std::span<const std::string> known);

}  // namespace regrove
