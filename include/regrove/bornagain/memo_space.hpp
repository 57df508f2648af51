// Where a memo's tables lie: in this process alone, or in memory that the processes of a host share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "regrove/core/shared_region.hpp"

namespace regrove::bornagain {

/// Blocks are known by their place, which is the same number in every process.
class MemoSpace {
  public:
    using Place = std::uint64_t;

    /// Of this process alone.
    MemoSpace() = default;
    /// A process's place among those that share a region.
    struct Sharer {
        std::uint32_t number = 0;
        std::uint32_t of = 1;
    };
    /// Number zero prepares a region of zeros; the others must come after that.
    MemoSpace(SharedRegion region, const Sharer& sharer);

    /// Place of a block. Throws std::bad_alloc when the space is full. A block released is used again for one of its size.
    Place allocate(std::size_t bytes);
    void release(Place place, std::size_t bytes);
    /// What is at a place, in this process.
    template <class T>
    T* at(Place place) const {
        return reinterpret_cast<T*>(base() + place);
    }
    /// The block that was allocated first.
    Place first_block() const;
    const Sharer& sharer() const { return sharer_; }
    bool is_shared() const { return region_.has_value(); }

  private:
    struct Header;
    std::uintptr_t base() const { return region_ ? reinterpret_cast<std::uintptr_t>(region_->data()) : 0; }
    Header& header() const { return *at<Header>(0); }

    std::optional<SharedRegion> region_;
    Sharer sharer_;
};

}  // namespace regrove::bornagain
