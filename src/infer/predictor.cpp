// Block by block over rows, tree by tree within a block, so that a tree's nodes stay in the cache.
#include "regrove/infer/predictor.hpp"

#include <algorithm>
#include <span>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::infer {

namespace {

/// Rows whose cells are laid out at once: 28 features of 256 rows fill 56 KiB.
constexpr std::size_t k_block_rows = 256;
/// Rows a thread takes at a time.
constexpr std::size_t k_grain_rows = 16 * k_block_rows;

std::vector<std::uint32_t> number_leaves(const model::Tree& tree) {
    std::vector<std::uint32_t> numbers(tree.nodes.size(), 0);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (tree.nodes[i].is_leaf()) numbers[i] = next++;
    return numbers;
}

/// What each leaf adds to a row's answer, leaf by leaf in the place of its node: nodes x outputs.
using LeafTable = std::vector<double>;

LeafTable raw_table(const model::Tree& tree, std::size_t outputs) {
    LeafTable table(tree.nodes.size() * outputs);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        std::ranges::copy(tree.nodes[i].value, table.begin() + static_cast<std::ptrdiff_t>(i * outputs));
    return table;
}

LeafTable probability_table(const model::Tree& tree, std::size_t outputs) {
    LeafTable table = raw_table(tree, outputs);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const std::span<double> shares(table.data() + i * outputs, outputs);
        double total = 0;
        for (const double weight : shares) total += weight;
        for (double& share : shares) share = total > 0 ? share / total : 1.0 / static_cast<double>(outputs);
    }
    return table;
}

/// One vote of each leaf for its heaviest class, the smaller index when equal.
LeafTable vote_table(const model::Tree& tree, std::size_t outputs) {
    LeafTable table = raw_table(tree, outputs);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const std::span<double> votes(table.data() + i * outputs, outputs);
        const auto chosen = std::ranges::max_element(votes) - votes.begin();
        std::ranges::fill(votes, 0.0);
        votes[static_cast<std::size_t>(chosen)] = 1;
    }
    return table;
}

/// What each tree's leaves add to class probabilities.
std::vector<LeafTable> class_tables(const model::Ensemble& ensemble) {
    const bool votes = ensemble.combination == model::Combination::majority && ensemble.trees.size() > 1;
    std::vector<LeafTable> tables;
    for (const model::Tree& tree : ensemble.trees) {
        tables.push_back(votes ? vote_table(tree, ensemble.outputs()) : probability_table(tree, ensemble.outputs()));
    }
    return tables;
}

/// The mean over the trees of what each row's leaf adds: rows x outputs.
std::vector<double> mean_answers(const std::vector<LeafTable>& tables, const std::vector<NodeId>& leaves,
                                 std::size_t outputs, const std::vector<std::uint8_t>* marked = nullptr) {
    const std::size_t trees = tables.size();
    const std::size_t rows = leaves.size() / trees;
    std::vector<double> answers(rows * outputs);
    parallel_for_blocks(rows, k_grain_rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            double* const own = answers.data() + row * outputs;
            std::size_t counted = 0;
            for (std::size_t tree = 0; tree < trees; ++tree) {
                if (marked != nullptr && (*marked)[row * trees + tree] == 0) continue;
                const double* const added = tables[tree].data() + index(leaves[row * trees + tree]) * outputs;
                for (std::size_t k = 0; k < outputs; ++k) own[k] = counted == 0 ? added[k] : own[k] + added[k];
                ++counted;
            }
            if (counted < 2) continue;
            for (std::size_t k = 0; k < outputs; ++k) own[k] /= static_cast<double>(counted);
        }
    });
    return answers;
}

}  // namespace

Predictor::Predictor(const model::Ensemble& ensemble, const data::Schema& schema)
    : ensemble_(&ensemble), binding_(ensemble, schema) {
    for (const model::Tree& tree : ensemble.trees) {
        walks_.emplace_back(tree);
        leaf_numbers_.push_back(number_leaves(tree));
    }
}

/// Calls visit(tree, row, cells) for every row and tree.
template <class Visit>
void Predictor::for_each_row(const data::TableShard& shard, Visit visit) const {
    const std::size_t width = binding_.features();
    parallel_for_blocks(shard.rows, k_grain_rows, [&](std::size_t grain_begin, std::size_t grain_end) {
        std::vector<double> cells;
        for (std::size_t begin = grain_begin; begin < grain_end; begin += k_block_rows) {
            const std::size_t end = std::min(begin + k_block_rows, grain_end);
            binding_.fill(shard, begin, end, cells);
            for (std::size_t tree = 0; tree < walks_.size(); ++tree)
                for (std::size_t row = begin; row < end; ++row)
                    visit(tree, row, std::span<const double>(cells.data() + (row - begin) * width, width));
        }
    });
}

std::vector<NodeId> Predictor::leaves(const data::TableShard& shard) const {
    const std::size_t trees = walks_.size();
    std::vector<NodeId> leaves(shard.rows * trees);
    for_each_row(shard, [&](std::size_t tree, std::size_t row, std::span<const double> cells) {
        leaves[row * trees + tree] = walks_[tree].leaf(cells);
    });
    return leaves;
}

std::vector<PathFlags> Predictor::flags(const data::TableShard& shard) const {
    std::vector<PathFlags> flags(shard.rows);
    for_each_row(shard, [&](std::size_t tree, std::size_t row, std::span<const double> cells) {
        static_cast<void>(walks_[tree].leaf(cells, flags[row]));
    });
    return flags;
}

std::vector<double> Predictor::raw(const std::vector<NodeId>& leaves) const {
    std::vector<LeafTable> tables;
    for (const model::Tree& tree : ensemble_->trees) tables.push_back(raw_table(tree, ensemble_->outputs()));
    return mean_answers(tables, leaves, ensemble_->outputs());
}

std::vector<double> Predictor::probabilities(const std::vector<NodeId>& leaves) const {
    REGROVE_CHECK(ensemble_->task == model::Task::classification);
    return mean_answers(class_tables(*ensemble_), leaves, ensemble_->outputs());
}

std::vector<double> Predictor::answers_of_marked(const std::vector<NodeId>& leaves,
                                                 const std::vector<std::uint8_t>& marked) const {
    if (ensemble_->task == model::Task::classification) {
        return mean_answers(class_tables(*ensemble_), leaves, ensemble_->outputs(), &marked);
    }
    std::vector<LeafTable> tables;
    for (const model::Tree& tree : ensemble_->trees) tables.push_back(raw_table(tree, 1));
    return mean_answers(tables, leaves, 1, &marked);
}

std::vector<std::int32_t> Predictor::classes(const std::vector<NodeId>& leaves) const {
    REGROVE_CHECK(ensemble_->task == model::Task::classification);
    // One tree: the weights themselves, since normalising could round two of them together.
    const std::vector<double> scores = ensemble_->trees.size() == 1 ? raw(leaves) : probabilities(leaves);
    const std::size_t outputs = ensemble_->outputs();
    std::vector<std::int32_t> classes(scores.size() / outputs);
    for (std::size_t row = 0; row < classes.size(); ++row) {
        const std::span<const double> own(scores.data() + row * outputs, outputs);
        classes[row] = static_cast<std::int32_t>(std::ranges::max_element(own) - own.begin());
    }
    return classes;
}

}  // namespace regrove::infer
