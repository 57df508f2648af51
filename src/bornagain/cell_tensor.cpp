#include "regrove/bornagain/cell_tensor.hpp"

namespace regrove::bornagain {

void CellTensor::resize(std::uint32_t new_cells, std::uint32_t new_planes) {
    cells = new_cells;
    words = (new_cells + 63) / 64;
    planes = new_planes;
    const std::size_t needed = std::size_t{planes} * plane_words();
    if (bits.size() < needed) bits.resize(needed);
    for (std::uint32_t p = 0; p < planes; ++p)
        for (std::uint32_t i = 0; i < k_plane_padding; ++i) plane(p)[words + i] = 0;
}

void CellTensor::set_class(std::uint32_t cell, std::uint32_t value) {
    for (std::uint32_t p = 0; p < planes; ++p) {
        const std::uint64_t bit = std::uint64_t{1} << (cell & 63U);
        std::uint64_t& word = plane(p)[cell >> 6U];
        word = ((value >> p) & 1U) != 0 ? word | bit : word & ~bit;
    }
}

}  // namespace regrove::bornagain
