// When progress is written, and in which words.
#include "regrove/core/progress.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <utility>

#include <unistd.h>

#include "regrove/core/log.hpp"
#include "regrove/core/number_text.hpp"

#include "live_line.hpp"

namespace regrove {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double k_live_seconds = 0.1;    // between two writings of the live line
constexpr double k_sparse_seconds = 60;   // between two lines in a log
constexpr double k_wanted_seconds = 5;    // the same where lines were asked for
constexpr double k_long_seconds = 3;      // shorter work needs no closing line
constexpr double k_estimate_seconds = 1;  // before that a rate says little

enum class Style { silent, live, sparse_lines, wanted_lines };

std::atomic<Style> g_style{Style::silent};

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

double pause_seconds(Style style) {
    if (style == Style::live) return k_live_seconds;
    return style == Style::wanted_lines ? k_wanted_seconds : k_sparse_seconds;
}

std::string count_text(std::uint64_t count) {
    std::string text = std::to_string(count);
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ' ');
    return text;
}

}  // namespace

void set_progress_mode(ProgressMode mode, int rank) {
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    if (rank != 0 || mode == ProgressMode::off) {
        g_style = Style::silent;
    } else if (terminal) {
        g_style = Style::live;
    } else {
        g_style = mode == ProgressMode::on ? Style::wanted_lines : Style::sparse_lines;
    }
}

struct Progress::State {
    std::string what;
    std::uint64_t total;
    std::string unit;
    Style style = g_style;
    Clock::time_point start = Clock::now();
    std::atomic<std::uint64_t> done{0};
    std::mutex writing;
    Clock::time_point written = start;

    State(std::string what_, std::uint64_t total_, std::string unit_)
        : what(std::move(what_)), total(total_), unit(std::move(unit_)) {}

    /// "sort columns: 3 of 28 columns (10 %), 1.2 columns/s, 21 s left".
    std::string line(double seconds) const {
        const std::uint64_t count = done;
        std::string text = what + ": " + count_text(count);
        if (total != 0) text += " of " + count_text(total);
        text += ' ' + unit;
        if (total != 0) text += " (" + std::to_string(100 * static_cast<unsigned long long>(count) / total) + " %)";
        if (seconds < k_estimate_seconds || count == 0) return text;
        const double rate = static_cast<double>(count) / seconds;
        char rate_text[32];
        std::snprintf(rate_text, sizeof rate_text, rate < 100 ? ", %.1f " : ", %.0f ", rate);
        text += rate_text + unit + "/s";
        if (total > count) text += ", " + format_seconds(static_cast<double>(total - count) / rate) + " left";
        return text;
    }

    void maybe_write() {
        const std::unique_lock guard(writing, std::try_to_lock);
        if (!guard) return;  // another thread is at it
        const auto now = Clock::now();
        if (seconds_between(written, now) < pause_seconds(style)) return;
        written = now;
        const std::string text = line(seconds_between(start, now));
        if (style == Style::live) {
            live_line::show(text);
        } else {
            log::info(text);
        }
    }

    void close() {
        const double seconds = seconds_between(start, Clock::now());
        if (style == Style::live) live_line::clear();
        if (style == Style::silent || seconds < k_long_seconds) return;
        log::info(what + ": " + count_text(done) + ' ' + unit + " in " + format_seconds(seconds));
    }
};

Progress::Progress(std::string what, std::uint64_t total, std::string unit)
    : state_(std::make_unique<State>(std::move(what), total, std::move(unit))) {}

Progress::~Progress() { state_->close(); }

void Progress::advance(std::uint64_t units) {
    state_->done += units;
    if (state_->style != Style::silent) state_->maybe_write();
}

}  // namespace regrove
