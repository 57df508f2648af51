// A polynomial of fewer symmetric trees, for some squared error on the rows of all ranks.
#pragma once

#include <cstdint>

#include "regrove/algebra/symmetric_trees.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::pipeline {

struct TradedPolynomial {
    algebra::Polynomial polynomial;
    std::uint64_t trees_left_out = 0;
    double squared_error = 0;  ///< mean over the rows of the squared change, summed over the scores
    double change_bound = 0;   ///< no score changes by more, at any point
};

/// algebra::trade_trees over the rows of all ranks: the same on any number of them. Collective; throws LimitError, agreed, when there
/// are more than 20,000 monomials (their pairs take 4 bytes each) or 10,000 trees (8 bytes), and InputError.
TradedPolynomial trade_trees(comm::Communicator& comm, const algebra::Polynomial& polynomial,
                             const algebra::SymmetricOptions& options, const data::TableShard& training,
                             double cost_of_a_tree);

}  // namespace regrove::pipeline
