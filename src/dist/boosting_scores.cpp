// Leaf by leaf where growth has left the rows, else by walking the trees.
#include "regrove/dist/boosting_scores.hpp"

#include <algorithm>
#include <limits>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/large_pages.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/infer/tree_walk.hpp"
#include "regrove/model/link.hpp"
#include "regrove/train/question_codes.hpp"

namespace regrove::dist {

namespace {

constexpr std::size_t k_rows_a_block = 16384;
/// Rows whose cells are laid out at once, so that they stay in the cache.
constexpr std::size_t k_rows_in_cells = 256;

/// The leaf of each row of a shard in a tree whose features are bound to it.
std::vector<NodeId> leaves_of(const infer::Binding& binding, const model::Tree& tree, const data::TableShard& shard) {
    const infer::TreeWalk walk(tree);
    const std::size_t width = binding.features();
    std::vector<NodeId> leaves(shard.rows);
    parallel_for_blocks(shard.rows, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        std::vector<double> cells;
        for (std::size_t first = begin; first < end; first += k_rows_in_cells) {
            const std::size_t last = std::min(first + k_rows_in_cells, end);
            binding.fill(shard, first, last, cells);
            for (std::size_t row = first; row < last; ++row)
                leaves[row] = walk.leaf({cells.data() + (row - first) * width, width});
        }
    });
    return leaves;
}

/// Calls body(row, leaf) for all rows, over the threads.
template <class Body>
void for_each_leaf(const train::GrownBoostedTree& grown, const train::RowMarks& marks, std::size_t rows, Body body) {
    parallel_for(grown.leaf_rows.size(), [&](std::size_t i) {
        const train::LeafRows& part = grown.leaf_rows[i];
        for (const train::RowEntry entry : part.rows) body(train::row_of(entry), part.leaf);
    });
    if (marks.marks.empty()) return;
    parallel_for_blocks(rows, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            if (!marks.takes_part(row)) body(row, train::leaf_by_codes(grown, row));
        }
    });
}

/// A tree with a question of codes for each inner node, and no rows.
train::GrownBoostedTree tree_of_codes(const model::Tree& tree, const train::BoostingTable& table) {
    train::GrownBoostedTree made{tree, {}, {}};
    for (const model::Node& node : tree.nodes) {
        made.questions.emplace_back();
        if (node.is_leaf()) continue;
        const auto f = static_cast<std::uint32_t>(index(node.question.feature));
        made.questions.back() = train::codes_of_question(node.question, table.bins(f), table.column(f));
    }
    return made;
}

/// Owns the columns that metric::Predictions views.
struct ScoredPredictions {
    std::vector<std::int32_t> true_class;
    std::vector<std::int32_t> predicted_class;
    std::vector<double> probability;
    std::vector<double> value;
};

std::vector<double> row_major(const RawScores& scores) {
    const std::size_t width = scores.rows == 0 ? 1 : scores.values.size() / scores.rows;
    if (width == 1) return scores.values;
    std::vector<double> rows(scores.values.size());
    for (std::size_t k = 0; k < width; ++k) {
        for (std::size_t i = 0; i < scores.rows; ++i) rows[i * width + k] = scores.values[k * scores.rows + i];
    }
    return rows;
}

ScoredPredictions predict(const BoostingSet& set, const RowLabels& labels, const RawScores& scores) {
    ScoredPredictions own;
    const model::Link link = set.objective->link();
    if (set.task == model::Task::regression) {
        own.value.resize(scores.rows);
        for (std::size_t i = 0; i < scores.rows; ++i) own.value[i] = model::linked_value(link, scores.values[i]);
        return own;
    }
    const std::size_t width = set.objective->scores();
    const auto raw = row_major(scores);
    own.probability = model::linked_probabilities(link, raw, set.classes.size());
    own.true_class.assign(labels.labels.begin(), labels.labels.end());
    own.predicted_class.resize(scores.rows);
    for (std::size_t i = 0; i < scores.rows; ++i) {
        const auto first = raw.begin() + static_cast<std::ptrdiff_t>(i * width);
        own.predicted_class[i] =
            width == 1 ? (raw[i] > 0 ? 1 : 0)
                       : static_cast<std::int32_t>(
                             std::max_element(first, first + static_cast<std::ptrdiff_t>(width)) - first);
    }
    return own;
}

}  // namespace

RawScores::RawScores(std::size_t row_count, const std::vector<double>& initial) : rows(row_count) {
    values.reserve(rows * initial.size());
    wish_for_large_pages(values.data(), values.capacity() * sizeof(double));
    for (const double start : initial) values.insert(values.end(), rows, start);
}

RawScores::RawScores(std::size_t row_count, const std::vector<double>& initial, const std::vector<double>& own)
    : RawScores(row_count, initial) {
    REGROVE_CHECK(own.empty() || own.size() == values.size());
    for (std::size_t row = 0; row < own.size(); ++row) values[row] += own[row];
}

LeafColumn leaf_column(const std::vector<NodeId>& leaves, std::size_t nodes) {
    if (nodes > std::numeric_limits<std::uint16_t>::max()) {
        throw LimitError("--dart takes trees of at most 32768 leaves; the model of --continue has larger ones");
    }
    LeafColumn column(leaves.size());
    for (std::size_t row = 0; row < leaves.size(); ++row)
        column[row] = static_cast<std::uint16_t>(index(leaves[row]));
    return column;
}

void add_trees(infer::Binding& binding, const ScoreTrees& trees, const data::TableShard& shard, RawScores& scores,
               std::vector<LeafColumn>* leaves) {
    for (std::size_t t = 0; t < trees.trees.size(); ++t) {
        const model::Tree& tree = trees.trees[t];
        binding.use_only(tree);
        const std::vector<NodeId> reached = leaves_of(binding, tree, shard);
        const std::span<double> out = scores.of(trees.output(t));
        for (std::size_t row = 0; row < reached.size(); ++row) out[row] += tree.node(reached[row]).value[0];
        if (leaves != nullptr) leaves->push_back(leaf_column(reached, tree.nodes.size()));
    }
}

void add_trees_by_codes(const model::Ensemble& model, const train::BoostingTable& table, RawScores& scores,
                        std::vector<LeafColumn>* leaves) {
    std::vector<NodeId> reached(leaves == nullptr ? 0 : scores.rows);
    for (std::size_t t = 0; t < model.trees.size(); ++t) {
        const train::GrownBoostedTree tree = tree_of_codes(model.trees[t], table);
        const std::span<double> out = scores.of(model.tree_outputs.empty() ? 0 : model.tree_outputs[t]);
        parallel_for_blocks(scores.rows, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row) {
                const NodeId leaf = train::leaf_by_codes(tree, row);
                out[row] += tree.tree.node(leaf).value[0];
                if (leaves != nullptr) reached[row] = leaf;
            }
        });
        if (leaves != nullptr) leaves->push_back(leaf_column(reached, tree.tree.nodes.size()));
    }
}

void add_grown_tree(const train::GrownBoostedTree& grown, const train::RowMarks& marks, std::span<double> scores) {
    std::vector<double> values;
    for (const model::Node& node : grown.tree.nodes) values.push_back(node.value[0]);
    for_each_leaf(grown, marks, scores.size(),
                  [&](std::size_t row, NodeId leaf) { scores[row] += values[index(leaf)]; });
}

LeafColumn leaves_of_rows(const train::GrownBoostedTree& grown, const train::RowMarks& marks, std::size_t rows) {
    LeafColumn leaves(rows);
    for_each_leaf(grown, marks, rows,
                  [&](std::size_t row, NodeId leaf) { leaves[row] = static_cast<std::uint16_t>(index(leaf)); });
    return leaves;
}

double metric_of_scores(comm::Communicator& comm, const metric::Metric& metric, const BoostingSet& set,
                        const RowLabels& labels, const RawScores& scores) {
    const ScoredPredictions own = predict(set, labels, scores);
    metric::Predictions view;
    view.rows = scores.rows;
    view.weight = labels.weights;
    view.group_begins = labels.group_begins;
    if (set.task == model::Task::regression) {
        view.true_value = labels.labels;
        view.predicted_value = own.value;
    } else {
        view.classes = static_cast<std::uint32_t>(set.classes.size());
        view.true_class = own.true_class;
        view.predicted_class = own.predicted_class;
        view.probability = own.probability;
    }
    return metric_number(comm, metric, view);
}

}  // namespace regrove::dist
