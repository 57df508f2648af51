// Block by block over rows, tree by tree within a block, so that a tree's nodes stay in the cache.
#include "regrove/infer/predictor.hpp"

#include <algorithm>
#include <span>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/infer/fast_scores.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/model/class_rule.hpp"
#include "regrove/model/node_tables.hpp"

namespace regrove::infer {

namespace {

/// Rows whose cells are laid out at once: 28 features of 256 rows fill 56 KiB.
constexpr std::size_t k_block_rows = 256;
/// Rows a thread takes at a time.
/// Leaves of all trees that are kept at once where trees are walked row by row.
constexpr std::size_t k_leaf_bytes = std::size_t{64} << 20U;
constexpr std::size_t k_grain_rows = 16 * k_block_rows;

std::vector<std::uint32_t> number_leaves(const model::Tree& tree) {
    std::vector<std::uint32_t> numbers(tree.nodes.size(), 0);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (tree.nodes[i].is_leaf()) numbers[i] = next++;
    return numbers;
}

/// The mean over the trees of what each row's leaf adds, by the trees' weights: rows x outputs.
std::vector<double> mean_answers(const model::Ensemble& ensemble, const std::vector<model::NodeTable>& tables,
                                 const std::vector<NodeId>& leaves,
                                 const std::vector<std::uint8_t>* marked = nullptr) {
    const std::size_t outputs = ensemble.outputs();
    const std::size_t trees = tables.size();
    const bool weighted = trees > 1 && !ensemble.tree_weights.empty();
    const std::size_t rows = leaves.size() / trees;
    std::vector<double> answers(rows * outputs);
    parallel_for_blocks(rows, k_grain_rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            double* const own = answers.data() + row * outputs;
            double total = 0;
            for (std::size_t tree = 0; tree < trees; ++tree) {
                if (marked != nullptr && (*marked)[row * trees + tree] == 0) continue;
                const double* const added = tables[tree].data() + index(leaves[row * trees + tree]) * outputs;
                for (std::size_t k = 0; k < outputs; ++k) own[k] = total == 0 ? added[k] : own[k] + added[k];
                total += weighted ? ensemble.tree_weights[tree] : 1;
            }
            if (total == 0) continue;
            for (std::size_t k = 0; k < outputs; ++k) own[k] /= total;
        }
    });
    return answers;
}

/// Initial scores plus leaf values in tree order: rows x scores. `initial`: more of them, one a row of a model with one score.
std::vector<double> scores_of_leaves(const model::Ensemble& ensemble, const std::vector<NodeId>& leaves,
                                     std::span<const double> initial) {
    const std::size_t scores = ensemble.scores();
    const std::size_t length = ensemble.value_length();
    const std::size_t trees = ensemble.trees.size();
    const std::vector<model::NodeTable> tables = model::value_tables(ensemble);
    std::vector<double> raw(leaves.size() / trees * scores);
    REGROVE_CHECK(initial.empty() || initial.size() == raw.size());
    parallel_for_blocks(leaves.size() / trees, k_grain_rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            double* const own = raw.data() + row * scores;
            std::ranges::copy(ensemble.initial_scores, own);
            if (!initial.empty()) own[0] += initial[row];
            for (std::size_t tree = 0; tree < trees; ++tree) {
                const double* const added = tables[tree].data() + index(leaves[row * trees + tree]) * length;
                const std::size_t first = ensemble.tree_outputs.empty() ? 0 : ensemble.tree_outputs[tree];
                for (std::size_t k = 0; k < length; ++k) own[first + k] += added[k];
            }
        }
    });
    return raw;
}

/// As model::ClassRule decides, without a table of all scores for every node.
std::vector<std::int32_t> classes_of_scores(const std::vector<double>& raw, std::size_t scores) {
    std::vector<std::int32_t> classes(raw.size() / scores);
    for (std::size_t row = 0; row < classes.size(); ++row) {
        const std::span<const double> own(raw.data() + row * scores, scores);
        classes[row] = scores == 1 ? (own[0] > 0 ? 1 : 0)
                                   : static_cast<std::int32_t>(std::ranges::max_element(own) - own.begin());
    }
    return classes;
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

std::vector<double> Predictor::raw(const std::vector<NodeId>& leaves, std::span<const double> initial) const {
    if (sums()) return scores_of_leaves(*ensemble_, leaves, initial);
    return mean_answers(*ensemble_, model::value_tables(*ensemble_), leaves);
}

std::vector<double> Predictor::values(const std::vector<NodeId>& leaves, std::span<const double> initial) const {
    REGROVE_CHECK(ensemble_->task == model::Task::regression);
    return values_of(raw(leaves, initial));
}

std::vector<double> Predictor::values_of(std::vector<double> raw) const {
    for (double& value : raw) value = model::linked_value(ensemble_->link, value);
    return raw;
}

std::vector<double> Predictor::probabilities_of(const std::vector<double>& raw) const {
    REGROVE_CHECK(sums() && ensemble_->task == model::Task::classification);
    return model::linked_probabilities(ensemble_->link, raw, ensemble_->outputs());
}

std::vector<std::int32_t> Predictor::classes_of(const std::vector<double>& raw) const {
    REGROVE_CHECK(sums() && ensemble_->task == model::Task::classification);
    return classes_of_scores(raw, ensemble_->scores());
}

std::vector<double> Predictor::raw_scores(const data::TableShard& shard) const {
    const std::vector<double> initial = initial_scores_of(*ensemble_, shard);
    if (FastScores::pays(*ensemble_)) return FastScores(*ensemble_, binding_).scores(shard, initial);
    std::vector<double> scores;
    scores.reserve(shard.rows * ensemble_->scores());
    const std::size_t step =
        std::max<std::size_t>(k_leaf_bytes / (std::max<std::size_t>(ensemble_->trees.size(), 1) * sizeof(NodeId)), 1);
    for (std::size_t begin = 0; begin < shard.rows; begin += step) {
        const std::size_t end = std::min<std::size_t>(begin + step, shard.rows);
        const std::vector<NodeId> reached = leaves(data::slice(shard, begin, end));
        const auto own = initial.empty() ? std::span<const double>{} : std::span(initial).subspan(begin, end - begin);
        const std::vector<double> some = scores_of_leaves(*ensemble_, reached, own);
        scores.insert(scores.end(), some.begin(), some.end());
    }
    return scores;
}

std::vector<double> Predictor::probabilities(const std::vector<NodeId>& leaves,
                                             std::span<const double> initial) const {
    REGROVE_CHECK(ensemble_->task == model::Task::classification);
    if (sums()) return probabilities_of(scores_of_leaves(*ensemble_, leaves, initial));
    return mean_answers(*ensemble_, model::class_tables(*ensemble_), leaves);
}

std::vector<double> Predictor::answers_of_marked(const std::vector<NodeId>& leaves,
                                                 const std::vector<std::uint8_t>& marked) const {
    REGROVE_CHECK(ensemble_->combination != model::Combination::sum);
    const bool classes = ensemble_->task == model::Task::classification;
    const auto tables = classes ? model::class_tables(*ensemble_) : model::value_tables(*ensemble_);
    return mean_answers(*ensemble_, tables, leaves, &marked);
}

std::vector<std::int32_t> Predictor::classes(const std::vector<NodeId>& leaves,
                                             std::span<const double> initial) const {
    REGROVE_CHECK(ensemble_->task == model::Task::classification);
    if (sums()) return classes_of(scores_of_leaves(*ensemble_, leaves, initial));
    const model::ClassRule rule(*ensemble_);
    const std::size_t trees = rule.trees();
    std::vector<std::int32_t> classes(leaves.size() / trees);
    parallel_for_blocks(classes.size(), k_grain_rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row)
            classes[row] = static_cast<std::int32_t>(rule.decide({leaves.data() + row * trees, trees}));
    });
    return classes;
}

}  // namespace regrove::infer
