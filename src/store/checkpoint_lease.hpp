// Which start of a job may write in a checkpoint folder: the one that the lease names.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/core/error.hpp"

#include "file_bytes.hpp"

namespace regrove::store {

/// Another incarnation has taken over (73).
struct StaleIncarnation : IoError {
    explicit StaleIncarnation(const std::string& message) : IoError(ExitCode::cannot_create, message) {}
};

/// Held while the lease is changed or relied upon, so that the two exclude each other, where the file system has locks.
class LeaseLock {
  public:
    /// Waits up to a minute; throws IoError (73) when somebody else holds it for longer.
    explicit LeaseLock(const std::string& folder);

  private:
    OpenFile file_;  ///< closing it unlocks
};

/// On the root only.
class Lease {
  public:
    /// Takes the lease of `folder` from whoever had it. Throws IoError (73) when that is another live process of this
    /// host, unless it belongs to the same Slurm job. The epoch is above `past_epoch` and that of the former lease.
    Lease(std::string folder, std::uint64_t past_epoch);
    /// Marks it as given back, when it is still ours.
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    const std::string& incarnation() const { return incarnation_; }
    std::uint64_t epoch() const { return epoch_; }
    /// Throws StaleIncarnation. The answer lasts as long as a LeaseLock is held.
    void require_ours() const;

  private:
    std::string folder_;
    std::string incarnation_;
    std::uint64_t epoch_ = 0;
};

/// The incarnation that the lease of `folder` names now; empty when there is no lease.
std::string leaseholder(const std::string& folder);

}  // namespace regrove::store
