// Progress of long work: a live line with rate and remaining time on a terminal, sparse lines in a log.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace regrove {

/// `on` writes lines more often than `automatic` where there is no terminal.
enum class ProgressMode { automatic, on, off };

/// Chosen once at start-up; ranks other than 0 are always off.
void set_progress_mode(ProgressMode mode, int rank);

/// Counts units of work; writes at most ten times a second on a terminal and once a minute elsewhere, and at the end,
/// if it took more than a few seconds. Thread-safe. Ends its line when destroyed.
class Progress {
  public:
    /// `total` zero means unknown.
    Progress(std::string what, std::uint64_t total, std::string unit);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void advance(std::uint64_t units);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace regrove
