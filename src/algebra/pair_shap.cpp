// Row by row, tree by tree, the means over the background at the end.
#include "regrove/algebra/pair_shap.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"

#include "pair_tree.hpp"

namespace regrove::algebra {

namespace {

/// Bytes in which the background rows' ways through all trees may be kept.
constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 33U;

void check_size(const std::vector<PairTree>& trees, std::uint64_t rows) {
    std::uint64_t asks = 0;
    for (const PairTree& tree : trees) asks += tree.asks();
    const std::uint64_t most = k_most_bytes / (sizeof(PairTarget) * std::max<std::uint64_t>(asks, 1));
    if (rows > most)
        throw LimitError("the ways of " + std::to_string(rows) + " background rows through trees of " +
                         std::to_string(asks) + " questions do not fit; take at most " + std::to_string(most) +
                         " background rows");
}

}  // namespace

PairShap::PairShap(const model::Ensemble& ensemble, std::span<const double> background) : ShapValues(ensemble) {
    const std::size_t width = ensemble.features.size();
    REGROVE_CHECK(width > 0 && !background.empty() && background.size() % width == 0);
    background_rows_ = static_cast<double>(background.size() / width);
    for (std::size_t t = 0; t < ensemble.trees.size(); ++t)
        trees_.emplace_back(ensemble.trees[t], scores_.trees[t], asked_);
    check_size(trees_, background.size() / width);
    parallel_for(trees_.size(), [&](std::size_t t) { trees_[t].set_background(background, width); });
    std::vector<double> base = scores_.initial;
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        const std::vector<double> sum = trees_[t].background_sum();
        for (std::size_t k = 0; k < sum.size(); ++k) base[scores_.trees[t].first + k] += sum[k] / background_rows_;
    }
    for (double& score : base) score /= scores_.divisor;
    set_base(std::move(base), background.size() / width);
}

PairShap::~PairShap() = default;

void PairShap::explain(std::span<const double> cells, std::uint64_t /*first_row*/, std::span<double> phi) const {
    const std::size_t width = ensemble_.features.size();
    const std::size_t own = scores_.count() * features().size();
    const std::size_t rows = cells.size() / width;
    REGROVE_CHECK(phi.size() == rows * own);
    std::ranges::fill(phi, 0.0);
    PairScratch scratch;
    // Tree by tree, so that where the background rows go is read from the cache.
    for (const PairTree& tree : trees_)
        for (std::size_t row = 0; row < rows; ++row)
            tree.add(cells.subspan(row * width, width), scratch, phi.subspan(row * own, own), features().size());
    for (double& share : phi) share = share / background_rows_ / scores_.divisor;
}

}  // namespace regrove::algebra
