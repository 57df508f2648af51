// Trees grown on different ranks, brought together on all of them.
#pragma once

#include <cstddef>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/model/tree.hpp"

namespace regrove::dist {

/// Rank r brings trees r, r + p, r + 2p, ... of `trees`; the result holds all, in order, on every rank. Each rank sends its
/// trees to every other one. Collective.
std::vector<model::Tree> exchange_trees(comm::Communicator& comm, std::vector<model::Tree> own, std::size_t trees);

/// A tree as bytes and back, to the last bit.
std::string pack(const model::Tree& tree);
model::Tree unpack_tree(std::string_view bytes);

}  // namespace regrove::dist
