// Post-pruning: the parts of a born-again tree that no row of a table reaches are left out. What remains is smaller and
// no longer faithful.
//
// Source: Vidal and Schiffer 2020, section 4.4: bottom up, a split whose one side holds no row is replaced by its other
// side. Two leaves of one class that become neighbours by this are joined, which changes no answer.
#pragma once

#include <cstdint>
#include <span>

#include "regrove/model/ensemble.hpp"

namespace regrove::bornagain {

/// The first tree of `reborn` without what no row reaches, as a model marked in its provenance as not faithful. `rows`:
/// one number a node of the tree, read at its leaves: the rows of the table that end there. Rows and weights of the new
/// tree's nodes are those of the table; a leaf's value is all for the class that the born-again tree says. With no rows
/// at all the tree stays as it is.
model::Ensemble post_prune(const model::Ensemble& reborn, std::span<const std::uint64_t> rows);

}  // namespace regrove::bornagain
