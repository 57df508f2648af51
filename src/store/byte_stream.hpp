// Values and texts behind each other in one string of bytes, for messages between ranks and for spool files.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "regrove/core/check.hpp"

namespace regrove::store {

class ByteWriter {
  public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void put_text(std::string_view text) {
        put(static_cast<std::uint64_t>(text.size()));
        bytes_.append(text);
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

/// Reads what a ByteWriter wrote, in the same order; views the bytes.
class ByteReader {
  public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
    template <class T>
    requires std::is_trivially_copyable_v<T> T get() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view get_text() { return take(get<std::uint64_t>()); }

  private:
    std::string_view take(std::uint64_t size) {
        REGROVE_CHECK(size <= bytes_.size());
        const std::string_view piece = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return piece;
    }
    std::string_view bytes_;
};

}  // namespace regrove::store
