#include "regrove/bornagain/memo.hpp"

#include <algorithm>
#include <mutex>

namespace regrove::bornagain {

namespace {

constexpr std::size_t k_first_slots = 16;

/// A lock for a few instructions.
class SpinLock {
  public:
    void lock() {
        while (flag_.test_and_set(std::memory_order_acquire))
            while (flag_.test(std::memory_order_relaxed)) {
            }
    }
    void unlock() { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

constexpr StateBounds k_empty{0xFFFFFFFF, 0};

bool is_empty(const MemoEntry& slot) { return slot.bounds == k_empty; }

}  // namespace

struct alignas(64) Memo::Shard {
    mutable SpinLock lock;
    std::vector<MemoEntry> slots = std::vector<MemoEntry>(k_first_slots, MemoEntry{{}, k_empty});
    std::size_t used = 0;
    std::vector<StateKey> changed;

    MemoEntry& slot_of(const StateKey& key) {
        const std::size_t mask = slots.size() - 1;
        for (std::size_t i = key.low & mask;; i = (i + 1) & mask)
            if (is_empty(slots[i]) || slots[i].key == key) return slots[i];
    }

    void grow() {
        std::vector<MemoEntry> old(slots.size() * 2, MemoEntry{{}, k_empty});
        old.swap(slots);
        for (const MemoEntry& entry : old)
            if (!is_empty(entry)) slot_of(entry.key) = entry;
    }
};

Memo::Memo() : shards_(std::make_unique<std::array<Shard, k_shards>>()) {
    bytes_ = k_shards * k_first_slots * sizeof(MemoEntry);
}
Memo::~Memo() = default;

bool Memo::find(const StateKey& key, StateBounds& bounds) const {
    Shard& shard = (*shards_)[shard_of(key)];
    const std::lock_guard hold(shard.lock);
    const MemoEntry& slot = shard.slot_of(key);
    if (is_empty(slot)) return false;
    bounds = slot.bounds;
    return true;
}

StateBounds Memo::tighten(const StateKey& key, const StateBounds& bounds, bool worth_keeping) {
    Shard& shard = (*shards_)[shard_of(key)];
    const std::lock_guard hold(shard.lock);
    if (10 * (shard.used + 1) > 7 * shard.slots.size()) {
        bytes_ += shard.slots.size() * sizeof(MemoEntry);
        shard.grow();
    }
    MemoEntry& slot = shard.slot_of(key);
    const StateBounds before = slot.bounds;
    if (is_empty(slot)) {
        slot = {key, bounds};
        ++shard.used;
        ++size_;
    } else {
        slot.bounds.lower = std::max(slot.bounds.lower, bounds.lower);
        slot.bounds.upper = std::min(slot.bounds.upper, bounds.upper);
    }
    if (worth_keeping && recording_.load(std::memory_order_relaxed) && slot.bounds != before)
        shard.changed.push_back(key);
    return slot.bounds;
}

std::uint64_t Memo::growth_bytes() const { return 2 * bytes() / k_shards + k_first_slots * sizeof(MemoEntry); }

void Memo::visit(std::uint32_t shard_number, const std::function<void(const MemoEntry&)>& visit) const {
    Shard& shard = (*shards_)[shard_number];
    const std::lock_guard hold(shard.lock);
    for (const MemoEntry& entry : shard.slots)
        if (!is_empty(entry)) visit(entry);
}

void Memo::record_changes(bool on) { recording_ = on; }

std::vector<MemoEntry> Memo::take_changes() {
    std::vector<MemoEntry> entries;
    for (Shard& shard : *shards_) {
        const std::lock_guard hold(shard.lock);
        const auto order = [](const StateKey& a, const StateKey& b) {
            return a.high != b.high ? a.high < b.high : a.low < b.low;
        };
        std::sort(shard.changed.begin(), shard.changed.end(), order);
        shard.changed.erase(std::unique(shard.changed.begin(), shard.changed.end()), shard.changed.end());
        for (const StateKey& key : shard.changed) entries.push_back(shard.slot_of(key));
        shard.changed.clear();
    }
    return entries;
}

}  // namespace regrove::bornagain
