// Streams are told apart by their upper bits; a node's key is 64 random bits, so that paths of any length have keys.
#include "regrove/train/forest_random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regrove/core/keyed_permutation.hpp"

namespace regrove::train {

namespace {

constexpr std::uint64_t k_row_streams = std::uint64_t{1} << 56U;
constexpr std::uint64_t k_root_stream = std::uint64_t{2} << 56U;
/// Indices of a node's stream: feature order from zero, children, then what is drawn for single features.
constexpr std::uint64_t k_child_index = std::uint64_t{1} << 62U;
constexpr std::uint64_t k_threshold_index = std::uint64_t{1} << 61U;

}  // namespace

std::uint64_t RowSampling::drawn_row(std::uint64_t tree, std::uint64_t draw) const {
    return CounterRandom(seed, k_row_streams | tree).below(draw, rows);
}

std::vector<std::uint32_t> RowSampling::multiplicities(std::uint64_t tree, std::uint64_t first,
                                                       std::uint64_t count) const {
    std::vector<std::uint32_t> times(count, 0);
    if (!bootstrap) {
        if (draws == rows) {
            std::fill(times.begin(), times.end(), 1U);
            return times;
        }
        const KeyedPermutation order(seed, k_row_streams | tree, rows);
        for (std::uint64_t i = 0; i < count; ++i) times[i] = order(first + i) < draws ? 1 : 0;
        return times;
    }
    const CounterRandom random(seed, k_row_streams | tree);
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
        const std::uint64_t row = random.below(draw, rows) - first;
        if (row < count) times[row] += 1;
    }
    return times;
}

std::uint64_t draws_for_share(double share, std::uint64_t rows) {
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::llround(share * static_cast<double>(rows))), 1,
                                     std::max<std::uint64_t>(rows, 1));
}

NodeRandom NodeRandom::root(std::uint64_t seed, std::uint64_t tree) {
    return {seed, CounterRandom(seed, k_root_stream).bits(tree)};
}

NodeRandom NodeRandom::child(model::Side side) const {
    return {seed_, draws_.bits(k_child_index + (side == model::Side::right ? 1U : 0U))};
}

std::vector<std::uint32_t> NodeRandom::shuffled(std::uint32_t features, std::uint32_t count) const {
    std::vector<std::uint32_t> order(features);
    std::iota(order.begin(), order.end(), 0U);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::swap(order[i], order[i + static_cast<std::uint32_t>(draws_.below(i, features - i))]);
    }
    return order;
}

std::vector<std::uint32_t> NodeRandom::sample_features(std::uint32_t features, std::uint32_t count) const {
    auto order = shuffled(features, count < features ? count : 0);
    order.resize(std::min(count, features));
    return order;
}

std::vector<std::uint32_t> NodeRandom::order_of_others(std::uint32_t features, std::uint32_t count) const {
    if (count >= features) return {};
    const auto order = shuffled(features, features);
    return {order.begin() + count, order.end()};
}

double NodeRandom::threshold_share(std::uint32_t feature) const {
    return draws_.uniform(k_threshold_index + feature);
}

bool NodeRandom::category_right(std::uint32_t feature, std::uint32_t category) const {
    const std::uint64_t index = k_threshold_index + ((std::uint64_t{feature} + 1) << 32U) + category / 64;
    return ((draws_.bits(index) >> (category % 64)) & 1U) != 0;
}

double value_between(double low, double high, double share) {
    const double value = (1 - share) * low + share * high;
    return value >= low && value < high ? value : low;
}

}  // namespace regrove::train
