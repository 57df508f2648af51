// Ordered target statistics of category features over the rows of all ranks, and the model's questions about them.
//
// local: each rank sums its rows by category, and along its stretch of a random order     summary: integers a category
// merge: sum over all ranks; sum over the ranks before this one
// Bytes sent a rank, for n rows on p ranks, f features and c channels: each order sends 24 n (p - 1) / p for the rows, and
// (4 + c) n (p - 1) / p a feature for its categories and codes.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/core/keyed_permutation.hpp"
#include "regrove/dist/boosting_set.hpp"
#include "regrove/train/boosting_tree_grower.hpp"
#include "regrove/train/target_statistics.hpp"

namespace regrove::dist {

/// The category features that `options` wants told apart by statistics, ascending.
std::vector<std::uint32_t> statistic_features(const std::vector<model::Feature>& features,
                                              const train::BoostingOptions& options);

/// Where each row of the table goes in order `order` of the rows of all ranks.
KeyedPermutation statistic_order(std::uint64_t seed, std::uint32_t order, std::uint64_t rows);

/// The statistics of some features, with this rank's codes for each tree of a run. Trees of one round after the other take the
/// orders in turn; of several channels, the tree of a score takes its class's.
class TargetStatistics {
  public:
    TargetStatistics(std::vector<train::StatisticFeature> features, std::uint32_t channels)
        : features_(std::move(features)), channels_(channels) {}

    /// Codes of a further order: a feature after the other, codes[row * channels + channel].
    void add_order(std::vector<std::vector<std::uint8_t>> codes) { orders_.push_back(std::move(codes)); }
    const std::vector<train::StatisticFeature>& features() const { return features_; }

    /// Gives the table the codes of the tree that round `round` grows for score `score`.
    void show(train::BoostingTable& table, std::uint64_t round, std::size_t score);
    /// Makes the questions of a tree grown on them such that the model can ask.
    void say_in_categories(train::GrownBoostedTree& grown, std::size_t score) const;
    /// A tree of a model, to be walked by the codes that `table` shows for it. Throws ConfigError when it was grown on other
    /// bins or statistics.
    train::GrownBoostedTree read(const model::Tree& tree, std::size_t score, const train::BoostingTable& table) const;

  private:
    const train::StatisticFeature* find(FeatureId feature) const;
    std::uint32_t channel(std::size_t score) const { return channels_ == 1 ? 0 : static_cast<std::uint32_t>(score); }

    std::vector<train::StatisticFeature> features_;  ///< ascending
    std::uint32_t channels_;
    std::vector<std::vector<std::vector<std::uint8_t>>> orders_;
    std::uint64_t shown_ = ~std::uint64_t{0};
};

/// Takes the statistics of the features that `options` wants, replacing their bins and codes in `binned`; null when there are
/// none. `set` has labels, weights, objective and features. Collective.
std::unique_ptr<TargetStatistics> take_target_statistics(comm::Communicator& comm, const BoostingSet& set,
                                                         const train::BoostingOptions& options, std::uint64_t seed,
                                                         binning::BinnedTable& binned);

}  // namespace regrove::dist
