// Finds the best question of new nodes: histograms of the smaller children, their siblings by subtraction, the search by
// the features' owners, and the best of all owners.
//
// local: each rank counts its rows of the smaller children     summary: integer histograms     merge: sum, by owner
// Bytes sent a rank and batch, for n smaller children of w words on p ranks: 8 n w (p - 1) / p, and about 100 a node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/train/boosting_search.hpp"

namespace regrove::train {

class NodeEvaluation final : public BoostingSearch {
  public:
    NodeEvaluation(const TreeSearchContext& context, BoostingExchange& exchange);

    void evaluate_root(std::vector<GrowingNode>& nodes) override;
    void evaluate_children(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) override;
    /// Throws LimitError (on all ranks alike) when the level's histograms would take more than 2 GiB over all ranks.
    bool evaluate_level(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) override;
    void ask(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> open) override;

  private:
    void count(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids);
    void count_alone(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids);
    void count_and_share(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids);
    void make_histograms(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> parents,
                         std::span<const std::uint32_t> wanted);
    void search(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids);
    void take_thresholds(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids,
                         const std::vector<FeatureMarks>& marks, std::vector<BoostingCandidate>& best);
    std::vector<GradientSums> left_sums(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids,
                                        const BoostingCandidate& common);
    void check_level(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids) const;
    void drop_beyond_budget(std::vector<GrowingNode>& nodes);
    std::uint64_t histogram_bytes(const HistogramShape& shape) const;
    FeatureWords words_of(const GrowingNode& node, std::uint32_t position) const;

    TreeSearchContext context_;
    BoostingExchange& exchange_;
    OwnedPositions owned_;
};

}  // namespace regrove::train
