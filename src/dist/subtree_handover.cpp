#include "regrove/dist/subtree_handover.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/bin_table.hpp"
#include "regrove/dist/tree_exchange.hpp"
#include "regrove/train/binned_tree_grower.hpp"

namespace regrove::dist {

namespace {

/// So many nodes a rank, at least, that the shares of the ranks come out even.
constexpr std::uint64_t k_nodes_a_rank = 8;
/// Rows of a node that one rank takes at most.
constexpr std::uint64_t k_most_handed_rows = std::uint64_t{1} << 22U;
constexpr std::uint32_t k_not_handed = 0xffffffffU;

/// Which own rows go to which rank, in the order in which everything about them is sent.
struct Shipment {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint64_t> send_counts;
    std::vector<std::uint64_t> received_counts;

    template <class T>
    std::vector<T> ship(comm::Communicator& comm, const std::vector<T>& values) const {
        std::vector<T> send(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) send[i] = values[rows[i]];
        std::vector<T> received(std::accumulate(received_counts.begin(), received_counts.end(), std::uint64_t{0}));
        comm.exchange_known(std::span<const T>(send), send_counts, std::span<T>(received), received_counts);
        return received;
    }
};

}  // namespace

struct SubtreeHandover::Received {
    TrainingSet set;
    binning::BinnedTable table;
    std::vector<std::vector<std::uint32_t>> rows_of_node;  ///< a node each, all nodes of all ranks
};

std::vector<int> deal_nodes(std::span<const HandedNode> nodes, int ranks) {
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return nodes[x].rows > nodes[y].rows; });
    std::vector<std::uint64_t> load(static_cast<std::size_t>(ranks), 0);
    std::vector<int> rank_of_node(nodes.size());
    for (const auto node : order) {
        const auto least = std::min_element(load.begin(), load.end());
        *least += nodes[node].rows;
        rank_of_node[node] = static_cast<int>(least - load.begin());
    }
    return rank_of_node;
}

SubtreeHandover::SubtreeHandover(comm::Communicator& comm, const TrainingSet& set, const binning::BinnedTable* table,
                                 const train::CartOptions& options, const FeatureDraws& draws,
                                 std::int64_t tree_weight, std::uint64_t tree_rows)
    : comm_(comm),
      set_(set),
      table_(table),
      options_(options),
      draws_(draws),
      tree_weight_(tree_weight),
      most_rows_(
          std::min(tree_rows / (k_nodes_a_rank * static_cast<std::uint64_t>(comm.size())), k_most_handed_rows)) {}

SubtreeHandover::Received SubtreeHandover::send_rows(std::span<const HandedNode> nodes,
                                                     std::span<const int> rank_of_node,
                                                     std::span<const std::uint32_t> node_of_row) const {
    std::uint32_t most = 0;
    for (const HandedNode& node : nodes) most = std::max(most, node.id);
    std::vector<std::uint32_t> place_of_id(std::size_t{most} + 1, k_not_handed);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) place_of_id[nodes[i].id] = i;

    const auto ranks = static_cast<std::size_t>(comm_.size());
    std::vector<std::uint32_t> place_of_row(node_of_row.size(), k_not_handed);
    Shipment shipment;
    shipment.send_counts.assign(ranks, 0);
    for (std::size_t row = 0; row < node_of_row.size(); ++row) {
        if (node_of_row[row] > most) continue;
        place_of_row[row] = place_of_id[node_of_row[row]];
        if (place_of_row[row] == k_not_handed) continue;
        shipment.send_counts[static_cast<std::size_t>(rank_of_node[place_of_row[row]])] += 1;
    }
    std::vector<std::uint64_t> next(ranks, 0);
    std::exclusive_scan(shipment.send_counts.begin(), shipment.send_counts.end(), next.begin(), std::uint64_t{0});
    shipment.rows.resize(next.back() + shipment.send_counts.back());
    for (std::uint32_t row = 0; row < place_of_row.size(); ++row) {
        if (place_of_row[row] == k_not_handed) continue;
        shipment.rows[next[static_cast<std::size_t>(rank_of_node[place_of_row[row]])]++] = row;
    }
    const std::vector<std::uint64_t> one_each(ranks, 1);
    shipment.received_counts.resize(ranks);
    comm_.exchange_known(std::span<const std::uint64_t>(shipment.send_counts), one_each,
                         std::span<std::uint64_t>(shipment.received_counts), one_each);

    Received received;
    const auto places = shipment.ship(comm_, place_of_row);
    received.rows_of_node.resize(nodes.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) received.rows_of_node[places[i]].push_back(i);
    TrainingSet& set = received.set;
    set.features = set_.features;
    set.target.layout = set_.target.layout;
    set.target.criterion = set_.target.criterion;
    set.target.scale = set_.target.scale;
    set.target.is_weighted = set_.target.is_weighted;
    if (set_.target.layout.regression()) {
        set.target.values = shipment.ship(comm_, set_.target.values);
    } else {
        set.target.classes = shipment.ship(comm_, set_.target.classes);
    }
    if (set_.target.is_weighted) set.target.weights = shipment.ship(comm_, set_.target.weights);
    set.global_rows = places.size();
    if (table_ != nullptr) {
        received.table.bins = table_->bins;
        received.table.rows = places.size();
        for (const auto& codes : table_->codes) {
            received.table.codes.push_back(
                std::visit([&](const auto& own) { return binning::Codes(shipment.ship(comm_, own)); }, codes));
        }
        return received;
    }
    for (const auto& column : set_.columns) {
        set.columns.push_back(std::visit(
            [&](const auto& own) -> data::ColumnValues {
                using Values = std::decay_t<decltype(own)>;
                if constexpr (std::is_arithmetic_v<typename Values::value_type>) return shipment.ship(comm_, own);
                return Values{};
            },
            column));
    }
    return received;
}

std::vector<model::Tree> SubtreeHandover::grow(std::span<const HandedNode> nodes,
                                               std::span<const std::uint32_t> node_of_row) {
    // Own nodes in the order of `nodes`; exchange_packed_trees puts those of all ranks in order again.
    const std::vector<int> rank_of_node = deal_nodes(nodes, comm_.size());
    Received received = send_rows(nodes, rank_of_node, node_of_row);
    std::vector<std::uint32_t> own;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (rank_of_node[i] == comm_.rank()) own.push_back(i);
    }
    std::vector<model::Tree> grown(own.size());
    comm::agree_on(comm_, [&] {
        if (own.empty()) return;
        if (table_ == nullptr) received.table = bin_exactly(received.set);
        const train::BinnedForest forest{received.table,         received.set.target, options_,
                                         draws_.features_a_node, draws_.extra_random, 0};
        const std::vector<std::uint32_t> once(received.set.rows(), 1);
        parallel_for_blocks(own.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const HandedNode& node = nodes[own[i]];
                train::BinnedStart start{std::move(received.rows_of_node[own[i]]), node.random, node.depth,
                                         tree_weight_};
                grown[i] = train::grow_binned_subtree(forest, std::move(start), once, false);
            }
        });
    });
    return exchange_trees(comm_, std::move(grown), rank_of_node);
}

}  // namespace regrove::dist
