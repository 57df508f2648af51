// How long a job may still work: the nearer of --time-limit and the end that Slurm has set, less a reserve.
#pragma once

#include <chrono>
#include <optional>

namespace regrove::pipeline {

class Deadline {
  public:
    /// None.
    Deadline() = default;
    /// Seconds from now; nullopt: none. The reserve for stopping is a tenth of the time limit, at most 5 s, and a
    /// quarter of Slurm's time, at most 90 s: Slurm's clock is coarse, and it kills.
    Deadline(std::optional<double> limit_seconds, std::optional<double> slurm_seconds);
    /// Negative when it is over, infinite when there is none.
    double seconds_left() const;

  private:
    std::optional<std::chrono::steady_clock::time_point> end_;
};

/// Seconds until SLURM_JOB_END_TIME (seconds since 1970); nullopt when it is not set, no number, or past.
std::optional<double> slurm_seconds_left();

}  // namespace regrove::pipeline
