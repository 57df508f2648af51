// Checkpoints of long jobs: numbered generations of records in a folder, written and read by all ranks together.
//
// Glossary (docs/checkpoints.md has format and protocol)
//   generation   one state of the job, complete or not there at all
//   dataset      named records of one fixed size; each record lies in a logical shard (store/checkpoint_shard.hpp)
//   appended     a dataset that grows: a generation holds all records appended up to it; old ones are not written again
//   put          a dataset that is replaced: a generation holds only what was put for it
//   text         named bytes of the root: small state such as JSON or an archive (store/checkpoint_archive.hpp)
//   incarnation  one start of the job; only the newest one may write
//
//     CheckpointStore store(comm, place, identity);
//     if (auto* found = store.resumed()) found->read<Entry>("memo", [&](ShardId, std::span<const Entry> e) { ... });
//     ...
//     auto writer = store.begin(step);
//     writer.append<Entry>("memo", writer.wants_all() ? all : changed, shard_of_entry);
//     writer.put_text("state", text);
//     if (writer.commit().committed) changed.clear();
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/store/checkpoint_identity.hpp"
#include "regrove/store/checkpoint_shard.hpp"

namespace regrove::store {

struct CheckpointPlace {
    std::string folder;  ///< made when it is not there; the same for all ranks, on a file system that they share
    ResumeMode resume = ResumeMode::automatic;
    bool overwrite = false;   ///< with ResumeMode::never: remove the checkpoints that are there
    bool drop_other = false;  ///< with `automatic`: drop those of another identity, with a warning
    unsigned keep = 2;        ///< generations that stay, at least 1
    unsigned chain = 16;      ///< generations after which one is written in full again
    /// Told the steps of the protocol as this rank comes to them: "begun", "written", "agreed", "manifest", "named",
    /// "verified", "dropped". For tests and traces.
    std::function<void(std::string_view step)> on_step = {};
};

/// How an attempt to write a generation ended; the same on all ranks.
struct CommitOutcome {
    bool committed = false;
    std::string problem;           ///< why not; the run may go on, its earlier generations are as they were
    std::uint64_t generation = 0;  ///< its number
    std::uint64_t bytes = 0;       ///< written, by all ranks
    double seconds = 0;            ///< from begin() to the end of commit(), the longest over the ranks
};

/// What to do when a generation cannot be written (disk full, I/O error).
enum class IfFailed : std::uint8_t {
    warn,  ///< log a warning and return
    fail,  ///< throw IoError on all ranks: there is no later chance
};

/// A verified generation, open for reading. Calls are collective.
class CheckpointGeneration {
  public:
    ~CheckpointGeneration();
    CheckpointGeneration(const CheckpointGeneration&) = delete;
    CheckpointGeneration& operator=(const CheckpointGeneration&) = delete;

    std::uint64_t number() const;
    std::uint64_t step() const;  ///< as given to begin()
    int ranks() const;           ///< that wrote it
    std::string when() const;    ///< UTC, ISO 8601
    /// Records of a dataset over all shards, superseded ones of an appended dataset counted too; zero when there is
    /// no such dataset.
    std::uint64_t records(std::string_view dataset) const;

    /// Passes the records of this rank's shards (shards_of_rank) to `take`, in pieces of one shard; a shard's records
    /// come in the order in which they were appended or put, the oldest generation's first, so that the last of equal
    /// keys holds. No call when there is no such dataset. Throws FormatError when records have another size, IoError;
    /// agreed. `take` may throw, but not communicate.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void read(std::string_view dataset, const std::function<void(ShardId, std::span<const T>)>& take) const {
        std::vector<T> piece;  // the file's bytes have no alignment of their own
        read_bytes(dataset, sizeof(T), [&](ShardId shard, std::span<const std::byte> bytes) {
            piece.resize(bytes.size() / sizeof(T));
            std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(piece.data()));
            take(shard, std::span<const T>(piece));
        });
    }
    /// On every rank; nullopt when there is no such text.
    std::optional<std::string> text(std::string_view name) const;

  private:
    friend class CheckpointStore;
    struct State;
    explicit CheckpointGeneration(std::unique_ptr<State> state);
    using TakeBytes = std::function<void(ShardId, std::span<const std::byte>)>;
    void read_bytes(std::string_view dataset, std::size_t record_bytes, const TakeBytes& take) const;
    std::unique_ptr<State> state_;
};

/// Takes the records of one generation. append(), put() and put_text() are local and do not throw on I/O errors:
/// commit() reports them. Destroyed without commit(), nothing is left. From the main thread only.
class CheckpointWriter {
  public:
    CheckpointWriter(CheckpointWriter&&) noexcept;
    CheckpointWriter& operator=(CheckpointWriter&&) noexcept;
    ~CheckpointWriter();

    std::uint64_t generation() const;
    /// Whether appended datasets must be given in full (the same on all ranks): the first generation, and now and
    /// then a later one, to leave superseded records behind. Otherwise only what has been new or changed since the
    /// last *committed* generation.
    bool wants_all() const;

    /// Adds records of one shard to an appended dataset. Any rank may give records of any shard; a shard's records
    /// keep their order only when one rank gives them.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void append(std::string_view dataset, ShardId shard, std::span<const T> records) {
        add(dataset, Growth::appended, sizeof(T), shard, std::as_bytes(records));
    }
    /// As above with `shard_of` telling the shard of each record.
    template <class T, class ShardOf>
    requires std::is_trivially_copyable_v<T>
    void append(std::string_view dataset, std::span<const T> records, ShardOf&& shard_of) {
        add_sorted(dataset, Growth::appended, records, shard_of);
    }
    /// The same for a dataset of which this generation holds only these records.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(std::string_view dataset, ShardId shard, std::span<const T> records) {
        add(dataset, Growth::replaced, sizeof(T), shard, std::as_bytes(records));
    }
    template <class T, class ShardOf>
    requires std::is_trivially_copyable_v<T>
    void put(std::string_view dataset, std::span<const T> records, ShardOf&& shard_of) {
        add_sorted(dataset, Growth::replaced, records, shard_of);
    }
    /// The root's counts; on other ranks it does nothing.
    void put_text(std::string_view name, std::string_view bytes);

    /// Collective, once. Returns when the generation is on disk, named, read again and found good, and surplus older
    /// ones are dropped; or when it could not be written. Throws on all ranks: IoError (73) when another incarnation
    /// has taken over, after which nothing may be written; as `if_failed` says.
    CommitOutcome commit(IfFailed if_failed = IfFailed::warn);

  private:
    friend class CheckpointStore;
    enum class Growth : std::uint8_t { appended, replaced };
    struct State;
    explicit CheckpointWriter(std::unique_ptr<State> state);
    void add(std::string_view dataset, Growth growth, std::size_t record_bytes, ShardId shard,
             std::span<const std::byte> records);

    /// Counting sort by shard, a block at a time, so that the index of the file stays small. Stable.
    template <class T, class ShardOf>
    void add_sorted(std::string_view dataset, Growth growth, std::span<const T> records, ShardOf& shard_of) {
        constexpr std::size_t k_block = std::size_t{1} << 20U;
        std::vector<T> sorted;
        for (std::size_t begin = 0; begin < records.size(); begin += k_block) {
            const auto block = records.subspan(begin, std::min(k_block, records.size() - begin));
            std::vector<std::size_t> ends(k_shards + 1);
            for (const T& record : block) ++ends[shard_of(record) + 1];
            for (ShardId s = 0; s < k_shards; ++s) ends[s + 1] += ends[s];
            sorted.resize(block.size());
            for (const T& record : block) sorted[ends[shard_of(record)]++] = record;
            std::size_t first = 0;
            for (ShardId s = 0; s < k_shards; ++s) {
                if (ends[s] > first)
                    add(dataset, growth, sizeof(T), s,
                        std::as_bytes(std::span(sorted).subspan(first, ends[s] - first)));
                first = ends[s];
            }
        }
    }

    std::unique_ptr<State> state_;
};

/// The checkpoints of one job in one folder. All calls are collective; the communicator must outlive it.
class CheckpointStore {
  public:
    /// Looks for generations, verifies the newest (hashes of all its files, shared among the ranks), falls back to
    /// the one before with a warning when it is damaged, and takes the lease. Throws, agreed:
    /// - Error (66): resume is `require` and there is no checkpoint;
    /// - FormatError (65): there are checkpoints and all are damaged, each with its reason;
    /// - ConfigError (78): the newest belongs to another job, other options or another version; InputError (65): to
    ///   other data. Both name what differs;
    /// - IoError: 73 when resume is `never` and there are checkpoints, or a live process of this host works here; 74,
    ///   77 when the folder cannot be used or is not shared by the ranks.
    CheckpointStore(comm::Communicator& comm, CheckpointPlace place, CheckpointIdentity identity);
    ~CheckpointStore();
    CheckpointStore(const CheckpointStore&) = delete;
    CheckpointStore& operator=(const CheckpointStore&) = delete;

    /// What to go on from; null when there was nothing. Read it before the first commit().
    const CheckpointGeneration* resumed() const;
    /// "1234-0-5e0c...": Slurm's job and restart count, and a random part.
    const std::string& incarnation() const;

    /// Starts a generation. `step` is the job's own count, for people and for the job. Throws IoError (73) when
    /// another incarnation has taken over; other failures are left to commit().
    CheckpointWriter begin(std::uint64_t step);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace regrove::store
