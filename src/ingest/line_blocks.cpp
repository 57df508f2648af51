// The buffer moves its rest to the front before each read and doubles only when one line does not fit.
#include "regrove/ingest/line_blocks.hpp"

#include <algorithm>
#include <cstring>

namespace regrove::ingest {

std::size_t whole_lines_bytes(std::string_view text) {
    for (std::size_t i = text.size(); i > 0; --i) {
        const char c = text[i - 1];
        if (c == '\n' || (c == '\r' && i < text.size() && text[i] != '\n')) return i;
    }
    return 0;
}

std::string_view LineBlocks::fill() {
    if (begin_ > 0 && end_ > begin_) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    for (std::size_t wanted = end_ + block_bytes_; !at_end_; wanted = end_ + std::max(block_bytes_, end_)) {
        if (buffer_.size() < wanted) buffer_.resize(wanted);
        while (end_ < wanted) {
            const std::size_t got = source_->read(buffer_.data() + end_, wanted - end_);
            if (got == 0) {
                at_end_ = true;
                break;
            }
            end_ += got;
        }
        if (at_end_) break;
        const std::size_t whole = whole_lines_bytes({buffer_.data(), end_});
        if (whole > 0) return {buffer_.data(), whole};
        if (end_ > k_longest_record_bytes) {
            too_long_ = true;
            return {};
        }
    }
    return {buffer_.data(), end_};
}

}  // namespace regrove::ingest
