// The bytes of one HDF5 chunk behind the filters shuffle, deflate and Fletcher32, made without HDF5.
//
// HDF5 compresses on one thread at a time; these functions run on all threads, and any HDF5 reads what they make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace regrove::store {

/// The checksum that HDF5's Fletcher32 filter appends (Fletcher 1982, over 16-bit words, the first byte high; an odd
/// last byte counts as the high byte of a word).
std::uint32_t fletcher32(std::span<const unsigned char> bytes);

/// `cells` (elements of `element_bytes` each), filled with zero bytes up to `chunk_bytes`, then shuffled, deflated at
/// `level` (1 to 9) and followed by the checksum.
std::string pack_chunk(std::string_view cells, std::size_t chunk_bytes, std::size_t element_bytes, int level);

/// The cells of a packed chunk, `chunk_bytes` of them, into `cells`. Returns false when the checksum or the deflated
/// bytes are wrong.
bool unpack_chunk(std::string_view packed, std::span<char> cells, std::size_t element_bytes);

}  // namespace regrove::store
