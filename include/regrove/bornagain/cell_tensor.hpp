// A region of the space as the searches know it: the classes of a grid of cells, packed into bits, and nothing else.
//
// Glossary of the module:
//   tensor        the class of every cell of a grid; the first axis varies fastest
//   slice         the cells of a tensor with one coordinate on one axis
//   compressed    no slice equals its neighbour and no axis has one slice: every hyperplane left separates classes
//                 somewhere, so every faithful tree splits on it at least once. Classes are numbered by first
//                 appearance. Regions of any ensemble with equal compressed tensors are the same sub-problem.
//   state         a compressed tensor as a sub-problem; `key` is the 128-bit hash of shape and classes
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace regrove::bornagain {

constexpr std::uint32_t k_max_tensor_axes = 32;
/// Words behind each plane that reads past the end may touch; always zero.
constexpr std::uint32_t k_plane_padding = 8;

struct GridShape {
    std::uint32_t axes = 0;
    std::array<std::uint16_t, k_max_tensor_axes> slices{};
    /// Which axis of the root each axis is; no part of the content.
    std::array<std::uint16_t, k_max_tensor_axes> origin{};

    std::uint32_t cells() const {
        std::uint32_t product = 1;
        for (std::uint32_t j = 0; j < axes; ++j) product *= slices[j];
        return product;
    }
    std::uint32_t hyperplanes() const {
        std::uint32_t sum = 0;
        for (std::uint32_t j = 0; j < axes; ++j) sum += slices[j] - 1U;
        return sum;
    }
    /// Cells between neighbours on axis j.
    std::uint32_t stride(std::uint32_t j) const {
        std::uint32_t product = 1;
        for (std::uint32_t i = 0; i < j; ++i) product *= slices[i];
        return product;
    }
};

/// Bit p of a cell's class is in plane p. Unused bits of the last word are zero.
struct CellTensor {
    GridShape shape;
    std::uint32_t cells = 1;
    std::uint32_t words = 1;  ///< of a plane
    std::uint32_t planes = 1;
    std::vector<std::uint64_t> bits;

    std::uint32_t plane_words() const { return words + k_plane_padding; }
    std::uint64_t* plane(std::uint32_t p) { return bits.data() + std::size_t{p} * plane_words(); }
    const std::uint64_t* plane(std::uint32_t p) const { return bits.data() + std::size_t{p} * plane_words(); }
    /// Takes `cells` and `planes` as given; contents are undefined but for the padding.
    void resize(std::uint32_t new_cells, std::uint32_t new_planes);
    std::uint32_t class_of(std::uint32_t cell) const {
        std::uint32_t value = 0;
        for (std::uint32_t p = 0; p < planes; ++p)
            value |= static_cast<std::uint32_t>((plane(p)[cell >> 6U] >> (cell & 63U)) & 1U) << p;
        return value;
    }
    void set_class(std::uint32_t cell, std::uint32_t value);
};

struct StateKey {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    friend bool operator==(const StateKey&, const StateKey&) = default;
};

}  // namespace regrove::bornagain
