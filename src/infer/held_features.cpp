// All cells of a block are laid out, those of the features replaced, and the trees walked.
#include "regrove/infer/held_features.hpp"

#include <algorithm>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::infer {

namespace {

/// As in Predictor: the cells of a block stay in the cache.
constexpr std::size_t k_block_rows = 256;

bool asks_for(const model::Question& question, const std::vector<FeatureId>& features) {
    const auto is_one = [&](FeatureId feature) { return std::ranges::find(features, feature) != features.end(); };
    return is_one(question.feature) ||
           std::ranges::any_of(question.surrogates, [&](const auto& surrogate) { return is_one(surrogate.feature); });
}

bool asks_for(const model::Tree& tree, const std::vector<FeatureId>& features) {
    return std::ranges::any_of(
        tree.nodes, [&](const model::Node& node) { return !node.is_leaf() && asks_for(node.question, features); });
}

}  // namespace

HeldFeatures::HeldFeatures(const model::Ensemble& ensemble, const Binding& binding, std::vector<FeatureId> features)
    : binding_(&binding), features_(std::move(features)), model_trees_(ensemble.trees.size()) {
    for (std::size_t tree = 0; tree < model_trees_; ++tree) {
        if (!asks_for(ensemble.trees[tree], features_)) continue;
        places_.push_back(tree);
        walks_.emplace_back(ensemble.trees[tree]);
    }
}

void HeldFeatures::walk(const data::TableShard& shard, std::span<const double> cells,
                        std::vector<NodeId>& leaves) const {
    REGROVE_CHECK(cells.size() == features_.size() && leaves.size() == shard.rows * model_trees_);
    const std::size_t width = binding_->features();
    parallel_for_blocks(shard.rows, k_block_rows, [&](std::size_t begin, std::size_t end) {
        std::vector<double> block;
        binding_->fill(shard, begin, end, block);
        for (std::size_t row = 0; row < end - begin; ++row)
            for (std::size_t f = 0; f < cells.size(); ++f) block[row * width + index(features_[f])] = cells[f];
        for (std::size_t w = 0; w < walks_.size(); ++w)
            for (std::size_t row = begin; row < end; ++row)
                leaves[row * model_trees_ + places_[w]] =
                    walks_[w].leaf(std::span<const double>(block.data() + (row - begin) * width, width));
    });
}

}  // namespace regrove::infer
