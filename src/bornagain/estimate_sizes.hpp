// Sizes that are read off an ensemble's questions: depths, hyperplanes, cells.
#pragma once

#include <cstdint>

#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::bornagain {

/// Longest path of a tree in hyperplanes: a question for categories that cuts its axis more than once counts as often
/// as a search among its cuts takes.
std::uint64_t depth_in_hyperplanes(const cellspace::CompiledTree& tree, const cellspace::Box& box);

std::uint64_t leaf_count(const cellspace::CompiledTree& tree);

/// log10 of the cells into which the questions of the first `trees` trees cut a box.
double log10_cells_of(const cellspace::CompiledEnsemble& ensemble, std::size_t trees, const cellspace::Box& box);

}  // namespace regrove::bornagain
