// Node by node; a weight of one leaves every number as it is.
#include "regrove/model/node_tables.hpp"

#include <algorithm>
#include <span>

namespace regrove::model {

namespace {

/// A tree alone answers by itself, whatever its weight.
void weigh(NodeTable& table, const Ensemble& ensemble, std::size_t tree) {
    if (ensemble.trees.size() == 1 || ensemble.tree_weights.empty()) return;
    for (double& number : table) number *= ensemble.tree_weights[tree];
}

template <class Table>
std::vector<NodeTable> weighed_tables(const Ensemble& ensemble, Table table) {
    std::vector<NodeTable> tables;
    tables.reserve(ensemble.trees.size());
    for (const Tree& tree : ensemble.trees) {
        tables.push_back(table(tree, ensemble.value_length()));
        weigh(tables.back(), ensemble, tables.size() - 1);
    }
    return tables;
}

}  // namespace

NodeTable value_table(const Tree& tree, std::size_t outputs) {
    NodeTable table(tree.nodes.size() * outputs);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        std::ranges::copy(tree.nodes[i].value, table.begin() + static_cast<std::ptrdiff_t>(i * outputs));
    return table;
}

NodeTable share_table(const Tree& tree, std::size_t outputs) {
    NodeTable table = value_table(tree, outputs);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const std::span<double> shares(table.data() + i * outputs, outputs);
        double total = 0;
        for (const double weight : shares) total += weight;
        for (double& share : shares) share = total > 0 ? share / total : 1.0 / static_cast<double>(outputs);
    }
    return table;
}

NodeTable vote_table(const Tree& tree, std::size_t outputs) {
    NodeTable table = value_table(tree, outputs);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const std::span<double> votes(table.data() + i * outputs, outputs);
        const auto chosen = std::ranges::max_element(votes) - votes.begin();
        std::ranges::fill(votes, 0.0);
        votes[static_cast<std::size_t>(chosen)] = 1;
    }
    return table;
}

std::vector<NodeTable> class_tables(const Ensemble& ensemble) {
    const bool votes = ensemble.combination == Combination::majority && ensemble.trees.size() > 1;
    return weighed_tables(ensemble, votes ? vote_table : share_table);
}

std::vector<NodeTable> sum_tables(const Ensemble& ensemble) {
    const std::size_t outputs = ensemble.outputs();
    const std::size_t first = outputs - ensemble.scores();  // class 1 for the one score of the logistic link
    std::vector<NodeTable> tables(ensemble.trees.size());
    for (std::size_t t = 0; t < tables.size(); ++t) {
        const std::vector<Node>& nodes = ensemble.trees[t].nodes;
        tables[t].assign(nodes.size() * outputs, 0.0);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            double* const own = tables[t].data() + i * outputs + first;
            if (t == 0) std::ranges::copy(ensemble.initial_scores, own);
            const std::size_t begin = ensemble.tree_outputs.empty() ? 0 : ensemble.tree_outputs[t];
            for (std::size_t k = 0; k < nodes[i].value.size(); ++k) own[begin + k] += nodes[i].value[k];
        }
    }
    return tables;
}

std::vector<NodeTable> value_tables(const Ensemble& ensemble) { return weighed_tables(ensemble, value_table); }

}  // namespace regrove::model
