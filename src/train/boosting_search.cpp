// Candidates sent as bytes, and what a candidate means for its node.
#include "regrove/train/boosting_search.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace regrove::train {

namespace {

void append(std::string& text, const void* bytes, std::size_t size) {
    if (size != 0) text.append(static_cast<const char*>(bytes), size);
}

void pack(const BoostingCandidate& candidate, std::string& text) {
    const BoostingCandidateFigures& figures = candidate;
    append(text, &figures, sizeof figures);
    for (const auto* set : {&candidate.right_categories, &candidate.seen_categories}) {
        const std::uint64_t size = set->size();
        append(text, &size, sizeof size);
        append(text, set->data(), size * sizeof(std::uint64_t));
    }
}

BoostingCandidate unpack(const char*& next) {
    BoostingCandidate candidate;
    BoostingCandidateFigures& figures = candidate;
    std::memcpy(&figures, next, sizeof figures);
    next += sizeof figures;
    for (auto* set : {&candidate.right_categories, &candidate.seen_categories}) {
        std::uint64_t size = 0;
        std::memcpy(&size, next, sizeof size);
        next += sizeof size;
        set->resize(size);
        if (size != 0) std::memcpy(set->data(), next, size * sizeof(std::uint64_t));
        next += size * sizeof(std::uint64_t);
    }
    return candidate;
}

}  // namespace

bool may_split(const TreeSearchContext& context, const GrowingNode& node) {
    if (context.max_depth != 0 && node.depth >= context.max_depth) return false;
    const auto least_rows = static_cast<std::uint64_t>(std::max<std::int64_t>(context.rules.min_rows_leaf, 1));
    return node.global_rows / 2 >= least_rows &&
           context.rules.score.hessian(node.sums) >= 2 * context.rules.min_child_weight;
}

std::vector<FeatureMarks> features_of_nodes(const TreeSearchContext& context, const std::vector<GrowingNode>& nodes,
                                            std::span<const std::uint32_t> ids) {
    std::vector<FeatureMarks> marks(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        marks[i] = context.columns.features(nodes[ids[i]].depth, nodes[ids[i]].key);
        context.interactions.restrict_to(nodes[ids[i]].groups, marks[i]);
    }
    return marks;
}

std::vector<BoostingCandidate> best_of_ranks(BoostingExchange& exchange, std::vector<BoostingCandidate> own) {
    if (exchange.ranks() == 1) return own;
    std::string text;
    for (const BoostingCandidate& candidate : own) pack(candidate, text);
    for (const std::string& other : exchange.gather(text)) {
        const char* next = other.data();
        for (BoostingCandidate& best : own) {
            BoostingCandidate candidate = unpack(next);
            if (preferred(candidate, best)) best = std::move(candidate);
        }
    }
    return own;
}

void take_best(const TreeSearchContext& context, BoostingCandidate best, GrowingNode& node) {
    node.evaluated = true;
    node.best = std::move(best);
    if (node.best.valid == 0) return;
    node.gain = (node.best.score - context.rules.score.score(node.sums, node.bounds)) / 2;
    node.splittable = node.gain > context.rules.least_gain;
}

SymmetricLevel level_below(const TreeSearchContext& context, const std::vector<GrowingNode>& nodes,
                           std::span<const std::uint32_t> opened) {
    SymmetricLevel level;
    for (const auto id : opened) level.nodes.insert(level.nodes.end(), {nodes[id].left, nodes[id].right});
    if (opened.empty()) level.nodes.push_back(0);
    if (nodes[level.nodes[0]].depth >= context.max_depth) return {};
    for (const auto id : level.nodes) {
        if (nodes[id].global_rows != 0) level.with_rows.push_back(id);
    }
    return level.with_rows.empty() ? SymmetricLevel{} : level;
}

bool gains_enough(const TreeSearchContext& context, const BoostingCandidate& common) {
    return common.valid != 0 && common.score / 2 > context.rules.least_gain;
}

void divide_level(const TreeSearchContext& context, const SymmetricLevel& level, const BoostingCandidate& common,
                  std::span<const GradientSums> left, std::vector<GrowingNode>& nodes) {
    for (const auto id : level.nodes) {  // those without rows are divided all the same
        nodes[id].best = common;
        nodes[id].best.left = {};
        nodes[id].evaluated = nodes[id].splittable = true;
    }
    const LeafScore& score = context.rules.score;
    for (std::size_t i = 0; i < level.with_rows.size(); ++i) {
        GrowingNode& node = nodes[level.with_rows[i]];
        node.best.left = left[i];
        const GradientSums right = node.sums - left[i];
        if (left[i].hessian == 0 || right.hessian == 0) continue;
        node.gain = (score.score(left[i], node.bounds) + score.score(right, node.bounds) -
                     score.score(node.sums, node.bounds)) /
                    2;
    }
}

}  // namespace regrove::train
