// Packs numbers and texts into bytes for a broadcast or a gathering.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/ingest/text_layout.hpp"

namespace regrove::dist {

class WireWriter {
  public:
    void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void text(std::string_view value) {
        number(value.size());
        bytes_.append(value);
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

/// Reads what a WireWriter of the same build wrote.
class WireReader {
  public:
    explicit WireReader(std::string_view bytes) : bytes_(bytes) {}
    std::uint64_t number() {
        std::uint64_t value = 0;
        std::memcpy(&value, piece(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view text() { return piece(number()); }
    bool at_end() const { return bytes_.empty(); }

  private:
    std::string_view piece(std::uint64_t size) {
        REGROVE_CHECK(size <= bytes_.size());
        const std::string_view front = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return front;
    }
    std::string_view bytes_;
};

std::string pack(const ingest::TextLayout& layout);
ingest::TextLayout unpack_layout(std::string_view bytes);

}  // namespace regrove::dist
