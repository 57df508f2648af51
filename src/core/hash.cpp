#include "regrove/core/hash.hpp"

#include <cerrno>
#include <cstdio>
#include <vector>

#include <xxhash.h>

#include "regrove/core/error.hpp"

namespace regrove {

struct Hasher::State {
    XXH3_state_t* xxh = XXH3_createState();
    State() { XXH3_128bits_reset(xxh); }
    ~State() { XXH3_freeState(xxh); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::update(const void* bytes, std::size_t size) { XXH3_128bits_update(state_->xxh, bytes, size); }

void Hasher::update_field(std::string_view text) {
    const std::uint64_t size = text.size();
    update(&size, sizeof size);
    update(text);
}

Hash128 Hasher::digest() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
    return {hash.low64, hash.high64};
}

Hash128 hash_bytes(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.low64, hash.high64};
}

Hash128 hash_file(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) throw io_error("read", path, errno);
    Hasher hasher;
    std::vector<char> buffer(1U << 20U);
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
        hasher.update(buffer.data(), size);
    }
    if (std::ferror(file.get()) != 0) throw io_error("read", path, errno);
    return hasher.digest();
}

std::string to_hex(const Hash128& hash) {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high),
                  static_cast<unsigned long long>(hash.low));
    return text;
}

}  // namespace regrove
