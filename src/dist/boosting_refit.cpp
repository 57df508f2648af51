// Nodes whose quantile is wanted, by depth: those of one depth share no row, so that one selection finds them all.
#include "regrove/dist/boosting_refit.hpp"

#include <algorithm>
#include <map>

#include "regrove/objective/quantile_selection.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint32_t k_no_set = objective::QuantileSelection::k_no_set;

/// A tree's parents by node (the root's is itself); nodes stand behind their parents.
std::vector<std::size_t> parents_of(const model::Tree& tree) {
    std::vector<std::size_t> parents(tree.nodes.size(), 0);
    for (std::size_t n = 0; n < parents.size(); ++n) {
        if (tree.nodes[n].is_leaf()) continue;
        parents[index(tree.nodes[n].left)] = parents[index(tree.nodes[n].right)] = n;
    }
    return parents;
}

/// Finds the quantiles of nodes that share no row.
void select(comm::Communicator& comm, const train::GrownBoostedTree& grown, const RefitRows& rows,
            const std::vector<std::uint32_t>& set_of_leaf, std::vector<double>& found, double quantile) {
    std::vector<std::uint32_t> sets(rows.residuals.size(), k_no_set);
    for (const train::LeafRows& part : grown.leaf_rows) {
        for (const train::RowEntry entry : part.rows) sets[train::row_of(entry)] = set_of_leaf[index(part.leaf)];
    }
    found = quantiles(comm, rows.residuals, rows.weights, sets, static_cast<std::uint32_t>(found.size()), quantile);
}

}  // namespace

std::vector<double> quantiles(comm::Communicator& comm, std::span<const double> values,
                              std::span<const double> weights, std::span<const std::uint32_t> sets,
                              std::uint32_t set_count, double quantile) {
    double largest = 0;
    for (const double weight : weights) largest = std::max(largest, weight);
    comm.max(std::span(&largest, 1));
    const std::uint64_t rows = comm.sum(static_cast<std::uint64_t>(values.size()));
    std::vector<std::int64_t> masses;
    if (largest > 0) masses = objective::WeightGrid(largest, rows).masses(weights);
    objective::QuantileSelection selection(values, masses, sets, set_count, quantile);
    while (!selection.done()) {
        auto counts = selection.count();
        comm.sum(std::span<std::int64_t>(counts));
        selection.advance(counts);
    }
    return selection.quantiles();
}

void refit_leaves(comm::Communicator& comm, train::GrownBoostedTree& grown, const RefitRows& rows, double quantile) {
    std::vector<model::Node>& nodes = grown.tree.nodes;
    const auto parents = parents_of(grown.tree);
    // Leaves with rows are level 0; ancestors that leaves without rows ask stand at their depth + 1.
    std::vector<std::size_t> asked(nodes.size(), 0);
    std::vector<std::size_t> depth(nodes.size(), 0);
    std::map<std::size_t, std::map<std::size_t, std::uint32_t>> levels;  // level: node: its set
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (n != 0) depth[n] = depth[parents[n]] + 1;
        if (!nodes[n].is_leaf()) continue;
        std::size_t at = n;
        while (at != 0 && nodes[at].rows == 0) at = parents[at];
        asked[n] = at;
        auto& level = levels[at == n ? 0 : depth[at] + 1];
        level.emplace(at, static_cast<std::uint32_t>(level.size()));
    }
    for (const auto& [number, level] : levels) {
        std::vector<std::uint32_t> set_of(nodes.size(), k_no_set);  // of a node: its own, else its parent's
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (n != 0) set_of[n] = set_of[parents[n]];
            if (const auto own = level.find(n); own != level.end()) set_of[n] = own->second;
        }
        std::vector<double> found(level.size());
        select(comm, grown, rows, set_of, found, quantile);
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (!nodes[n].is_leaf()) continue;
            const std::size_t own_level = asked[n] == n ? 0 : depth[asked[n]] + 1;
            if (own_level == number) nodes[n].value[0] = found[level.at(asked[n])];
        }
    }
}

}  // namespace regrove::dist
