// The header of an idx file (the format of MNIST): cell type and dimensions, checked.
//
// Layout: two zero bytes, the type, the number of dimensions, the dimensions as big-endian uint32 (the first one
// counts the rows), then the cells, big-endian, last dimension fastest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/ingest/byte_source.hpp"

namespace regrove::ingest {

enum class IdxType : std::uint8_t {
    uint8 = 0x08,
    int8 = 0x09,
    int16 = 0x0b,
    int32 = 0x0c,
    float32 = 0x0d,
    float64 = 0x0e,
};

std::size_t cell_bytes(IdxType type);

struct IdxHeader {
    IdxType type = IdxType::uint8;
    std::vector<std::uint32_t> dimensions;  ///< at least one

    std::uint64_t rows() const { return dimensions.front(); }
    std::uint64_t cells_per_row() const;
    std::uint64_t row_bytes() const { return cells_per_row() * cell_bytes(type); }
    std::uint64_t header_bytes() const { return 4 + 4 * dimensions.size(); }
    std::uint64_t file_bytes() const { return header_bytes() + rows() * row_bytes(); }
};

/// Whether a file that begins with these (decompressed) bytes claims to be idx.
bool looks_like_idx(std::string_view head);

/// Takes the header from the front of `source`. Throws FormatError naming `file`: no idx magic, unknown type,
/// truncated, a dimension of zero behind the first, or sizes beyond 2^62 bytes.
IdxHeader read_idx_header(ByteSource& source, const std::string& file);
/// Opens and reads the header; of a plain file also checks that its length is what the header says.
IdxHeader read_idx_header(const std::string& path);

}  // namespace regrove::ingest
