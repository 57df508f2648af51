#include "regrove/store/chunk_codec.hpp"

#include <algorithm>
#include <cstring>

#include <zlib.h>

#include "regrove/core/check.hpp"

namespace regrove::store {

namespace {

constexpr std::size_t k_checksum_bytes = 4;

/// All first bytes of the elements, then all second bytes, and so on: equal exponents come to lie side by side.
void shuffle(std::string_view from, char* to, std::size_t element_bytes) {
    const std::size_t elements = from.size() / element_bytes;
    for (std::size_t byte = 0; byte < element_bytes; ++byte)
        for (std::size_t i = 0; i < elements; ++i) *to++ = from[i * element_bytes + byte];
}

void unshuffle(std::string_view from, char* to, std::size_t element_bytes) {
    const std::size_t elements = from.size() / element_bytes;
    for (std::size_t byte = 0; byte < element_bytes; ++byte)
        for (std::size_t i = 0; i < elements; ++i) to[i * element_bytes + byte] = from[byte * elements + i];
}

std::span<const unsigned char> as_bytes(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

}  // namespace

std::uint32_t fletcher32(std::span<const unsigned char> bytes) {
    // 360 words are the most after which neither 32-bit sum can have overflown.
    constexpr std::size_t k_words = 360;
    const auto fold = [](std::uint32_t sum) { return (sum & 0xffffU) + (sum >> 16U); };
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    const std::size_t even = bytes.size() / 2 * 2;
    for (std::size_t begin = 0; begin < even; begin += 2 * k_words) {
        const std::size_t end = std::min(even, begin + 2 * k_words);
        for (std::size_t i = begin; i < end; i += 2) {
            first += static_cast<std::uint32_t>(bytes[i]) << 8U | bytes[i + 1];
            second += first;
        }
        first = fold(first);
        second = fold(second);
    }
    if (even < bytes.size()) {
        first = first + (static_cast<std::uint32_t>(bytes[even]) << 8U);
        second = second + first;
        first = fold(first);
        second = fold(second);
    }
    return fold(second) << 16U | fold(first);
}

std::string pack_chunk(std::string_view cells, std::size_t chunk_bytes, std::size_t element_bytes, int level) {
    REGROVE_CHECK(cells.size() <= chunk_bytes);
    std::string full(cells);
    full.resize(chunk_bytes, '\0');
    std::string shuffled(chunk_bytes, '\0');
    shuffle(full, shuffled.data(), element_bytes);

    auto size = compressBound(chunk_bytes);
    std::string packed(size + k_checksum_bytes, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                                 reinterpret_cast<const Bytef*>(shuffled.data()), chunk_bytes, level);
    REGROVE_CHECK(status == Z_OK);
    const std::uint32_t checksum = fletcher32(as_bytes({packed.data(), size}));
    for (unsigned i = 0; i < k_checksum_bytes; ++i)
        packed[size + i] = static_cast<char>(checksum >> (8U * i) & 0xffU);
    packed.resize(size + k_checksum_bytes);
    packed.shrink_to_fit();
    return packed;
}

bool unpack_chunk(std::string_view packed, std::span<char> cells, std::size_t element_bytes) {
    if (packed.size() < k_checksum_bytes) return false;
    const std::string_view deflated = packed.substr(0, packed.size() - k_checksum_bytes);
    std::uint32_t stored = 0;
    for (unsigned i = 0; i < k_checksum_bytes; ++i) {
        stored |= static_cast<std::uint32_t>(static_cast<unsigned char>(packed[deflated.size() + i])) << (8U * i);
    }
    if (fletcher32(as_bytes(deflated)) != stored) return false;
    std::string shuffled(cells.size(), '\0');
    auto size = static_cast<uLongf>(cells.size());
    const int status = uncompress(reinterpret_cast<Bytef*>(shuffled.data()), &size,
                                  reinterpret_cast<const Bytef*>(deflated.data()), deflated.size());
    if (status != Z_OK || size != cells.size()) return false;
    unshuffle(shuffled, cells.data(), element_bytes);
    return true;
}

}  // namespace regrove::store
