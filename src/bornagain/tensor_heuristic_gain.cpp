#include "tensor_heuristic_gain.hpp"

#include <array>
#include <limits>

#include "regrove/core/portable_math.hpp"

#define REGROVE_KERNELS heuristic_counts
#include "kernels/slices.hpp"

namespace regrove::bornagain {

namespace {

using heuristic_counts::cells_of_class;
using heuristic_counts::load_bits;
using heuristic_counts::low_mask;
using heuristic_counts::RepeatedPattern;
using heuristic_counts::Word;

std::uint64_t bits_of_range(const Word* words, std::size_t at, std::size_t length) {
    std::uint64_t count = 0;
    for (; length >= 64; length -= 64, at += 64)
        count += static_cast<std::uint64_t>(std::popcount(load_bits(words, at)));
    if (length != 0)
        count += static_cast<std::uint64_t>(
            std::popcount(load_bits(words, at) & low_mask(static_cast<std::uint32_t>(length))));
    return count;
}

/// counts[l] = bits of `mask` (words + padding) in slice l of an axis.
void count_by_slice(const Word* mask, const CellTensor& tensor, std::uint32_t axis, std::uint64_t* counts) {
    const std::uint32_t slices = tensor.shape.slices[axis];
    const std::uint32_t stride = tensor.shape.stride(axis);
    const std::uint32_t block = stride * slices;
    std::fill(counts, counts + slices, 0);
    if (block <= 64) {
        for (std::uint32_t l = 0; l < slices; ++l) {
            RepeatedPattern pattern(low_mask(stride) << (l * stride), block);
            for (std::uint32_t i = 0; i < tensor.words; ++i)
                counts[l] += static_cast<std::uint64_t>(std::popcount(mask[i] & pattern.next()));
        }
        return;
    }
    for (std::size_t at = 0; at < tensor.cells; at += block)
        for (std::uint32_t l = 0; l < slices; ++l)
            counts[l] += bits_of_range(mask, at + std::size_t{l} * stride, stride);
}

/// The disorder of a side in bits times its cells.
double disorder(const std::vector<std::uint64_t>& counts) {
    std::uint64_t all = 0;
    double parts = 0;
    for (const std::uint64_t count : counts) {
        all += count;
        parts += count_log_count(count);
    }
    return count_log_count(all) - parts;
}

}  // namespace

double count_log_count(std::uint64_t n) {
    constexpr std::uint64_t known = 8192;
    static const std::vector<double> table = [] {
        std::vector<double> values{0.0};
        for (std::uint64_t i = 1; i < known; ++i)
            values.push_back(static_cast<double>(i) * portable::log2(static_cast<double>(i)));
        return values;
    }();
    return n < known ? table[n] : static_cast<double>(n) * portable::log2(static_cast<double>(n));
}

TensorCut best_gain_cut(const CellTensor& tensor, std::uint32_t classes, GainScratch& scratch) {
    const GridShape& shape = tensor.shape;
    std::array<std::size_t, k_max_tensor_axes + 1> first{};
    for (std::uint32_t j = 0; j < shape.axes; ++j) first[j + 1] = first[j] + shape.slices[j];
    const std::size_t all = first[shape.axes];
    scratch.counts.assign(all * classes, 0);
    scratch.mask.resize(tensor.plane_words());
    for (std::uint32_t k = 0; k < classes; ++k) {
        for (std::uint32_t i = 0; i < tensor.words; ++i) scratch.mask[i] = cells_of_class(tensor, i, k);
        std::fill(scratch.mask.begin() + tensor.words, scratch.mask.end(), 0);
        for (std::uint32_t j = 0; j < shape.axes; ++j)
            count_by_slice(scratch.mask.data(), tensor, j, scratch.counts.data() + k * all + first[j]);
    }
    TensorCut best;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t j = 0; j < shape.axes; ++j) {
        scratch.left.assign(classes, 0);
        scratch.right.assign(classes, 0);
        for (std::uint32_t k = 0; k < classes; ++k)
            for (std::size_t l = first[j]; l < first[j + 1]; ++l) scratch.right[k] += scratch.counts[k * all + l];
        for (std::uint32_t l = 0; l + 1 < shape.slices[j]; ++l) {
            for (std::uint32_t k = 0; k < classes; ++k) {
                scratch.left[k] += scratch.counts[k * all + first[j] + l];
                scratch.right[k] -= scratch.counts[k * all + first[j] + l];
            }
            const double cost = disorder(scratch.left) + disorder(scratch.right);
            if (cost >= least) continue;
            least = cost;
            best = {j, l};
        }
    }
    return best;
}

}  // namespace regrove::bornagain
