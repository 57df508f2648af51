// What signals and the time limit do to the process: end it without half-written files, or ask it to stop.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {

/// Made before MPI_Init and before any thread: the watched signals are blocked in all threads and awaited by one of
/// its own. TERM, INT and HUP remove the temporaries and end the process by that signal; USR1 asks to stop at the
/// next safe point; USR2 is taken and means nothing without checkpoints.
class SignalWatch {
  public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    bool stop_requested() const { return stop_requested_; }
    /// From now on: after `seconds` the process removes its temporaries, says so if `speaks`, and exits with `code`.
    void set_time_limit(double seconds, ExitCode code, bool speaks);

  private:
    void watch();
    [[noreturn]] void end_at_limit() const;

    std::atomic<bool> stop_requested_{false};
    std::atomic<bool> finished_{false};
    std::atomic<double> deadline_seconds_;  ///< on the steady clock; infinity: none
    std::atomic<ExitCode> limit_code_{ExitCode::limit};
    std::atomic<bool> speaks_{true};
    std::thread thread_;
};

}  // namespace regrove::pipeline
