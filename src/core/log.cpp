// The log's levels and prefixes on top of spdlog.
#include "regrove/core/log.hpp"

#include <atomic>
#include <memory>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "live_line.hpp"

namespace regrove::log {

namespace {

std::atomic<Level> g_level{Level::info};

// Never destroyed: messages may come from destructors that run at exit.
spdlog::logger& sink() {
    static auto* const logger = [] {
        auto* made = new spdlog::logger("regrove", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made->set_pattern("regrove: %l: %v");
        made->set_level(spdlog::level::trace);
        made->flush_on(spdlog::level::trace);
        return made;
    }();
    return *logger;
}

std::atomic<bool> g_first_rank{true};

void write(Level wanted, spdlog::level::level_enum severity, std::string_view message) {
    const Level chosen = level();
    if (wanted > chosen) return;
    if (!g_first_rank && (chosen != Level::debug || wanted > Level::warning)) return;
    live_line::clear();
    sink().log(severity, spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace

void configure(Level level, int rank, int ranks) {
    g_level = level;
    g_first_rank = rank == 0;
    const bool name_rank = rank != 0 && ranks > 1;
    sink().set_pattern(name_rank ? "regrove: rank " + std::to_string(rank) + ": %l: %v" : "regrove: %l: %v");
}

Level level() { return g_level; }

void error(std::string_view message) { write(Level::error, spdlog::level::err, message); }
void warning(std::string_view message) { write(Level::warning, spdlog::level::warn, message); }
void info(std::string_view message) { write(Level::info, spdlog::level::info, message); }
void debug(std::string_view message) { write(Level::debug, spdlog::level::debug, message); }

}  // namespace regrove::log
