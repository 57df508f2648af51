// Unsigned integers that sort like the cells of a numeric column, and the way back.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "regrove/data/schema.hpp"

namespace regrove::data {

/// Unsigned integers in the order of the values; -0 and +0 share a key. NaN has none.
inline std::uint32_t sort_key(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0F : value);
    return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}
inline std::uint64_t sort_key(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
    return (bits >> 63U) != 0 ? ~bits : bits | 0x8000000000000000U;
}
inline std::uint32_t sort_key(std::int32_t value) { return static_cast<std::uint32_t>(value) ^ 0x80000000U; }
inline std::uint64_t sort_key(std::int64_t value) { return static_cast<std::uint64_t>(value) ^ 0x8000000000000000U; }

/// The value whose key this is; +0 for the key that both zeros share.
inline float value_of_key(std::uint32_t key, float) {
    return std::bit_cast<float>((key & 0x80000000U) != 0 ? key ^ 0x80000000U : ~key);
}
inline double value_of_key(std::uint64_t key, double) {
    return std::bit_cast<double>((key >> 63U) != 0 ? key ^ 0x8000000000000000U : ~key);
}
inline std::int32_t value_of_key(std::uint32_t key, std::int32_t) {
    return static_cast<std::int32_t>(key ^ 0x80000000U);
}
inline std::int64_t value_of_key(std::uint64_t key, std::int64_t) {
    return static_cast<std::int64_t>(key ^ 0x8000000000000000U);
}

/// Whether a cell of a numeric column holds a value. No value has the key 0: that one belongs to a NaN or to the
/// integer that stands for "missing".
template <std::floating_point T>
bool has_value(T cell) {
    return cell == cell;
}
inline bool has_value(std::int32_t cell) { return cell != k_missing_int32; }
inline bool has_value(std::int64_t cell) { return cell != k_missing_int64; }

}  // namespace regrove::data
