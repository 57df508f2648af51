// The classes of the cells on the lines through a cell, and how far its own class runs on each.
#pragma once

#include <cstdint>
#include <vector>

#include "box_heuristic_grid.hpp"

namespace regrove::bornagain {

/// A cell of the open grid and its surroundings, in slices of the grid.
struct LinedCell {
    std::vector<std::uint32_t> at;  ///< slice by axis
    std::uint32_t class_index = 0;
    std::vector<std::uint32_t> first;  ///< of the run of its class on the line along each axis
    std::vector<std::uint32_t> last;
    /// Directions in which the line meets another class. The leaf of the cell must end before: a question for each, on
    /// one path.
    std::uint32_t ended_directions = 0;
    double log2_volume = 0;  ///< of the box that the runs span
};

class LineScanner {
  public:
    LineScanner(const cellspace::CompiledEnsemble& ensemble, const OpenGrid& grid);

    /// Fills in all but `at`. O(slices * trees) additions; trees are asked again only along axes that they ask.
    void scan(LinedCell& cell);
    /// The class at a place of the grid.
    std::uint32_t class_at(const std::vector<std::uint32_t>& at);

  private:
    void place(const std::vector<std::uint32_t>& at);
    std::uint32_t class_on_line(std::uint32_t axis, std::uint32_t slice);
    void answer(std::uint32_t tree);
    std::uint32_t class_here();

    const cellspace::CompiledEnsemble& ensemble_;
    const OpenGrid& grid_;
    std::vector<std::vector<std::uint32_t>> asking_;  ///< by axis: trees
    std::vector<std::uint32_t> cell_;
    std::vector<const double*> scores_;  ///< by tree, at the cell
    std::vector<const double*> kept_;
    std::vector<double> sums_;
};

}  // namespace regrove::bornagain
