// In rounds, as the exact tree's grower: each round searches the nodes that the last one made, then opens some of them.
#include "regrove/train/binned_tree_grower.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "regrove/core/parallel.hpp"
#include "regrove/train/binned_split.hpp"
#include "regrove/train/growth_plan.hpp"
#include "regrove/train/tree_assembly.hpp"

#include "binned_kernels.hpp"
#include "binned_sources.hpp"

namespace regrove::train {

namespace {

/// A node with fewer rows than this share of a feature's bins sorts its rows instead of counting them by bin.
constexpr std::uint64_t k_bins_a_row_for_sorting = 8;
/// Histograms of all features are kept for nodes with so many row counts a cell, or more; it bounds their memory, too.
constexpr std::uint64_t k_rows_a_kept_cell = 2;

struct BinnedNode {
    std::size_t begin = 0;  ///< its rows in the grower's order
    std::size_t count = 0;
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;
    NodeRandom random;
    std::vector<std::int64_t> totals;
    SquareSum squares;  ///< regression
    model::Question question;
    BinnedRoute route;
    double gain = 0;
};

/// Memory of one searching thread.
template <class Kernel>
struct SearchScratch {
    std::vector<typename Kernel::Cell> cells;
    std::vector<CodedRow> sorted;
    std::vector<std::int64_t> statistics;
    std::vector<std::int64_t> missing;
    BinSweepScratch sweep;
};

/// A kernel's histogram as a source of bins.
template <class Kernel>
struct KernelCells {
    const Kernel& kernel;
    const typename Kernel::Cell* cells;
    std::int64_t* statistics;
    std::size_t width;

    bool empty(std::uint32_t code) const { return kernel.empty(cells + std::size_t{code} * kernel.cells_a_bin()); }
    Statistics at(std::uint32_t code) const {
        kernel.read(cells + std::size_t{code} * kernel.cells_a_bin(), statistics);
        return {statistics, width};
    }
};

template <class Kernel>
struct NodeRows {
    const Kernel& kernel;
    const typename Kernel::Row* rows;
    std::int64_t target(std::uint32_t place) const { return kernel.target(rows[place]); }
    std::int64_t weight(std::uint32_t place) const { return kernel.weight(rows[place]); }
};

template <class Kernel>
class BinnedTreeGrower {
  public:
    using Row = typename Kernel::Row;
    using Cell = typename Kernel::Cell;
    using Scratch = SearchScratch<Kernel>;

    BinnedTreeGrower(const BinnedForest& forest, const BinnedStart& start,
                     const std::vector<std::uint32_t>& multiplicities, bool threads_inside)
        : forest_(forest),
          target_(forest.target),
          kernel_(forest.target, multiplicities),
          entropy_(start.tree_weight, forest.target.scale.weight_unit),
          figures_(target_.layout, target_.criterion, target_.scale, entropy_),
          rules_(make_split_rules(forest.cart, target_.layout, target_.criterion, entropy_, forest.extra_random,
                                  start.tree_weight)),
          threads_inside_(threads_inside) {
        rows_.reserve(start.rows.size());
        for (const auto row : start.rows) rows_.push_back(kernel_.make_row(row));
        moving_.resize(rows_.size());
        BinnedNode root{0, rows_.size(), 0, start.depth, start.random, {}, {}, {}, {}, 0};
        count_totals(root);
        nodes_.push_back(std::move(root));
        plan_.emplace_back();
        subtracts_ = !forest.extra_random && forest.features_a_node >= forest.table.bins.size();
        for (const binning::Bins& bins : forest.table.bins) {
            cells_begin_.push_back(all_cells_);
            all_cells_ += (std::size_t{bins.count} + 1) * kernel_.cells_a_bin();
        }
    }

    model::Tree grow() {
        std::size_t fresh = 0;
        while (fresh < nodes_.size()) {
            search(fresh);
            fresh = nodes_.size();
            open(nodes_to_open(plan_, forest_.cart.max_leaves));
        }
        return assemble_tree(plan_, forest_.cart.max_leaves, [this](std::uint32_t id, bool inner) {
            const BinnedNode& node = nodes_[id];
            model::Node made;
            made.rows = train::rows(target_.layout, node.totals);
            made.weight = figures_.weight(node.totals);
            made.impurity = figures_.impurity(node.totals, node.squares);
            made.value = figures_.value(node.totals);
            if (!inner) return made;
            made.question = node.question;
            made.gain = node.gain;
            return made;
        });
    }

  private:
    void count_totals(BinnedNode& node) const {
        node.totals.assign(target_.layout.size(), 0);
        for (std::size_t i = node.begin; i < node.begin + node.count; ++i) count_row(node, rows_[i]);
    }
    void count_row(BinnedNode& node, const Row& row) const {
        add_row(target_.layout, node.totals.data(), kernel_.target(row), kernel_.weight(row));
        if (target_.layout.regression()) node.squares.add(kernel_.target(row), kernel_.weight(row));
    }

    void search(std::size_t first) {
        const auto search_one = [this](std::size_t id, Scratch& scratch) {
            plan_[id].evaluated = true;
            if (may_be_split(id)) search_node(id, scratch);
        };
        // Siblings together: they share the histograms of their parent.
        histograms_.resize(nodes_.size());
        const auto search_family = [&](std::size_t id, std::size_t size, Scratch& scratch) {
            if (size == 1) count_root();
            if (size == 2) split_histograms(nodes_[id].parent, id, id + 1);
            for (std::size_t i = id; i < id + size; ++i) search_one(i, scratch);
        };
        const std::size_t size = first == 0 ? 1 : 2;
        const std::size_t families = (nodes_.size() - first) / size;
        if (!threads_inside_) {
            for (std::size_t i = 0; i < families; ++i) search_family(first + i * size, size, scratch_);
            return;
        }
        parallel_for_blocks(families, 2, [&](std::size_t begin, std::size_t end) {
            Scratch scratch;
            for (std::size_t i = begin; i < end; ++i) search_family(first + i * size, size, scratch);
        });
    }

    bool may_be_split(std::size_t id) const { return may_split(forest_.cart, figures_, target_.layout, nodes_[id]); }

    /// Whether counting a node's rows by all bins costs more than going through the bins once.
    bool worth_keeping(const BinnedNode& node) const {
        return subtracts_ && node.count * forest_.table.bins.size() > k_rows_a_kept_cell * all_cells_;
    }

    void count_root() {
        if (worth_keeping(nodes_[0])) histograms_[0] = count_all(nodes_[0]);
    }

    /// The smaller child is counted, the other one is its parent less its sibling: the sums are exact.
    void split_histograms(std::size_t parent, std::size_t left, std::size_t right) {
        std::vector<Cell> cells = std::move(histograms_[parent]);
        histograms_[parent] = {};
        if (cells.empty() || (!may_be_split(left) && !may_be_split(right))) return;
        const std::size_t fewer = nodes_[left].count <= nodes_[right].count ? left : right;
        const std::size_t more = fewer == left ? right : left;
        if (!worth_keeping(nodes_[more])) return;
        histograms_[fewer] = count_all(nodes_[fewer]);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] -= histograms_[fewer][i];
        histograms_[more] = std::move(cells);
        if (!worth_keeping(nodes_[fewer])) histograms_[fewer] = {};
    }

    std::vector<Cell> count_all(const BinnedNode& node) const {
        std::vector<Cell> cells(all_cells_, 0);
        const auto features = static_cast<std::uint32_t>(forest_.table.bins.size());
        for (std::uint32_t f = 0; f < features; ++f) {
            std::visit([&](const auto& codes) { count_rows(node, codes, cells.data() + cells_begin_[f]); },
                       forest_.table.codes[f]);
        }
        return cells;
    }

    template <class Codes>
    void count_rows(const BinnedNode& node, const Codes& codes, Cell* cells) const {
        const Row* const rows = rows_.data() + node.begin;
        for (std::size_t i = 0; i < node.count; ++i) kernel_.count(cells, codes[rows[i].row], rows[i]);
    }

    void search_node(std::size_t id, Scratch& scratch) {
        BinnedNode& node = nodes_[id];
        const auto features = static_cast<std::uint32_t>(forest_.table.bins.size());
        const auto drawn = node.random.sample_features(features, forest_.features_a_node);
        BinnedWinner winner(figures_.parent_term(node.totals));
        LookOrder order;
        const Cell* const kept = histograms_[id].empty() ? nullptr : histograms_[id].data();
        for (const auto feature : drawn) {
            winner.offer(search_feature(node, feature, kept, scratch), order);
            ++order.place;
        }
        if (!winner.any()) {
            for (const auto feature : node.random.order_of_others(features, forest_.features_a_node)) {
                winner.offer(search_feature(node, feature, kept, scratch), order);
                if (winner.any()) break;
            }
        }
        if (!winner.any()) return;
        const binning::Bins& bins = forest_.table.bins[winner.best().candidate.feature];
        node.question = make_question(winner.best(), bins);
        node.route = make_route(winner.best(), node.question, bins);
        node.gain = figures_.gain(winner.gain_score(), weight(target_.layout, node.totals));
        plan_[id].splittable = forest_.cart.min_gain == 0 || node.gain > forest_.cart.min_gain;
        plan_[id].weighted_gain = node.gain * figures_.weight(node.totals);
    }

    /// `kept`: the node's histograms of all features, or null.
    BinnedCandidate search_feature(const BinnedNode& node, std::uint32_t feature, const Cell* kept,
                                   Scratch& scratch) const {
        const binning::Bins& bins = forest_.table.bins[feature];
        const BinnedFeature view{&bins, feature, node.totals, &node.random};
        if (kept != nullptr) return search_cells(view, kept + cells_begin_[feature], scratch);
        return std::visit(
            [&](const auto& codes) {
                const bool few_rows = node.count * k_bins_a_row_for_sorting < bins.count;
                if (!bins.category && few_rows) return search_sorted(node, view, codes, scratch);
                return search_histogram(node, view, codes, scratch);
            },
            forest_.table.codes[feature]);
    }

    template <class Codes>
    BinnedCandidate search_sorted(const BinnedNode& node, const BinnedFeature& view, const Codes& codes,
                                  Scratch& scratch) const {
        const NodeRows<Kernel> rows{kernel_, rows_.data() + node.begin};
        scratch.sorted.clear();
        scratch.missing.assign(target_.layout.size(), 0);
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const std::uint32_t code = codes[rows.rows[i].row];
            if (code == view.bins->missing_code()) {
                add_row(target_.layout, scratch.missing.data(), rows.target(i), rows.weight(i));
            } else {
                scratch.sorted.push_back({code, i});
            }
        }
        // Sums are exact, so the order of equal codes does not matter.
        std::sort(scratch.sorted.begin(), scratch.sorted.end());
        const SortedSource<NodeRows<Kernel>> source(scratch.sorted, rows);
        return sweep_source(rules_, view, source, scratch.missing, scratch.sweep);
    }

    template <class Codes>
    BinnedCandidate search_histogram(const BinnedNode& node, const BinnedFeature& view, const Codes& codes,
                                     Scratch& scratch) const {
        scratch.cells.assign((std::size_t{view.bins->count} + 1) * kernel_.cells_a_bin(), 0);
        count_rows(node, codes, scratch.cells.data());
        return search_cells(view, scratch.cells.data(), scratch);
    }

    BinnedCandidate search_cells(const BinnedFeature& view, const Cell* counted, Scratch& scratch) const {
        const std::size_t width = target_.layout.size();
        const std::size_t bins = std::size_t{view.bins->count} + 1;
        if (view.bins->category) {
            scratch.statistics.resize(bins * width);
            for (std::size_t bin = 0; bin < bins; ++bin) {
                kernel_.read(counted + bin * kernel_.cells_a_bin(), scratch.statistics.data() + bin * width);
            }
            return best_category_question(rules_, view, scratch.statistics, scratch.sweep);
        }
        scratch.statistics.resize(width);
        const KernelCells<Kernel> cells{kernel_, counted, scratch.statistics.data(), width};
        scratch.missing.resize(width);
        kernel_.read(counted + (bins - 1) * kernel_.cells_a_bin(), scratch.missing.data());
        const HistogramSource<KernelCells<Kernel>> source(cells, view.bins->count);
        return sweep_source(rules_, view, source, scratch.missing, scratch.sweep);
    }

    void open(const std::vector<std::uint32_t>& opened) {
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        for (std::size_t i = 0; i < opened.size(); ++i) {
            const BinnedNode& parent = nodes_[opened[i]];
            plan_[opened[i]].left = first + static_cast<std::uint32_t>(2 * i);
            plan_[opened[i]].right = first + static_cast<std::uint32_t>(2 * i) + 1;
            BinnedNode left{
                parent.begin, 0,  opened[i], parent.depth + 1, parent.random.child(model::Side::left), {}, {},
                {},           {}, 0};
            BinnedNode right{0,  0,  opened[i], parent.depth + 1, parent.random.child(model::Side::right), {}, {},
                             {}, {}, 0};
            nodes_.push_back(std::move(left));
            nodes_.push_back(std::move(right));
            plan_.emplace_back();
            plan_.emplace_back();
        }
        const auto partition_one = [&](std::size_t i) {
            partition(nodes_[opened[i]], nodes_[first + 2 * i], nodes_[first + 2 * i + 1]);
        };
        if (threads_inside_) {
            parallel_for(opened.size(), partition_one);
        } else {
            for (std::size_t i = 0; i < opened.size(); ++i) partition_one(i);
        }
    }

    /// Stable: rows stay ascending within a node, so that codes are read in ascending order of memory.
    void partition(const BinnedNode& parent, BinnedNode& left, BinnedNode& right) {
        left.totals.assign(target_.layout.size(), 0);
        Row* const rows = rows_.data() + parent.begin;
        Row* const aside = moving_.data() + parent.begin;
        std::size_t lefts = 0;
        std::size_t rights = 0;
        const auto send = [&](const auto& codes, auto goes_right) {
            for (std::size_t i = 0; i < parent.count; ++i) {
                const Row row = rows[i];
                const bool to_right = goes_right(codes[row.row]);
                rows[lefts] = row;
                aside[rights] = row;
                lefts += to_right ? 0 : 1;
                rights += to_right ? 1 : 0;
            }
        };
        const BinnedRoute& route = parent.route;
        std::visit(
            [&](const auto& codes) {
                if (route.categorical) {
                    send(codes, [&](std::uint32_t code) { return route.goes_right(code); });
                } else {
                    // One comparison a row: a missing code is the greatest of all, or stands for "left".
                    const std::uint32_t missing = route.missing_right ? 0xffffffffU : route.missing_code;
                    send(codes,
                         [&](std::uint32_t code) { return (code > route.last_left_code) & (code != missing); });
                }
            },
            forest_.table.codes[index(parent.question.feature)]);
        std::copy(aside, aside + rights, rows + lefts);
        left.count = lefts;
        right.begin = parent.begin + lefts;
        right.count = rights;
        BinnedNode& fewer = lefts <= rights ? left : right;
        BinnedNode& more = lefts <= rights ? right : left;
        count_totals(fewer);
        more.totals = parent.totals;
        for (std::size_t i = 0; i < more.totals.size(); ++i) more.totals[i] -= fewer.totals[i];
        more.squares.high = parent.squares.high - fewer.squares.high;
        more.squares.low = parent.squares.low - fewer.squares.low;
    }

    const BinnedForest& forest_;
    const Target& target_;
    Kernel kernel_;
    EntropyTerms entropy_;
    NodeFigures figures_;
    BinnedSplitRules rules_;
    bool threads_inside_;
    std::vector<Row> rows_;    ///< node by node
    std::vector<Row> moving_;  ///< rows on their way right
    std::vector<BinnedNode> nodes_;
    std::vector<PlannedNode> plan_;
    Scratch scratch_;
    bool subtracts_ = false;                ///< every node looks at all features
    std::vector<std::size_t> cells_begin_;  ///< of each feature in a node's histograms
    std::size_t all_cells_ = 0;
    std::vector<std::vector<Cell>> histograms_;  ///< a node each: of all features, while its children need them
};

}  // namespace

model::Tree grow_binned_subtree(const BinnedForest& forest, BinnedStart start,
                                const std::vector<std::uint32_t>& multiplicities, bool threads_inside) {
    constexpr std::int64_t k_packed_weight = std::int64_t{1} << 32U;
    if (!forest.target.layout.regression() && start.tree_weight < k_packed_weight) {
        return BinnedTreeGrower<PackedClasses>(forest, start, multiplicities, threads_inside).grow();
    }
    return BinnedTreeGrower<PlainStatistics>(forest, start, multiplicities, threads_inside).grow();
}

model::Tree grow_binned_tree(const BinnedForest& forest, std::uint64_t tree,
                             const std::vector<std::uint32_t>& multiplicities, bool threads_inside) {
    BinnedStart start{{}, NodeRandom::root(forest.seed, tree), 0, 0};
    for (std::uint32_t row = 0; row < multiplicities.size(); ++row) {
        if (multiplicities[row] == 0) continue;
        start.rows.push_back(row);
        start.tree_weight += multiplicities[row] * forest.target.weight(row);
    }
    return grow_binned_subtree(forest, std::move(start), multiplicities, threads_inside);
}

}  // namespace regrove::train
