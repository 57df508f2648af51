// Reads and bounds the few numbers on which all further arithmetic about an idx file rests.
#include "regrove/ingest/idx_header.hpp"

#include <array>

#include "regrove/core/check.hpp"
#include "regrove/core/int128.hpp"

namespace regrove::ingest {
namespace {

constexpr std::size_t k_most_dimensions = 8;
constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 62U;

/// False when the source ends first.
bool read_exactly(ByteSource& source, unsigned char* bytes, std::size_t size) {
    std::size_t total = 0;
    while (total < size) {
        const std::size_t got = source.read(reinterpret_cast<char*>(bytes) + total, size - total);
        if (got == 0) return false;
        total += got;
    }
    return true;
}

bool known_type(unsigned char code) { return code >= 0x08 && code <= 0x0e && code != 0x0a; }

bool good_magic(const unsigned char* magic) {
    return magic[0] == 0 && magic[1] == 0 && known_type(magic[2]) && magic[3] >= 1 && magic[3] <= k_most_dimensions;
}

void check_sizes(const IdxHeader& header, const std::string& file) {
    UInt128 bytes = cell_bytes(header.type);
    for (std::size_t d = 0; d < header.dimensions.size(); ++d) {
        if (d > 0 && header.dimensions[d] == 0) {
            throw FormatError("'" + file + "' is no usable idx file: its dimension " + std::to_string(d + 1) +
                              " is 0");
        }
        bytes *= header.dimensions[d];
        if (bytes > k_most_bytes) {
            throw FormatError("'" + file + "' is no usable idx file: its header claims more than 2^62 bytes");
        }
    }
}

}  // namespace

std::size_t cell_bytes(IdxType type) {
    switch (type) {
        case IdxType::uint8:
        case IdxType::int8:
            return 1;
        case IdxType::int16:
            return 2;
        case IdxType::int32:
        case IdxType::float32:
            return 4;
        case IdxType::float64:
            return 8;
    }
    fail_check("known idx type", __FILE__, __LINE__);
}

std::uint64_t IdxHeader::cells_per_row() const {
    std::uint64_t cells = 1;
    for (std::size_t d = 1; d < dimensions.size(); ++d) cells *= dimensions[d];
    return cells;
}

bool looks_like_idx(std::string_view head) {
    return head.size() >= 4 && good_magic(reinterpret_cast<const unsigned char*>(head.data()));
}

IdxHeader read_idx_header(ByteSource& source, const std::string& file) {
    std::array<unsigned char, 4> word{};
    if (!read_exactly(source, word.data(), word.size()) || !good_magic(word.data())) {
        throw FormatError("'" + file +
                          "' is no idx file: it does not begin with two zero bytes, a known type and 1 to " +
                          std::to_string(k_most_dimensions) + " dimensions");
    }
    IdxHeader header;
    header.type = static_cast<IdxType>(word[2]);
    header.dimensions.resize(word[3]);
    for (auto& dimension : header.dimensions) {
        if (!read_exactly(source, word.data(), word.size())) {
            throw FormatError("'" + file + "' is truncated: it ends within its idx header");
        }
        dimension = std::uint32_t{word[0]} << 24U | std::uint32_t{word[1]} << 16U | std::uint32_t{word[2]} << 8U |
                    std::uint32_t{word[3]};
    }
    check_sizes(header, file);
    return header;
}

IdxHeader read_idx_header(const std::string& path) {
    const auto source = open_bytes(path);
    IdxHeader header = read_idx_header(*source, path);
    if (detect_encoding(path) != Encoding::plain) return header;
    const std::uint64_t size = file_size_bytes(path);
    if (size != header.file_bytes()) {
        throw FormatError("'" + path + "' has " + std::to_string(size) + " bytes, but its idx header asks for " +
                          std::to_string(header.file_bytes()) + ": it is " +
                          (size < header.file_bytes() ? "truncated" : "longer than it may be"));
    }
    return header;
}

}  // namespace regrove::ingest
