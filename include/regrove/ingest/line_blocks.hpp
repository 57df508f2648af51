// Cuts a byte stream into blocks of whole lines, in bounded memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/ingest/byte_source.hpp"

namespace regrove::ingest {

/// A line (or record) longer than this is refused: most likely a quote that nobody closes.
constexpr std::size_t k_longest_record_bytes = std::size_t{64} << 20U;

/// Reads ahead of the consumer into one buffer: take() what was used, the rest stays for the next block.
class LineBlocks {
  public:
    LineBlocks(std::unique_ptr<ByteSource> source, std::size_t block_bytes)
        : source_(std::move(source)), block_bytes_(block_bytes) {}

    /// Adds about one block to what is left and returns all whole lines held; everything at the end of the source.
    /// Empty at the end, or when too_long(). The view is valid until the next call of fill().
    std::string_view fill();
    /// The first `bytes` of the view are done with.
    void take(std::size_t bytes) { begin_ += bytes; }
    bool at_end() const { return at_end_; }
    /// What is held has no line end within k_longest_record_bytes.
    bool too_long() const { return too_long_; }

  private:
    std::unique_ptr<ByteSource> source_;
    std::size_t block_bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool at_end_ = false;
    bool too_long_ = false;
};

/// Length of the longest prefix of `text` that ends in a line end; a CR as the last byte does not count, since its LF
/// may follow. 0: no whole line.
std::size_t whole_lines_bytes(std::string_view text);

}  // namespace regrove::ingest
