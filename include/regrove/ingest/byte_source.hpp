// Bytes of one text file in order, decompressed on the way: plain, gzip or zstd by content.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace regrove::ingest {

enum class Encoding : std::uint8_t { plain, gzip, zstd };

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    /// Fills up to `size` bytes and returns how many; 0 at the end. Throws IoError, or FormatError on damaged
    /// compression (truncated stream, bad checksum) naming the file.
    virtual std::size_t read(char* buffer, std::size_t size) = 0;
};

/// By the first bytes. Throws IoError naming the file when it cannot be opened.
Encoding detect_encoding(const std::string& path);
std::unique_ptr<ByteSource> open_bytes(const std::string& path);
/// Bytes [begin, end) of a plain file, for a rank's own range.
std::unique_ptr<ByteSource> open_byte_range(const std::string& path, std::uint64_t begin, std::uint64_t end);
std::uint64_t file_size_bytes(const std::string& path);

}  // namespace regrove::ingest
