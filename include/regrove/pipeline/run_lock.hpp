// At most one live process works in a run directory.
#pragma once

#include <string>

namespace regrove::pipeline {

/// Holds `folder`/lock: a kernel lock, released however the process ends, and the holder's host and process for
/// people. A file left by a process of this host that is gone is taken over. Throws IoError (73) when the run is in
/// use, or when the file names another host, whose processes cannot be seen from here.
class RunLock {
  public:
    explicit RunLock(const std::string& folder);
    ~RunLock();
    RunLock(const RunLock&) = delete;
    RunLock& operator=(const RunLock&) = delete;

  private:
    std::string path_;
    int file_ = -1;
};

}  // namespace regrove::pipeline
