// The version of the sources, equal to the one in CMakeLists.txt (a test compares them), beside the build's traits.
#include "regrove/core/version.hpp"

namespace regrove {

namespace {

std::string compiler_text() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__) + '.' +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "gcc " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__) + '.' +
           std::to_string(__GNUC_PATCHLEVEL__);
#else
    return "unknown compiler";
#endif
}

std::string processor_text() {
#if defined(__x86_64__)
    return "x86_64";
#elif defined(__aarch64__)
    return "aarch64";
#else
    return "other processor";
#endif
}

std::string build_type_text() {
#if defined(__OPTIMIZE__)
    return "optimised";
#else
    return "not optimised";
#endif
}

}  // namespace

std::string version_text() { return "0.1.0"; }

std::string build_text() {
    return "regrove " + version_text() + ", results " + std::to_string(k_results_version) + ", " + compiler_text() +
           ", " + processor_text() + ", " + build_type_text();
}

}  // namespace regrove
