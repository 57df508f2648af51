// Small nodes of a spread tree, each grown to its end by one rank from the rows that the others send it.
//
// Deep trees have most of their nodes where few rows are left: there a histogram costs more to send than the rows
// themselves. Bytes sent a rank and tree: at most its rows of the tree times (features * bytes of a cell + 20), once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/dist/binned_search.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/dist/tree_grower.hpp"

namespace regrove::dist {

/// The rank of each node: the largest node first, each to the rank with the fewest rows so far.
std::vector<int> deal_nodes(std::span<const HandedNode> nodes, int ranks);

class SubtreeHandover final : public SubtreeGrower {
  public:
    /// `table` null: thresholds between any two values, from the set's columns. `tree_rows`: rows drawn for the tree, over
    /// all ranks.
    SubtreeHandover(comm::Communicator& comm, const TrainingSet& set, const binning::BinnedTable* table,
                    const train::CartOptions& options, const FeatureDraws& draws, std::int64_t tree_weight,
                    std::uint64_t tree_rows);

    std::vector<model::Tree> grow(std::span<const HandedNode> nodes,
                                  std::span<const std::uint32_t> node_of_row) override;
    std::uint64_t most_rows() const override { return most_rows_; }

  private:
    /// Rows received, node by node.
    struct Received;
    Received send_rows(std::span<const HandedNode> nodes, std::span<const int> rank_of_node,
                       std::span<const std::uint32_t> node_of_row) const;

    comm::Communicator& comm_;
    const TrainingSet& set_;
    const binning::BinnedTable* table_;
    const train::CartOptions& options_;
    FeatureDraws draws_;
    std::int64_t tree_weight_;
    std::uint64_t most_rows_;
};

}  // namespace regrove::dist
