// One question for several nodes: their gains added cut by cut, in the order of the nodes.
#include <algorithm>
#include <numeric>

#include "regrove/train/boosting_split.hpp"

namespace regrove::train {

namespace {

constexpr double k_never = -std::numeric_limits<double>::infinity();

/// What a cut gains over all nodes, for each side that rows without a value may take.
struct CutGain {
    double missing_left = 0;
    double missing_right = 0;
};

/// Twice the gain of one division; zero where a side would be too small, k_never where it breaks a constraint.
double doubled_gain(const BoostingSplitRules& rules, const BoostingNodeView& node, int direction,
                    const GradientSums& left) {
    const GradientSums right = node.sums - left;
    const bool allowed =
        left.hessian > 0 && right.hessian > 0 && rules.score.hessian(left) >= rules.min_child_weight &&
        rules.score.hessian(right) >= rules.min_child_weight &&
        (rules.min_rows_leaf <= 1 || (left.rows >= rules.min_rows_leaf && right.rows >= rules.min_rows_leaf));
    if (direction != 0 && left.hessian > 0 && right.hessian > 0) {
        const double rise = rules.score.value(right, node.bounds) - rules.score.value(left, node.bounds);
        if (direction > 0 ? rise < 0 : rise > 0) return k_never;
    }
    if (!allowed) return 0;
    return rules.score.score(left, node.bounds) + rules.score.score(right, node.bounds) -
           rules.score.score(node.sums, node.bounds);
}

std::vector<NodeBins> read_nodes(std::span<const BoostingNodeView> nodes, std::span<const FeatureWords> words) {
    std::vector<NodeBins> read;
    for (std::size_t i = 0; i < nodes.size(); ++i) read.push_back({&nodes[i], bin_sums(words[i])});
    return read;
}

void add_gain(const BoostingSplitRules& rules, int direction, const NodeBins& node, const GradientSums& left,
              CutGain& gain) {
    GradientSums with = left;
    with += node.bins.back();
    gain.missing_left += doubled_gain(rules, *node.node, direction, with);
    gain.missing_right += doubled_gain(rules, *node.node, direction, left);
}

/// Cut i lies behind the i-th bin of `order`.
std::vector<CutGain> gains_of_cuts(const BoostingSplitRules& rules, int direction, std::span<const NodeBins> nodes,
                                   const std::vector<std::uint32_t>& order) {
    std::vector<CutGain> gains(order.size());
    for (const NodeBins& node : nodes) {
        GradientSums left;
        for (std::size_t i = 0; i < order.size(); ++i) {
            left += node.bins[order[i]];
            add_gain(rules, direction, node, left, gains[i]);
        }
    }
    return gains;
}

/// The first of the best; `missing` says whether both sides are open to rows without a value.
struct BestGain {
    std::size_t cut = 0;
    double gain = 0;
    bool missing_right = true;
    bool any = false;
};

BestGain best_of(const std::vector<CutGain>& gains, bool missing, std::size_t most_on_smaller_side) {
    BestGain best;
    const auto offer = [&](std::size_t cut, double gain, bool right) {
        if (gain > best.gain) best = {cut, gain, right, true};
    };
    for (std::size_t cut = 0; cut < gains.size(); ++cut) {
        const bool last = cut + 1 == gains.size();
        if (std::min(cut + 1, gains.size() - cut - 1) > most_on_smaller_side) continue;
        if (missing && !last) offer(cut, gains[cut].missing_left, false);
        if (missing || !last) offer(cut, gains[cut].missing_right, true);
    }
    return best;
}

/// Where the sums of each bin of `bins` stand in a node's is `order`; `count` stands for "no value".
BoostingCandidate numeric_question(const BoostingSplitRules& rules, std::span<const NodeBins> nodes,
                                   const ListedLevel& level, const std::vector<std::uint32_t>& order) {
    BoostingCandidate candidate;
    candidate.feature = level.feature;
    candidate.missing_seen = level.missing_seen ? 1 : 0;
    const auto gains = gains_of_cuts(rules, rules.direction(level.feature), nodes, order);
    const BestGain best = best_of(gains, level.missing_seen, order.size());
    if (!best.any) return candidate;
    candidate.valid = 1;
    candidate.score = best.gain;
    candidate.missing_right = best.missing_right ? 1 : 0;
    candidate.last_left_bin = level.bins[best.cut];
    candidate.next_bin = best.cut + 1 < level.bins.size() ? level.bins[best.cut + 1] : level.count;
    candidate.first_bin = level.bins.front();
    candidate.last_bin = level.bins.back();
    return candidate;
}

BoostingCandidate numeric_question(const BoostingSplitRules& rules, const std::vector<NodeBins>& nodes,
                                   const FeatureWords& words, const std::vector<GradientSums>& all) {
    const std::uint32_t count = words.bins->count;
    std::vector<std::uint32_t> order;
    for (std::uint32_t bin = 0; bin < count; ++bin) {
        if (all[bin].hessian != 0) order.push_back(bin);
    }
    BoostingCandidate candidate =
        numeric_question(rules, nodes, {words.feature, count, order, all[count].hessian != 0}, order);
    settle_cut(candidate, *words.bins);
    return candidate;
}

std::vector<std::uint32_t> order_of_categories(const BoostingSplitRules& rules,
                                               const std::vector<GradientSums>& all) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t code = 0; code + 1 < all.size(); ++code) {
        if (all[code].hessian != 0) order.push_back(code);
    }
    if (order.size() <= rules.max_onehot) return order;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return rules.category_place(all[a]) < rules.category_place(all[b]);
    });
    return order;
}

/// Cut i: the i-th category alone on the right; the last cut: all values left.
std::vector<CutGain> gains_of_each(const BoostingSplitRules& rules, const std::vector<NodeBins>& nodes,
                                   const std::vector<std::uint32_t>& order) {
    std::vector<CutGain> gains(order.size() + 1);
    for (const NodeBins& node : nodes) {
        const GradientSums valued = node.node->sums - node.bins.back();
        for (std::size_t i = 0; i < order.size(); ++i) {
            add_gain(rules, 0, node, valued - node.bins[order[i]], gains[i]);
        }
        add_gain(rules, 0, node, valued, gains.back());
    }
    return gains;
}

BoostingCandidate category_question(const BoostingSplitRules& rules, const std::vector<NodeBins>& nodes,
                                    const FeatureWords& words, const std::vector<GradientSums>& all) {
    BoostingCandidate candidate;
    candidate.feature = words.feature;
    candidate.categorical = 1;
    candidate.missing_seen = all.back().hessian != 0 ? 1 : 0;
    const auto order = order_of_categories(rules, all);
    for (const auto code : order) model::insert(candidate.seen_categories, code);
    const bool each = order.size() <= rules.max_onehot;
    const auto gains = each ? gains_of_each(rules, nodes, order) : gains_of_cuts(rules, 0, nodes, order);
    const BestGain best =
        best_of(gains, candidate.missing_seen != 0, each ? gains.size() : rules.max_category_threshold);
    if (!best.any) return candidate;
    candidate.valid = 1;
    candidate.score = best.gain;
    candidate.missing_right = best.missing_right ? 1 : 0;
    if (each) {
        if (best.cut < order.size()) model::insert(candidate.right_categories, order[best.cut]);
    } else {
        for (std::size_t i = best.cut + 1; i < order.size(); ++i) model::insert(candidate.right_categories, order[i]);
    }
    return candidate;
}

}  // namespace

BoostingCandidate best_listed_common_question(const BoostingSplitRules& rules, std::span<const NodeBins> nodes,
                                              const ListedLevel& level) {
    std::vector<std::uint32_t> order(level.bins.size());
    std::iota(order.begin(), order.end(), 0U);
    return numeric_question(rules, nodes, level, order);
}

BoostingCandidate best_common_question(const BoostingSplitRules& rules, std::span<const BoostingNodeView> nodes,
                                       std::span<const FeatureWords> words) {
    const auto read = read_nodes(nodes, words);
    std::vector<GradientSums> all(words[0].bins->count + 1);
    for (const NodeBins& node : read) {
        for (std::size_t bin = 0; bin < all.size(); ++bin) all[bin] += node.bins[bin];
    }
    return words[0].bins->category ? category_question(rules, read, words[0], all)
                                   : numeric_question(rules, read, words[0], all);
}

}  // namespace regrove::train
