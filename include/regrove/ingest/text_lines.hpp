// Walks the lines of a piece of text that ends them with LF, CRLF or CR, also mixed.
#pragma once

#include <cstring>
#include <string_view>

namespace regrove::ingest {

/// Linear in the text. A piece that is cut between a CR and its LF yields one empty line too many: do not cut there.
class TextLines {
  public:
    /// A UTF-8 byte order mark in front is skipped.
    explicit TextLines(std::string_view text) : text_(text) {
        if (text_.starts_with("\xef\xbb\xbf")) next_ = 3;
        next_lf_ = find('\n', next_);
        next_cr_ = find('\r', next_);
    }

    /// The next line without its end; false after the last one. Text that ends with a line end has no line behind it.
    bool next(std::string_view& line) {
        if (next_ >= text_.size()) return false;
        const std::size_t begin = next_;
        const std::size_t end = next_lf_ < next_cr_ ? next_lf_ : next_cr_;
        line = text_.substr(begin, end - begin);
        next_ = end + 1;
        if (end == next_cr_ && end + 1 == next_lf_) ++next_;
        if (next_lf_ < next_) next_lf_ = find('\n', next_);
        if (next_cr_ < next_) next_cr_ = find('\r', next_);
        return true;
    }

  private:
    std::size_t find(char c, std::size_t from) const {
        if (from >= text_.size()) return text_.size();
        const void* found = std::memchr(text_.data() + from, c, text_.size() - from);
        return found == nullptr ? text_.size()
                                : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
    }

    std::string_view text_;
    std::size_t next_ = 0;
    std::size_t next_lf_;
    std::size_t next_cr_;
};

}  // namespace regrove::ingest
