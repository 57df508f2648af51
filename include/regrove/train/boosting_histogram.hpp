// Sums of gradients and hessians by bin for the rows of a node: built by tiles, or as parent less sibling.
//
// A histogram is one to three planes of 64-bit sums, a word for each bin of each feature:
//   packed   one plane, gradient * 2^32 + hessian, for nodes whose rows cannot overflow it (k_packed_sum_rows)
//   wide     two planes: gradients, hessians
//   counts   one plane more with numbers of rows, only where the smallest number of rows of a leaf is limited
// All sums are integers, so blocks of rows may be added by any thread in any order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "regrove/train/boosting_gradients.hpp"
#include "regrove/train/boosting_layout.hpp"

namespace regrove::train {

struct HistogramShape {
    bool packed = false;
    bool counts = false;

    std::size_t planes() const { return (packed ? 1U : 2U) + (counts ? 1U : 0U); }
};

/// `global_rows`: of the node, over all ranks.
inline HistogramShape shape_of_node(const GradientGrid& grid, bool counts, std::uint64_t global_rows) {
    return {grid.packed && global_rows <= k_packed_sum_rows, counts};
}

/// Where the words of one feature go: plane p at first + p * plane_stride.
struct HistogramPlace {
    std::int64_t* first = nullptr;
    std::size_t plane_stride = 0;
};

/// The words of some consecutive positions, owned.
class Histogram {
  public:
    Histogram() = default;
    /// Words [first_word, first_word + words) of the layout; not set to anything.
    Histogram(HistogramShape shape, std::uint64_t first_word, std::uint64_t words)
        : words_(new std::int64_t[shape.planes() * words]), shape_(shape), first_word_(first_word), count_(words) {}

    bool empty() const { return words_ == nullptr; }
    const HistogramShape& shape() const { return shape_; }
    std::uint64_t words() const { return count_; }
    std::uint64_t bytes() const { return empty() ? 0 : shape_.planes() * count_ * sizeof(std::int64_t); }
    std::int64_t* plane(std::size_t p) { return words_.get() + p * count_; }
    const std::int64_t* plane(std::size_t p) const { return words_.get() + p * count_; }
    HistogramPlace place(std::uint64_t word) { return {words_.get() + (word - first_word_), count_}; }
    /// First word of a position's part in plane p.
    const std::int64_t* at(std::size_t p, std::uint64_t word) const { return plane(p) + (word - first_word_); }
    void clear() { words_.reset(); }

  private:
    friend void subtract(Histogram& parent, const Histogram& smaller, HistogramShape shape);
    std::unique_ptr<std::int64_t[]> words_;
    HistogramShape shape_;
    std::uint64_t first_word_ = 0;
    std::uint64_t count_ = 0;
};

/// `parent` becomes parent - smaller, in place, in the shape given (no wider than the parent's).
void subtract(Histogram& parent, const Histogram& smaller, HistogramShape shape);

/// One node to be counted.
struct HistogramJob {
    std::span<const RowEntry> entries;  ///< this rank's rows of the node
    HistogramShape shape;
};

/// Fills the histograms of some nodes over all tiles. `place(job, position)` says where; called by several threads. Time
/// O(rows * features) plus O(bins) for each node.
void build_histograms(const BoostingTable& table, const TreeRows& rows, std::span<const HistogramJob> jobs,
                      const std::function<HistogramPlace(std::size_t, std::uint32_t)>& place);

}  // namespace regrove::train
