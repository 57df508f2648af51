#include "regrove/bornagain/memo.hpp"

#include <algorithm>
#include <mutex>
#include <new>

#include "spin_lock.hpp"

namespace regrove::bornagain {

namespace {

constexpr std::uint64_t k_first_slots = 16;
constexpr StateBounds k_empty{0xFFFFFFFF, 0};

bool is_empty(const MemoEntry& slot) { return slot.bounds == k_empty; }

std::size_t block_bytes(std::uint64_t slots) { return slots * sizeof(MemoEntry); }

}  // namespace

/// The lock also guards this process's changes in the shard.
struct alignas(64) Memo::Shard {
    SpinLock lock;
    MemoSpace::Place slots = 0;
    std::uint64_t slot_count = 0;
    std::uint64_t used = 0;
};

struct Memo::Tables {
    std::array<Shard, k_shards> shards;
    std::atomic<std::uint64_t> size{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<bool> is_full{false};
};

struct Memo::Changes {
    std::vector<StateKey> keys;
};

Memo::Memo() : Memo(MemoSpace{}) {}

Memo::Memo(MemoSpace space) : space_(std::move(space)), changes_(std::make_unique<std::array<Changes, k_shards>>()) {
    if (space_.sharer().number != 0) {
        tables_ = space_.at<Tables>(space_.first_block());
        return;
    }
    tables_ = new (space_.at<void>(space_.allocate(sizeof(Tables)))) Tables;
    for (Shard& shard : tables_->shards) lay_out(shard, k_first_slots);
}

Memo::~Memo() {
    if (space_.is_shared()) return;  // others may still read it; the last to go takes it away
    for (const Shard& shard : tables_->shards) space_.release(shard.slots, block_bytes(shard.slot_count));
    space_.release(reinterpret_cast<MemoSpace::Place>(tables_), sizeof(Tables));
}

Memo::Shard& Memo::shard(std::uint32_t number) const { return tables_->shards[number]; }

std::uint64_t Memo::size() const { return tables_->size.load(std::memory_order_relaxed); }

std::uint64_t Memo::bytes() const { return tables_->bytes.load(std::memory_order_relaxed) / space_.sharer().of; }

bool Memo::is_full() const { return tables_->is_full.load(std::memory_order_relaxed); }

MemoEntry& Memo::slot_of(const Shard& shard, const StateKey& key) const {
    MemoEntry* const slots = space_.at<MemoEntry>(shard.slots);
    const std::uint64_t mask = shard.slot_count - 1;
    for (std::uint64_t i = key.low & mask;; i = (i + 1) & mask)
        if (is_empty(slots[i]) || slots[i].key == key) return slots[i];
}

void Memo::lay_out(Shard& shard, std::uint64_t slots) {
    shard.slots = space_.allocate(block_bytes(slots));
    shard.slot_count = slots;
    std::fill_n(space_.at<MemoEntry>(shard.slots), slots, MemoEntry{{}, k_empty});
    tables_->bytes += block_bytes(slots);
}

void Memo::grow(Shard& shard) {
    const Shard old{{}, shard.slots, shard.slot_count, 0};
    lay_out(shard, 2 * old.slot_count);
    const MemoEntry* const entries = space_.at<MemoEntry>(old.slots);
    for (std::uint64_t i = 0; i < old.slot_count; ++i)
        if (!is_empty(entries[i])) slot_of(shard, entries[i].key) = entries[i];
    space_.release(old.slots, block_bytes(old.slot_count));
    tables_->bytes -= block_bytes(old.slot_count);
}

/// Where memory has run out the last free slots are filled, so that a search can end in order.
void Memo::make_room(Shard& shard) {
    try {
        grow(shard);
    } catch (const std::bad_alloc&) {
        tables_->is_full = true;
        if (shard.used + 2 > shard.slot_count) throw;  // one must stay free
    }
}

bool Memo::find(const StateKey& key, StateBounds& bounds) const {
    Shard& shard = this->shard(shard_of(key));
    const std::lock_guard hold(shard.lock);
    const MemoEntry& slot = slot_of(shard, key);
    if (is_empty(slot)) return false;
    bounds = slot.bounds;
    return true;
}

StateBounds Memo::tighten(const StateKey& key, const StateBounds& bounds, bool worth_keeping) {
    Shard& shard = this->shard(shard_of(key));
    const std::lock_guard hold(shard.lock);
    MemoEntry* found = &slot_of(shard, key);
    if (is_empty(*found) && 10 * (shard.used + 1) > 7 * shard.slot_count) {
        make_room(shard);
        found = &slot_of(shard, key);
    }
    MemoEntry& slot = *found;
    const StateBounds before = slot.bounds;
    if (is_empty(slot)) {
        slot = {key, bounds};
        ++shard.used;
        ++tables_->size;
    } else {
        slot.bounds.lower = std::max(slot.bounds.lower, bounds.lower);
        slot.bounds.upper = std::min(slot.bounds.upper, bounds.upper);
    }
    if (worth_keeping && recording_.load(std::memory_order_relaxed) && slot.bounds != before)
        (*changes_)[shard_of(key)].keys.push_back(key);
    return slot.bounds;
}

std::uint64_t Memo::growth_bytes() const { return 2 * bytes() / k_shards + k_first_slots * sizeof(MemoEntry); }

void Memo::visit(std::uint32_t shard_number, const std::function<void(const MemoEntry&)>& visit) const {
    Shard& shard = this->shard(shard_number);
    const std::lock_guard hold(shard.lock);
    const MemoEntry* const slots = space_.at<MemoEntry>(shard.slots);
    for (std::uint64_t i = 0; i < shard.slot_count; ++i)
        if (!is_empty(slots[i])) visit(slots[i]);
}

void Memo::record_changes(bool on) { recording_ = on; }

std::vector<MemoEntry> Memo::take_changes() {
    std::vector<MemoEntry> entries;
    for (std::uint32_t number = 0; number < k_shards; ++number) {
        Shard& shard = this->shard(number);
        std::vector<StateKey>& changed = (*changes_)[number].keys;
        const std::lock_guard hold(shard.lock);
        const auto order = [](const StateKey& a, const StateKey& b) {
            return a.high != b.high ? a.high < b.high : a.low < b.low;
        };
        std::sort(changed.begin(), changed.end(), order);
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        for (const StateKey& key : changed) entries.push_back(slot_of(shard, key));
        changed.clear();
    }
    return entries;
}

}  // namespace regrove::bornagain
