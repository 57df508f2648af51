// The versions that a result depends on.
#pragma once

#include <string>

namespace regrove {

/// Changes whenever the bytes of a result may change for the same input, options and seed; golden hashes enforce it.
constexpr int k_results_version = 2;

/// "0.1.0".
std::string version_text();
/// Compiler, build type and the versions that bytes depend on, in one line; ranks compare it at start-up.
std::string build_text();

}  // namespace regrove
