// Trees grown on different ranks, brought together on all of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/model/tree.hpp"

namespace regrove::dist {

/// Each rank brings the trees that `rank_of_tree` gives it, ascending; the result holds all, in order, on every rank. Each
/// rank sends its trees to every other one. Collective.
std::vector<model::Tree> exchange_trees(comm::Communicator& comm, std::vector<model::Tree> own,
                                        std::span<const int> rank_of_tree);

/// A tree as bytes and back, to the last bit.
std::string pack(const model::Tree& tree);
model::Tree unpack_tree(std::string_view bytes);

}  // namespace regrove::dist
