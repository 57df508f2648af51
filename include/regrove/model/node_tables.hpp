// What a row that ends at a node gets from one tree: the node's weights, its class shares, its vote or its scores.
#pragma once

#include <cstddef>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::model {

/// `outputs` numbers a node, node by node.
using NodeTable = std::vector<double>;

/// The nodes' values as they are: class weights, or the mean.
NodeTable value_table(const Tree& tree, std::size_t outputs);
/// Class weights divided by their sum; equal shares where all are zero.
NodeTable share_table(const Tree& tree, std::size_t outputs);
/// One for the heaviest class, the smaller index when equal, and zero for the others.
NodeTable vote_table(const Tree& tree, std::size_t outputs);

/// The tables of all trees, each times its tree's weight: shares or votes, as the model combines its trees. One tree
/// alone has no others to vote with: shares.
std::vector<NodeTable> class_tables(const Ensemble& ensemble);
/// The values of all trees, each times its tree's weight.
std::vector<NodeTable> value_tables(const Ensemble& ensemble);

/// Combination::sum: what each node adds to the class scores, `outputs` numbers a node; with one raw score class 0 gets
/// nothing and class 1 the score. The initial scores are in the first tree's, so that sums from zero in tree order have
/// the very bits of sums that begin with them.
std::vector<NodeTable> sum_tables(const Ensemble& ensemble);

}  // namespace regrove::model
