#include "regrove/bornagain/memo_space.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <new>

#include "spin_lock.hpp"

namespace regrove::bornagain {

namespace {

/// Blocks begin at multiples of this, so that no two locks share a cache line.
constexpr std::size_t k_alignment = 64;
/// Memory is taken from the system in steps of this.
constexpr std::uint64_t k_commit_bytes = std::uint64_t{1} << 20U;

/// Sizes of blocks: powers of two, and halfway between two of them.
struct BlockSize {
    std::size_t bytes = 0;
    std::size_t number = 0;
};

BlockSize block_size(std::size_t asked) {
    const std::size_t power = std::bit_ceil(asked < k_alignment ? k_alignment : asked);
    const auto log = static_cast<std::size_t>(std::countr_zero(power));
    const std::size_t below = power / 4 * 3;
    return asked <= below && below % k_alignment == 0 ? BlockSize{below, 2 * log - 1} : BlockSize{power, 2 * log};
}

}  // namespace

/// A released block holds the place of the next one of its size.
struct alignas(64) MemoSpace::Header {
    SpinLock lock;
    std::uint64_t used = sizeof(Header);
    std::uint64_t committed = 0;
    std::array<Place, 128> released{};
};

MemoSpace::MemoSpace(SharedRegion region, const Sharer& sharer) : region_(std::move(region)), sharer_(sharer) {
    if (sharer.number == 0) new (region_->data()) Header;
}

MemoSpace::Place MemoSpace::first_block() const { return sizeof(Header); }

MemoSpace::Place MemoSpace::allocate(std::size_t bytes) {
    if (!region_) return reinterpret_cast<Place>(::operator new (bytes, std::align_val_t{k_alignment}));
    const BlockSize size = block_size(bytes);
    Header& shared = header();
    const std::lock_guard hold(shared.lock);
    Place& released = shared.released[size.number];
    if (released != 0) {
        const Place place = released;
        released = *at<Place>(place);
        return place;
    }
    if (shared.used + size.bytes > region_->size()) throw std::bad_alloc();
    const Place place = shared.used;
    if (place + size.bytes > shared.committed) {
        const std::uint64_t end =
            std::min((place + size.bytes + k_commit_bytes - 1) / k_commit_bytes * k_commit_bytes, region_->size());
        region_->commit(shared.committed, end - shared.committed);
        shared.committed = end;
    }
    shared.used += size.bytes;
    return place;
}

void MemoSpace::release(Place place, std::size_t bytes) {
    if (!region_) return ::operator delete (reinterpret_cast<void*>(place), std::align_val_t{k_alignment});
    Header& shared = header();
    const std::lock_guard hold(shared.lock);
    Place& released = shared.released[block_size(bytes).number];
    region_->discard(place, bytes);  // a block may wait long for one of its size
    *at<Place>(place) = released;
    released = place;
}

}  // namespace regrove::bornagain
