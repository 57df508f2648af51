#include "regrove/pipeline/signal_watch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

#include <pthread.h>
#include <unistd.h>

#include "regrove/core/temporary_file.hpp"

namespace regrove::pipeline {

namespace {

constexpr int k_wake_signal = SIGURG;  // ignored by default, and sent by nobody here
constexpr double k_grace_seconds = 60;

sigset_t watched_signals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, k_wake_signal}) sigaddset(&set, signal);
    return set;
}

double now_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void say(const std::string& text) {
    // The process may be ending while another thread holds the C library's locks: write past them.
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

[[noreturn]] void end_by(int signal) {
    remove_all_temporary_files();
    std::signal(signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    kill(getpid(), signal);
    _exit(128 + signal);
}

}  // namespace

SignalWatch::SignalWatch() : deadline_seconds_(std::numeric_limits<double>::infinity()) {
    const sigset_t set = watched_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    thread_ = std::thread([this] { watch(); });
}

SignalWatch::~SignalWatch() {
    finished_ = true;
    pthread_kill(thread_.native_handle(), k_wake_signal);
    thread_.join();
}

void SignalWatch::set_time_limit(double seconds, ExitCode code, bool speaks) {
    limit_code_ = code;
    speaks_ = speaks;
    deadline_seconds_ = now_seconds() + seconds;
    pthread_kill(thread_.native_handle(), k_wake_signal);
}

void SignalWatch::watch() {
    const sigset_t set = watched_signals();
    while (!finished_) {
        const double left = deadline_seconds_ + (grace_ ? k_grace_seconds : 0) - now_seconds();
        if (left <= 0) end_at_limit();
        const double wait = std::min(left, 3600.0);
        const timespec time{static_cast<time_t>(wait), static_cast<long>((wait - std::floor(wait)) * 1e9)};
        const int signal = sigtimedwait(&set, nullptr, &time);
        if (signal == SIGUSR1) stop_requested_ = true;
        if (signal == SIGUSR2) ++checkpoint_requests_;
        if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP) end_by(signal);
    }
}

void SignalWatch::end_at_limit() const {
    remove_all_temporary_files();
    if (speaks_) say("regrove: error: the time limit (--time-limit) is reached; no half-written output was left\n");
    _exit(static_cast<int>(limit_code_.load()));
}

}  // namespace regrove::pipeline
