// One incarnation at work in a checkpoint folder: what it found, what it may write, what it has written last.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/store/checkpoint.hpp"

#include "checkpoint_folder.hpp"
#include "checkpoint_lease.hpp"
#include "checkpoint_manifest.hpp"

namespace regrove::store {

class CheckpointSession {
  public:
    /// Collective; errors as CheckpointStore's.
    CheckpointSession(comm::Communicator& comm, CheckpointPlace place, CheckpointIdentity identity);

    comm::Communicator& comm() const { return comm_; }
    const CheckpointPlace& place() const { return place_; }
    const CheckpointIdentity& identity() const { return identity_; }
    const std::string& incarnation() const { return incarnation_; }
    std::uint64_t epoch() const { return epoch_; }
    /// On the root only.
    const Lease& lease() const { return *lease_; }
    /// The generation that the next one may build on: the last committed, or the one resumed from.
    const std::optional<Manifest>& last() const { return last_; }

    std::uint64_t next_number() { return ++last_number_; }
    /// Whether the next generation is to hold all records.
    bool wants_all() const;
    void note_committed(Manifest manifest);
    void note_failed(bool was_full);
    /// On the root, after a generation has been verified.
    void drop_surplus() const;
    void step(std::string_view name) const {
        if (place_.on_step) place_.on_step(name);
    }

  private:
    void look_and_take();
    void decide(const FolderContents& contents) const;
    void require_same_identity(const Manifest& manifest) const;
    bool starts_anew(const FolderContents& contents) const;
    void clean(const FolderContents& contents);
    void require_shared_folder() const;
    void choose();
    std::string why_not(FoundGeneration& candidate);

    comm::Communicator& comm_;
    CheckpointPlace place_;
    CheckpointIdentity identity_;
    std::unique_ptr<Lease> lease_;  ///< on the root
    std::string incarnation_;
    std::uint64_t epoch_ = 0;
    std::uint64_t last_number_ = 0;
    FolderContents found_;  ///< on the root, while choosing
    std::optional<Manifest> last_;
    std::set<std::string> damaged_;  ///< on the root: names of generations that were found bad
    bool full_failed_ = false;
};

}  // namespace regrove::store
