// What signals and the time limit do to the process: end it without half-written files, or ask it to stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {

/// Made before MPI_Init and before any thread: the watched signals are blocked in all threads and awaited by one of
/// its own. TERM, INT and HUP remove the temporaries and end the process by that signal; USR1 asks to stop at the
/// next safe point; USR2 asks for a checkpoint, which means nothing to jobs without them.
class SignalWatch {
  public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    bool stop_requested() const { return stop_requested_; }
    /// How often USR2 has come.
    std::uint64_t checkpoint_requests() const { return checkpoint_requests_; }
    /// From now on: after `seconds` the process removes its temporaries, says so if `speaks`, and exits with `code`.
    void set_time_limit(double seconds, ExitCode code, bool speaks);
    /// The job ends by itself at a safe point: at the limit it gets some more time to do so.
    void allow_grace() { grace_ = true; }
    void set_limit_code(ExitCode code) { limit_code_ = code; }

  private:
    void watch();
    [[noreturn]] void end_at_limit() const;

    std::atomic<bool> stop_requested_{false};
    std::atomic<std::uint64_t> checkpoint_requests_{0};
    std::atomic<bool> finished_{false};
    std::atomic<bool> grace_{false};
    std::atomic<double> deadline_seconds_;  ///< on the steady clock; infinity: none
    std::atomic<ExitCode> limit_code_{ExitCode::limit};
    std::atomic<bool> speaks_{true};
    std::thread thread_;
};

}  // namespace regrove::pipeline
