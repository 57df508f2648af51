// A carriage return and "erase to the end of the line" under one lock.
#include "live_line.hpp"

#include <cstdio>
#include <mutex>

namespace regrove::live_line {

namespace {

std::mutex& lock() {
    static std::mutex mutex;
    return mutex;
}

bool g_shown = false;

}  // namespace

void show(std::string_view text) {
    const std::lock_guard guard(lock());
    std::fprintf(stderr, "\r%.*s\x1b[K", static_cast<int>(text.size()), text.data());
    std::fflush(stderr);
    g_shown = true;
}

void clear() {
    const std::lock_guard guard(lock());
    if (!g_shown) return;
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    g_shown = false;
}

}  // namespace regrove::live_line
