// What is known of sub-problems: proven bounds by key, shared by threads, objectives and runs.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "regrove/bornagain/cell_tensor.hpp"
#include "regrove/bornagain/memo_space.hpp"

namespace regrove::bornagain {

/// No tree is good enough, or none is known.
constexpr std::uint32_t k_unbounded = 0xFFFFFFFE;

/// lower <= optimal value <= upper; equal: solved. k_unbounded in `lower`: there is no tree at all.
struct StateBounds {
    std::uint32_t lower = 0;
    std::uint32_t upper = k_unbounded;
    bool solved() const { return lower == upper; }
    friend bool operator==(const StateBounds&, const StateBounds&) = default;
};

struct MemoEntry {
    StateKey key;
    StateBounds bounds;
    friend bool operator==(const MemoEntry&, const MemoEntry&) = default;
};
static_assert(sizeof(MemoEntry) == 24);

/// A hash table cut into shards by key, each with a lock of its own. Entries only ever get tighter. In a space that
/// processes share, what one has proven all have.
class Memo {
  public:
    static constexpr std::uint32_t k_shards = 256;

    /// Tables of this process's own.
    Memo();
    /// Tables in a space that may be shared: laid out by the first process, found there by the others.
    explicit Memo(MemoSpace space);
    ~Memo();
    Memo(const Memo&) = delete;
    Memo& operator=(const Memo&) = delete;

    MemoSpace& space() { return space_; }

    bool find(const StateKey& key, StateBounds& bounds) const;
    /// Adds what is known, keeping the tighter of old and new; returns the result. `worth_keeping`: a change goes to
    /// the list of changes, if one is kept.
    StateBounds tighten(const StateKey& key, const StateBounds& bounds, bool worth_keeping = false);

    std::uint64_t size() const;
    /// Of shared tables this process's share.
    std::uint64_t bytes() const;
    /// What the table's next growth may need at most beside bytes().
    std::uint64_t growth_bytes() const;
    /// Whether a table could not grow any more: what is left in it is for ending in order.
    bool is_full() const;
    /// The shard of a key: the same in every process.
    static std::uint32_t shard_of(const StateKey& key) { return static_cast<std::uint32_t>(key.high >> 56U); }
    /// Whether a shard is this process's, where each that shares the tables takes some.
    bool is_own_part(std::uint32_t shard) const { return shard % space_.sharer().of == space_.sharer().number; }
    /// Calls visit(entry) for all entries of a shard, in no particular order.
    void visit(std::uint32_t shard, const std::function<void(const MemoEntry&)>& visit) const;
    /// Keeps a list of changes from now on, of entries worth it (for exchange between ranks and for checkpoints).
    void record_changes(bool on);
    /// The entries changed since the last call, each once, in no particular order.
    std::vector<MemoEntry> take_changes();

  private:
    struct Shard;
    struct Tables;
    struct Changes;

    Shard& shard(std::uint32_t number) const;
    MemoEntry& slot_of(const Shard& shard, const StateKey& key) const;
    void lay_out(Shard& shard, std::uint64_t slots);
    void grow(Shard& shard);
    void make_room(Shard& shard);

    MemoSpace space_;
    Tables* tables_ = nullptr;
    std::unique_ptr<std::array<Changes, k_shards>> changes_;  ///< made by this process
    std::atomic<bool> recording_{false};
};

}  // namespace regrove::bornagain
