// Memory that several processes of one host see, found again by process and file number.
//
// It has no name in any file system, so nothing is left behind however its processes end. Its size is a reservation:
// pages take memory when they are first written.
#pragma once

#include <cstddef>
#include <cstdint>

namespace regrove {

class SharedRegion {
  public:
    /// How another process of this host, and of this user, finds it.
    struct Handle {
        std::int64_t process = 0;
        std::int64_t file = -1;
    };

    /// Makes a region of zeros. Throws IoError when the system has none to give.
    static SharedRegion create(std::uint64_t bytes);
    /// Joins one that another process has made. Throws IoError when that process cannot be reached.
    static SharedRegion join(const Handle& handle, std::uint64_t bytes);

    SharedRegion(SharedRegion&& other) noexcept;
    SharedRegion& operator=(SharedRegion&&) = delete;
    SharedRegion(const SharedRegion&) = delete;
    ~SharedRegion();

    /// Takes memory for a part now, so that there is some when it is written. Throws std::bad_alloc when there is none.
    void commit(std::uint64_t begin, std::uint64_t bytes);
    /// Gives back the memory of the whole pages in a part, for all processes; it reads as zeros.
    void discard(std::uint64_t begin, std::uint64_t bytes);

    std::byte* data() const { return data_; }
    std::uint64_t size() const { return bytes_; }
    /// Valid while this process keeps the region.
    Handle handle() const;

  private:
    SharedRegion(int file, std::uint64_t bytes);

    int file_ = -1;
    std::byte* data_ = nullptr;
    std::uint64_t bytes_ = 0;
};

/// A number that processes of one host, and of the same container on it, have in common and others have not.
std::uint64_t host_identity();

}  // namespace regrove
