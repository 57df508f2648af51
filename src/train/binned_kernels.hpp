// How a node's rows are kept and counted: packed counts for classes with small weights, plain statistics for the rest.
//
// A kernel has: Row (what moves with a row), make_row(), target() and weight() of a Row, Cell (the unit of a histogram),
// cells_a_bin(), count() of one row, and read() of one bin as statistics.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/train/statistics.hpp"
#include "regrove/train/target.hpp"

namespace regrove::train {

/// Classes, and a tree's weight and rows below 2^32: a bin's count of a class is one integer, rows above weight.
class PackedClasses {
  public:
    struct Row {
        std::uint32_t row;
        std::uint32_t target;
        std::uint64_t packed;  ///< one row, and its weight
    };
    using Cell = std::uint64_t;

    PackedClasses(const Target& target, const std::vector<std::uint32_t>& multiplicities)
        : target_(target), multiplicities_(multiplicities) {}

    Row make_row(std::uint32_t row) const {
        const auto weight =
            static_cast<std::uint64_t>(multiplicities_[row]) * static_cast<std::uint64_t>(target_.weight(row));
        return {row, target_.classes[row], (std::uint64_t{1} << 32U) | weight};
    }
    std::int64_t target(const Row& row) const { return row.target; }
    std::int64_t weight(const Row& row) const { return static_cast<std::int64_t>(row.packed & 0xffffffffU); }
    std::uint32_t cells_a_bin() const { return target_.layout.classes; }
    void count(Cell* cells, std::uint32_t code, const Row& row) const {
        cells[std::size_t{code} * target_.layout.classes + row.target] += row.packed;
    }
    bool empty(const Cell* bin) const {
        std::uint64_t any = 0;
        for (std::uint32_t k = 0; k < target_.layout.classes; ++k) any |= bin[k];
        return any == 0;
    }
    void read(const Cell* bin, std::int64_t* statistics) const {
        std::uint64_t rows = 0;
        for (std::uint32_t k = 0; k < target_.layout.classes; ++k) {
            statistics[k] = static_cast<std::int64_t>(bin[k] & 0xffffffffU);
            rows += bin[k] >> 32U;
        }
        statistics[target_.layout.classes] = static_cast<std::int64_t>(rows);
    }

  private:
    const Target& target_;
    const std::vector<std::uint32_t>& multiplicities_;
};

class PlainStatistics {
  public:
    struct Row {
        std::uint32_t row;
    };
    using Cell = std::int64_t;

    PlainStatistics(const Target& target, const std::vector<std::uint32_t>& multiplicities)
        : target_(target), multiplicities_(multiplicities), width_(target.layout.size()) {}

    Row make_row(std::uint32_t row) const { return {row}; }
    std::int64_t target(const Row& row) const { return target_.target(row.row); }
    std::int64_t weight(const Row& row) const { return multiplicities_[row.row] * target_.weight(row.row); }
    std::uint32_t cells_a_bin() const { return static_cast<std::uint32_t>(width_); }
    void count(Cell* cells, std::uint32_t code, const Row& row) const {
        add_row(target_.layout, cells + code * width_, target(row), weight(row));
    }
    bool empty(const Cell* bin) const { return bin[target_.layout.rows_at()] == 0; }
    void read(const Cell* bin, std::int64_t* statistics) const {
        for (std::size_t i = 0; i < width_; ++i) statistics[i] = bin[i];
    }

  private:
    const Target& target_;
    const std::vector<std::uint32_t>& multiplicities_;
    std::size_t width_;
};

}  // namespace regrove::train
