// Exact masses in numbered cells, kept as the words of a Summary: counts when rows have no weights, exact sums
// otherwise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/core/exact_sum.hpp"
#include "regrove/metric/predictions.hpp"
#include "regrove/metric/summary.hpp"

namespace regrove::metric {

class MassCells {
  public:
    MassCells(std::size_t cells, const Predictions& predictions);
    void add(std::size_t cell, double weight);
    Summary take() const;

  private:
    std::vector<std::int64_t> counts_;
    std::vector<ExactSum> sums_;
};

/// The masses that `cells` cells of merged words hold; zeros when there are no words.
std::vector<double> masses(std::span<const std::int64_t> words, std::size_t cells);

/// Exact sums one behind the other as the words of a Summary, and back.
Summary to_summary(std::span<const ExactSum> sums);
ExactSum exact_sum_at(const Summary& summary, std::size_t i);

}  // namespace regrove::metric
