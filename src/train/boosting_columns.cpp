// Draws by partial shuffles keyed by what is drawn for.
#include "regrove/train/boosting_columns.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "regrove/core/random.hpp"

namespace regrove::train {

namespace {

constexpr std::uint64_t k_tree_stream = std::uint64_t{10} << 56U;
constexpr std::uint64_t k_level_stream = std::uint64_t{11} << 56U;
constexpr std::uint64_t k_key_stream = std::uint64_t{12} << 56U;

/// A share of `from`, at least one, in ascending order.
std::vector<std::uint32_t> draw_share(std::vector<std::uint32_t> from, double share, const CounterRandom& random) {
    if (share >= 1 || from.size() <= 1) return from;
    const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(from.size())));
    for (std::size_t i = 0; i < count; ++i) std::swap(from[i], from[i + random.below(i, from.size() - i)]);
    from.resize(count);
    std::sort(from.begin(), from.end());
    return from;
}

}  // namespace

ColumnSampling::ColumnSampling(const BoostingOptions& options, std::uint32_t features, std::uint64_t seed,
                               std::uint64_t tree)
    : by_level_(options.colsample_bylevel),
      by_node_(options.colsample_bynode),
      seed_(seed),
      tree_(tree),
      features_(features),
      of_tree_(features) {
    std::iota(of_tree_.begin(), of_tree_.end(), 0U);
    of_tree_ = draw_share(std::move(of_tree_), options.colsample_bytree, CounterRandom(seed, k_tree_stream | tree));
}

std::uint64_t ColumnSampling::root_key() const { return CounterRandom(seed_, k_key_stream).bits(tree_); }

std::uint64_t ColumnSampling::child_key(std::uint64_t key, bool right) const {
    // Beyond the indices that draws of features use.
    return CounterRandom(seed_, key).bits((std::uint64_t{1} << 62U) + (right ? 1U : 0U));
}

FeatureMarks ColumnSampling::features(std::uint32_t depth, std::uint64_t node_key) const {
    if (of_tree_.size() == features_ && by_level_ >= 1 && by_node_ >= 1) return {};
    const std::uint64_t level = k_level_stream | (tree_ << 16U) | std::min(depth, 65535U);
    auto drawn = draw_share(of_tree_, by_level_, CounterRandom(seed_, level));
    drawn = draw_share(std::move(drawn), by_node_, CounterRandom(seed_, node_key));
    FeatureMarks marks(features_, 0);
    for (const auto feature : drawn) marks[feature] = 1;
    return marks;
}

Interactions::Interactions(InteractionGroups groups, std::uint32_t features) : groups_(std::move(groups)) {
    if (groups_.empty()) return;
    groups_of_.resize(features);
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        for (const auto feature : groups_[g]) groups_of_[feature].push_back(g);
    }
    for (std::uint32_t feature = 0; feature < features; ++feature) {
        if (!groups_of_[feature].empty()) continue;
        groups_of_[feature].push_back(static_cast<std::uint32_t>(groups_.size()));
        groups_.push_back({feature});
    }
}

std::vector<std::uint32_t> Interactions::root() const {
    std::vector<std::uint32_t> all(groups_.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

std::vector<std::uint32_t> Interactions::below(std::span<const std::uint32_t> alive, std::uint32_t feature) const {
    std::vector<std::uint32_t> both;
    if (!any()) return both;
    std::set_intersection(alive.begin(), alive.end(), groups_of_[feature].begin(), groups_of_[feature].end(),
                          std::back_inserter(both));
    return both;
}

void Interactions::restrict_to(std::span<const std::uint32_t> alive, FeatureMarks& marks) const {
    if (!any()) return;
    FeatureMarks allowed(groups_of_.size(), 0);
    for (const auto g : alive) {
        for (const auto feature : groups_[g]) allowed[feature] = 1;
    }
    if (marks.empty()) {
        marks = std::move(allowed);
        return;
    }
    for (std::size_t feature = 0; feature < marks.size(); ++feature) marks[feature] &= allowed[feature];
}

}  // namespace regrove::train
