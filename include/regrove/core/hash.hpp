// Fast content hashes (XXH3, 128 bits) for caches, handshakes and equality of artefacts; not for security.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace regrove {

struct Hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend bool operator==(const Hash128&, const Hash128&) = default;
};

/// 32 lower-case hexadecimal digits, high part first.
std::string to_hex(const Hash128& hash);

/// Feeds bytes piece by piece; the result depends on the bytes only, not on how they were cut.
class Hasher {
  public:
    Hasher();
    ~Hasher();
    Hasher(Hasher&&) noexcept;
    Hasher& operator=(Hasher&&) noexcept;
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    void update(const void* bytes, std::size_t size);
    void update(std::string_view text) { update(text.data(), text.size()); }
    /// Text with its length in front, so that ("ab","c") and ("a","bc") differ.
    void update_field(std::string_view text);
    Hash128 digest() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

Hash128 hash_bytes(std::string_view bytes);

/// Hash of a file's bytes; throws IoError.
Hash128 hash_file(const std::string& path);

}  // namespace regrove
