// The protocol by which one generation comes to be, or not.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "regrove/store/checkpoint.hpp"

#include "checkpoint_session.hpp"
#include "shard_file_writer.hpp"

namespace regrove::store {

/// begin: lease, folder. Then each rank fills its file. commit: files closed and synced; ranks agree; lease; manifest
/// named; files read again; older generations dropped. Until the manifest has its name, nothing of it counts.
class GenerationWriter {
  public:
    /// Collective. Throws StaleIncarnation, agreed.
    explicit GenerationWriter(std::shared_ptr<CheckpointSession> session, std::uint64_t step);
    ~GenerationWriter();
    GenerationWriter(const GenerationWriter&) = delete;
    GenerationWriter& operator=(const GenerationWriter&) = delete;

    std::uint64_t number() const { return number_; }
    bool is_full() const { return is_full_; }
    void add(const DatasetFacts& like, ShardId shard, std::span<const std::byte> records);
    void add_text(std::string_view name, std::string_view bytes);
    CommitOutcome commit(IfFailed if_failed);

  private:
    template <class Work>
    void attempt(const Work& work);
    bool agree();
    std::string path() const { return session_->place().folder + "/" + name_; }
    void make_folder() const;
    std::string finish_own_file();
    void write_manifest(const std::vector<std::string>& lines);
    Manifest make_manifest(const std::vector<std::string>& lines) const;
    void name_manifest() const;
    void verify();
    void drop_older();
    void remove_all();
    void look_for_robber();
    CommitOutcome succeed();
    CommitOutcome fail(IfFailed if_failed);
    double seconds() const;

    std::shared_ptr<CheckpointSession> session_;
    std::chrono::steady_clock::time_point start_;
    std::uint64_t step_;
    std::uint64_t number_;
    bool is_full_;
    bool committed_ = false;
    std::string name_;
    std::string problem_;  ///< this rank's first, or the agreed one
    bool is_stale_ = false;
    std::unique_ptr<ShardFileWriter> file_;
    Manifest manifest_;
    std::string temporary_manifest_;
};

}  // namespace regrove::store
