// Node search by histograms of spread rows: counted by each rank, summed over the ranks, decided by all alike.
//
// local: each rank counts its rows by node, drawn feature and bin     summary: integer statistics     merge: sum
// Bytes sent a rank and level, for n nodes, m features a node, b bins, s integers a bin on p ranks (a ring):
//   2 * 8 n m b s * (p - 1) / p: for a given n it does not grow with the rows, nor with the ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/dist/node_search.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/train/binned_split.hpp"

namespace regrove::dist {

/// What nodes of a forest ask about.
struct FeatureDraws {
    std::uint32_t features_a_node = 1;  ///< drawn in each node; when none of them gains, others follow in turn
    bool extra_random = false;
};

/// The features of each slot's first look, in the order drawn.
std::vector<std::vector<std::uint32_t>> drawn_features(const OpenNodes& nodes, std::uint32_t features,
                                                       std::uint32_t features_a_node);
/// Common to searches by histogram: which features are looked at, in memory that is bounded.
class HistogramSearch : public NodeSearch {
  public:
    HistogramSearch(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options,
                    const FeatureDraws& draws, std::int64_t tree_weight);

    std::vector<FoundSplit> search(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) final;
    std::uint32_t most_slots() const final { return 65536; }

  protected:
    /// One feature of one slot, with the bins that its rows are counted by.
    struct Look {
        std::uint32_t slot = 0;
        std::uint32_t feature = 0;
        const binning::Bins* bins = nullptr;
        std::size_t begin = 0;  ///< of its statistics
        train::LookOrder order;
    };
    /// Sets the bins of some looks, which come feature by feature; may communicate.
    virtual void choose_bins(std::span<Look> looks, const OpenNodes& nodes,
                             std::span<const std::uint32_t> slot_of_row) = 0;
    /// The codes of all rows of this rank in the bins of a feature; a look for each slot or none.
    virtual void count_feature(std::uint32_t feature, std::span<const Look* const> look_of_slot,
                               std::span<const std::uint32_t> slot_of_row, std::int64_t* statistics) const = 0;
    /// An upper bound of the bins of a feature.
    virtual std::uint32_t most_bins(std::uint32_t feature) const = 0;

    comm::Communicator& comm_;
    const TrainingSet& set_;

  private:
    void look(const OpenNodes& nodes, std::span<const std::uint32_t> slot_of_row,
              const std::vector<std::vector<std::uint32_t>>& features, bool in_turn,
              std::vector<train::BinnedWinner>& winners, std::vector<FoundSplit>& found);
    void look_at_chunk(std::span<Look> looks, const OpenNodes& nodes, std::span<const std::uint32_t> slot_of_row,
                       std::vector<train::BinnedWinner>& winners, std::vector<FoundSplit>& found);

    const train::CartOptions& options_;
    FeatureDraws draws_;
    train::NodeFigures figures_;
    train::BinnedSplitRules rules_;
};

/// By the bins of a binned table.
class BinnedSearch final : public HistogramSearch {
  public:
    BinnedSearch(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options,
                 const FeatureDraws& draws, std::int64_t tree_weight, const binning::BinnedTable& table)
        : HistogramSearch(comm, set, options, draws, tree_weight), table_(table) {}

  private:
    void choose_bins(std::span<Look> looks, const OpenNodes&, std::span<const std::uint32_t>) override {
        for (Look& look : looks) look.bins = &table_.bins[look.feature];
    }
    void count_feature(std::uint32_t feature, std::span<const Look* const> look_of_slot,
                       std::span<const std::uint32_t> slot_of_row, std::int64_t* statistics) const override;
    std::uint32_t most_bins(std::uint32_t feature) const override { return table_.bins[feature].count; }

    const binning::BinnedTable& table_;
};

/// By thresholds drawn between a node's least and greatest value: two bins a node, no order of the values needed.
class DrawnSearch final : public HistogramSearch {
  public:
    using HistogramSearch::HistogramSearch;

  private:
    void choose_bins(std::span<Look> looks, const OpenNodes& nodes,
                     std::span<const std::uint32_t> slot_of_row) override;
    void count_feature(std::uint32_t feature, std::span<const Look* const> look_of_slot,
                       std::span<const std::uint32_t> slot_of_row, std::int64_t* statistics) const override;
    std::uint32_t most_bins(std::uint32_t feature) const override;

    std::vector<binning::Bins> bins_;
};

}  // namespace regrove::dist
