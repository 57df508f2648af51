// Long sets of categories that many questions ask for stand in a model file once, and questions name their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::formats {

/// A question's set as a file lists it.
struct SharedSet {
    FeatureId feature = k_no_feature;
    std::vector<std::uint64_t> categories;  ///< bit c set: category c
};

/// Sets of more than k_short_set categories that occur twice or more, numbered by their first occurrence.
class CategorySetTable {
  public:
    static constexpr std::size_t k_short_set = 16;

    explicit CategorySetTable(const model::Ensemble& ensemble);
    const std::vector<SharedSet>& sets() const { return sets_; }
    /// The set's number, if it is in the table.
    std::optional<std::size_t> number_of(FeatureId feature, const std::vector<std::uint64_t>& categories) const;

  private:
    std::unordered_map<std::string, std::size_t> number_of_;
    std::vector<SharedSet> sets_;
};

}  // namespace regrove::formats
