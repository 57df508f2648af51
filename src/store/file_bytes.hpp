// Whole reads, writes and syncs of bytes at an offset of a file, with an IoError when the system refuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace regrove::store {

/// An open file descriptor that closes itself.
class OpenFile {
  public:
    OpenFile() = default;
    /// `flags` and `mode` as for open(2); `action` ("read", "write") names the attempt in errors.
    OpenFile(std::string path, int flags, const char* action, unsigned mode = 0644);
    ~OpenFile();
    OpenFile(OpenFile&& other) noexcept;
    OpenFile& operator=(OpenFile&& other) noexcept;
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    explicit operator bool() const { return file_ >= 0; }

    void write_at(std::uint64_t offset, const void* bytes, std::size_t size) const;
    /// Throws IoError also when the file ends before.
    void read_at(std::uint64_t offset, void* bytes, std::size_t size) const;
    void sync() const;
    /// Reserves disk space for [offset, offset + size) without changing the file's length, where the file system can.
    void reserve(std::uint64_t offset, std::uint64_t size) const;
    /// Gives back reserved space behind the end of the file.
    void drop_reserved() const;
    /// Takes the kernel's exclusive lock of the file until it is closed; false when somebody else has it. File systems
    /// without locks are taken to give it.
    bool try_lock() const;
    /// Lets the system drop its copies of synced bytes, so that reading comes from the disk. Only a wish.
    void forget_copies() const;
    /// Removes the file's name; the bytes live on until this object is gone.
    void unlink() const;

  private:
    std::string path_;
    int file_ = -1;
};

/// Makes a file, or a rename within its folder, outlast a power cut.
void sync_file(const std::string& path);
void sync_folder_of(const std::string& path);

}  // namespace regrove::store
