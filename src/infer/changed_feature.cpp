// Block by block over rows: all cells are laid out, those of the feature replaced, and the trees walked.
#include "regrove/infer/changed_feature.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::infer {

namespace {

/// As in Predictor: cells of a block stay in the cache, a thread takes several blocks.
constexpr std::size_t k_block_rows = 256;
constexpr std::size_t k_grain_rows = 16 * k_block_rows;

bool asks_for(const model::Question& question, FeatureId feature) {
    return question.feature == feature ||
           std::ranges::any_of(question.surrogates,
                               [&](const model::Surrogate& surrogate) { return surrogate.feature == feature; });
}

/// For each node, whether the way from the root to it asks for the feature; parents come before their children.
std::vector<std::uint8_t> asked_above(const model::Tree& tree, FeatureId feature) {
    std::vector<std::uint8_t> asked(tree.nodes.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const model::Node& node = tree.nodes[i];
        if (node.is_leaf()) continue;
        const bool below = asked[i] != 0 || asks_for(node.question, feature);
        asked[index(node.left)] = asked[index(node.right)] = below ? 1 : 0;
    }
    return asked;
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

ChangedFeature::ChangedFeature(const model::Ensemble& ensemble, const Binding& binding, FeatureId feature)
    : binding_(&binding), feature_(feature), model_trees_(ensemble.trees.size()) {
    for (std::size_t tree = 0; tree < ensemble.trees.size(); ++tree) {
        auto asked = asked_above(ensemble.trees[tree], feature);
        if (std::ranges::find(asked, 1) != asked.end())
            walks_.push_back({tree, TreeWalk(ensemble.trees[tree]), std::move(asked)});
    }
}

void ChangedFeature::walk_again(const data::TableShard& shard, std::span<const double> cells,
                                std::vector<NodeId>& leaves) const {
    REGROVE_CHECK(cells.size() == shard.rows && leaves.size() == shard.rows * model_trees_);
    const std::size_t width = binding_->features();
    parallel_for_blocks(shard.rows, k_grain_rows, [&](std::size_t grain_begin, std::size_t grain_end) {
        std::vector<double> block;
        std::vector<std::size_t> changed;
        for (std::size_t begin = grain_begin; begin < grain_end; begin += k_block_rows) {
            const std::size_t end = std::min(begin + k_block_rows, grain_end);
            binding_->fill(shard, begin, end, block);
            changed.clear();
            for (std::size_t row = begin; row < end; ++row) {
                double& cell = block[(row - begin) * width + index(feature_)];
                if (same_bits(cell, cells[row])) continue;
                cell = cells[row];
                changed.push_back(row);
            }
            for (const Walk& walk : walks_) {
                for (const std::size_t row : changed) {
                    NodeId& leaf = leaves[row * model_trees_ + walk.place];
                    if (walk.is_asked_above[index(leaf)] == 0) continue;
                    leaf = walk.tree.leaf(std::span<const double>(block.data() + (row - begin) * width, width));
                }
            }
        }
    });
}

}  // namespace regrove::infer
