// Node search by exact sorted sweeps over the features that a node of a forest draws.
#pragma once

#include <span>
#include <vector>

#include "regrove/dist/binned_search.hpp"
#include "regrove/dist/split_search.hpp"

namespace regrove::dist {

class SampledSearch final : public NodeSearch {
  public:
    SampledSearch(SplitSearch& exact, std::uint32_t features, const FeatureDraws& draws)
        : exact_(exact), features_(features), draws_(draws) {}

    std::vector<FoundSplit> search(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) override;
    std::uint32_t most_slots() const override { return exact_.most_slots(); }

  private:
    SplitSearch& exact_;
    std::uint32_t features_;
    FeatureDraws draws_;
};

}  // namespace regrove::dist
