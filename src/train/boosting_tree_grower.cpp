// Rounds of growth: choose nodes to open, send their rows on, evaluate the children; values at the end.
#include "regrove/train/boosting_tree_grower.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/core/large_pages.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/train/boosting_evaluation.hpp"
#include "regrove/train/boosting_partition.hpp"
#include "regrove/train/boosting_sparse_search.hpp"
#include "regrove/train/growth_plan.hpp"

namespace regrove::train {

namespace {

constexpr std::size_t k_rows_a_block = 32768;
constexpr std::size_t k_most_parts = std::size_t{1} << 18U;
/// Leaves of lossguide growth that are opened in one batch, whatever else waits.
constexpr std::size_t k_opened_ahead = 16;

GradientFacts merged_facts(const GradientView& view, BoostingExchange& exchange) {
    GradientFacts facts = gradient_facts(view);
    if (exchange.ranks() == 1) return facts;
    std::string text(sizeof facts, '\0');
    std::copy_n(reinterpret_cast<const char*>(&facts), sizeof facts, text.begin());
    GradientFacts all{0, 0, std::numeric_limits<double>::infinity(), 0, true};
    for (const std::string& other : exchange.gather(text)) {
        std::copy_n(other.data(), sizeof facts, reinterpret_cast<char*>(&facts));
        all = merge(all, facts);
    }
    return all;
}

/// Rounds the rows to a grid; the sums over all ranks, and that of absolute gradients.
struct RoundedSums {
    GradientSums sums;
    std::int64_t absolute = 0;
};
RoundedSums round_rows(const GradientView& view, const GradientGrid& grid, std::uint64_t key, TreeRows& rows,
                       BoostingExchange& exchange) {
    fill_rows(view, grid, key, rows);
    std::array<std::int64_t, 4> words{rows.sums.gradient, rows.sums.hessian, rows.sums.rows, rows.absolute_gradients};
    exchange.sum(words);
    return {{words[0], words[1], words[2]}, words[3]};
}

GradientSums choose_and_round(const GradientView& view, const GradientFacts& facts, std::uint64_t key, TreeRows& rows,
                              BoostingExchange& exchange) {
    if (facts.rows >= k_packed_rows) {
        const RoundedSums packed = round_rows(view, packed_grid(facts), key, rows, exchange);
        if (packed_is_fine_enough(packed.sums, packed.absolute, facts.constant_hessian())) return packed.sums;
    }
    return round_rows(view, wide_grid(facts), key, rows, exchange).sums;
}

/// On all ranks alike: the facts are of all rows.
void check_finite(const GradientFacts& facts, const BoostingPlan& plan, std::uint64_t tree_number) {
    if (facts.finite) return;
    throw LimitError("objective " + plan.objective + ": the derivatives of round " +
                     std::to_string(tree_number / plan.trees_a_round + 1) +
                     " are not finite, so that no tree can be grown: the scores have run away, or labels or weights "
                     "are too large; lower --learning-rate, raise --reg-lambda, set --max-delta-step or scale the "
                     "labels");
}

/// Parts of leaves cut where row numbers pass whole blocks, block by block over all leaves: whoever goes through them in
/// order meets the numbers of each row while they are in the cache. Entries ascend within a leaf's part.
std::vector<LeafRows> cut_by_rows(std::span<const LeafRows> parts, std::size_t rows) {
    const std::size_t block_rows = std::max(k_rows_a_block, rows * parts.size() / k_most_parts);
    std::vector<LeafRows> cut;
    std::vector<std::size_t> done(parts.size(), 0);
    for (std::size_t end = block_rows; end < rows + block_rows; end += block_rows) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto left = parts[i].rows.subspan(done[i]);
            const auto stop =
                std::partition_point(left.begin(), left.end(), [&](RowEntry entry) { return row_of(entry) < end; });
            const auto count = static_cast<std::size_t>(stop - left.begin());
            if (count != 0) cut.push_back({parts[i].leaf, left.first(count)});
            done[i] += count;
        }
    }
    return cut;
}

class Grower {
  public:
    Grower(const BoostingPlan& plan, std::uint64_t tree_number, BoostingExchange& exchange,
           BoostingWorkspace& workspace)
        : plan_(plan),
          tree_number_(tree_number),
          exchange_(exchange),
          workspace_(workspace),
          columns_(plan.options, plan.features(), plan.seed, tree_number) {}

    GrownBoostedTree grow(const GradientView& view) {
        const GradientFacts facts = merged_facts(view, exchange_);
        check_finite(facts, plan_, tree_number_);
        const std::uint64_t key = rounding_key(plan_.seed, tree_number_);
        const GradientSums sums = choose_and_round(view, facts, key, workspace_.rows, exchange_);
        rules_ = make_boosting_rules(plan_.options, workspace_.rows.grid, plan_.monotone);
        make_root(sums);
        search_ = make_search();
        if (plan_.thresholds != nullptr) plan_.thresholds->start_tree(workspace_.rows);
        if (plan_.options.growth == BoostingGrowth::symmetric) {
            grow_levels();
        } else {
            search_->evaluate_root(nodes_);
            for (auto open = next_to_open(); !open.empty(); open = next_to_open()) {
                open_nodes(open);
                search_->evaluate_children(nodes_, open);
            }
        }
        choose_inner_nodes();
        set_sums(view, facts);
        return assemble();
    }

  private:
    std::unique_ptr<BoostingSearch> make_search() {
        const TreeSearchContext context{plan_.table,
                                        rules_,
                                        columns_,
                                        plan_.interactions,
                                        workspace_.rows,
                                        plan_.options.min_rows_leaf > 1,
                                        plan_.options.max_depth,
                                        plan_.thresholds};
        if (plan_.sparse != nullptr) return make_sparse_search(context, *plan_.sparse, exchange_);
        return std::make_unique<NodeEvaluation>(context, exchange_);
    }

    void make_root(const GradientSums& sums) {
        resize_large(workspace_.spare, workspace_.rows.entries.size());
        GrowingNode root;
        root.rows = workspace_.rows.entries;
        root.spare = workspace_.spare;
        root.global_rows = static_cast<std::uint64_t>(sums.rows);
        root.sums = sums;
        root.key = columns_.root_key();
        root.groups = plan_.interactions.root();
        nodes_.push_back(std::move(root));
    }

    void grow_levels() {
        std::vector<std::uint32_t> open;
        while (search_->evaluate_level(nodes_, open)) {
            open.clear();
            for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
                if (nodes_[id].splittable && nodes_[id].left == 0) open.push_back(id);
            }
            open_nodes(open);
        }
    }

    std::vector<PlannedNode> planned() const {
        std::vector<PlannedNode> plan;
        for (const GrowingNode& node : nodes_) {
            plan.push_back({node.left, node.right, node.evaluated, node.splittable, node.gain});
        }
        return plan;
    }

    /// The half of highest gain, k_opened_ahead at least: children of those may yet keep the others out of the tree.
    std::vector<std::uint32_t> surest(std::vector<std::uint32_t> open) const {
        const std::size_t kept = std::max(k_opened_ahead, open.size() / 2);
        if (kept >= open.size()) return open;
        std::stable_sort(open.begin(), open.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].gain > nodes_[b].gain; });
        open.resize(kept);
        std::sort(open.begin(), open.end());
        return open;
    }

    /// Level by level: all of a level, or its nodes of highest gain while leaves are left.
    std::vector<std::uint32_t> next_to_open() const {
        const std::uint64_t max_leaves = plan_.options.max_leaves;
        if (plan_.options.growth == BoostingGrowth::lossguide) return surest(nodes_to_open(planned(), max_leaves));
        std::vector<std::uint32_t> open;
        const std::uint32_t level = nodes_.back().depth;
        for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
            if (nodes_[id].splittable && nodes_[id].left == 0 && nodes_[id].depth == level) open.push_back(id);
        }
        if (max_leaves == 0) return open;
        const std::uint64_t leaves = (nodes_.size() + 1) / 2;
        if (leaves + open.size() > max_leaves) {
            std::stable_sort(open.begin(), open.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].gain > nodes_[b].gain; });
            open.resize(max_leaves > leaves ? max_leaves - leaves : 0);
            std::sort(open.begin(), open.end());
        }
        return open;
    }

    void open_nodes(std::span<const std::uint32_t> open) {
        search_->ask(nodes_, open);
        std::vector<PartitionJob> jobs;
        for (const auto id : open) jobs.push_back({nodes_[id].rows, nodes_[id].spare, &nodes_[id].codes, 0});
        partition(jobs);
        std::vector<std::int64_t> lefts;
        for (const auto& job : jobs) lefts.push_back(static_cast<std::int64_t>(job.left));
        exchange_.sum(lefts);
        nodes_.reserve(nodes_.size() + 2 * open.size());
        for (std::size_t i = 0; i < open.size(); ++i) {
            add_children(open[i], jobs[i].left, static_cast<std::uint64_t>(lefts[i]));
        }
    }

    void add_children(std::uint32_t id, std::uint64_t own_left, std::uint64_t global_left) {
        std::array<GrowingNode, 2> children;
        GrowingNode& node = nodes_[id];
        const auto right_sums = node.sums - node.best.left;
        for (const bool right : {false, true}) {
            GrowingNode& child = children[right ? 1 : 0];
            const std::size_t begin = right ? own_left : 0;
            const std::size_t count = right ? node.rows.size() - own_left : own_left;
            child.rows = node.spare.subspan(begin, count);
            child.spare = node.rows.subspan(begin, count);
            child.global_rows = right ? node.global_rows - global_left : global_left;
            child.sums = right ? right_sums : node.best.left;
            child.bounds = node.bounds;
            child.depth = node.depth + 1;
            child.key = columns_.child_key(node.key, right);
            child.groups = plan_.interactions.below(node.groups, node.best.feature);
        }
        const int direction = rules_.direction(node.best.feature);
        if (direction != 0) {
            // A side without rows (symmetric growth) answers as this node does.
            const auto answer = [&](const GradientSums& sums) {
                return rules_.score.value(sums.hessian != 0 ? sums : node.sums, node.bounds);
            };
            const double middle = (answer(children[0].sums) + answer(children[1].sums)) / 2;
            (direction > 0 ? children[0] : children[1]).bounds.high = middle;
            (direction > 0 ? children[1] : children[0]).bounds.low = middle;
        }
        node.left = static_cast<std::uint32_t>(nodes_.size());
        node.right = node.left + 1;
        for (GrowingNode& child : children) nodes_.push_back(std::move(child));
    }

    void choose_inner_nodes() {
        const bool best_first = plan_.options.growth == BoostingGrowth::lossguide;
        inner_ = final_inner_nodes(planned(), best_first ? plan_.options.max_leaves : 0);
    }

    /// The parts of this rank's rows under a node, where growth left them: it may have been opened beyond the tree.
    void add_parts(std::uint32_t id, NodeId leaf) {
        std::vector<std::uint32_t> waiting{id};
        while (!waiting.empty()) {
            const GrowingNode& node = nodes_[waiting.back()];
            waiting.pop_back();
            if (node.left != 0) {
                waiting.insert(waiting.end(), {node.right, node.left});
                continue;
            }
            if (!node.rows.empty()) leaf_rows_.push_back({leaf, node.rows});
        }
    }

    /// Nodes in pre-order, each behind its parent; fills order_ and leaf_rows_. Trees may be as deep as they have leaves, so
    /// nothing here calls itself.
    void number_nodes() {
        std::vector<std::uint32_t> waiting{0};
        while (!waiting.empty()) {
            const std::uint32_t id = waiting.back();
            waiting.pop_back();
            order_.push_back(id);
            if (inner_[id]) {
                waiting.insert(waiting.end(), {nodes_[id].right, nodes_[id].left});
            } else {
                add_parts(id, NodeId{static_cast<std::uint32_t>(order_.size() - 1)});
            }
        }
    }

    /// Sums of all nodes of the tree on the wide grid: the packed one was for finding questions.
    void set_sums(const GradientView& view, const GradientFacts& facts) {
        number_nodes();
        leaf_rows_ = cut_by_rows(leaf_rows_, view.count());
        fine_grid_ = workspace_.rows.grid;
        fine_.resize(order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) fine_[i] = nodes_[order_[i]].sums;
        if (!workspace_.rows.grid.packed) return;
        fine_grid_ = wide_grid(facts);
        std::vector<GradientSums> parts(leaf_rows_.size());
        parallel_for(parts.size(),
                     [&](std::size_t i) { parts[i] = fine_sums(view, fine_grid_, leaf_rows_[i].rows); });
        std::vector<std::int64_t> words(2 * order_.size(), 0);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::size_t leaf = index(leaf_rows_[i].leaf);
            words[2 * leaf] += parts[i].gradient;
            words[2 * leaf + 1] += parts[i].hessian;
        }
        exchange_.sum(words);
        for (std::size_t i = order_.size(); i-- > 0;) {
            fine_[i] = {words[2 * i], words[2 * i + 1], 0};
        }
        add_to_parents();
    }

    /// From the last node to the first, so that children are complete before their parent.
    void add_to_parents() {
        const auto places = places_of_nodes();
        for (std::size_t i = order_.size(); i-- > 0;) {
            const GrowingNode& node = nodes_[order_[i]];
            if (!inner_[order_[i]]) continue;
            fine_[i] = fine_[places[node.left]];
            fine_[i] += fine_[places[node.right]];
        }
    }

    std::vector<std::uint32_t> places_of_nodes() const {
        std::vector<std::uint32_t> places(nodes_.size(), 0);
        for (std::uint32_t i = 0; i < order_.size(); ++i) places[order_[i]] = i;
        return places;
    }

    GrownBoostedTree assemble() {
        GrownBoostedTree grown;
        const auto places = places_of_nodes();
        const LeafScore score(plan_.options, fine_grid_);
        std::vector<double> values(order_.size(), 0);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            GrowingNode& node = nodes_[order_[i]];
            // A leaf without rows (symmetric growth) answers as its parent does, which comes before it.
            // Its bounds are of the grid that questions were found on, whose last digits may differ.
            values[i] = fine_[i].hessian != 0 ? score.value(fine_[i], node.bounds)
                                              : std::clamp(values[i], node.bounds.low, node.bounds.high);
            if (inner_[order_[i]]) values[places[node.left]] = values[places[node.right]] = values[i];
            model::Node made;
            made.rows = node.global_rows;
            made.weight = score.hessian(fine_[i]);
            made.value = {values[i] * plan_.options.learning_rate};
            CodeQuestion codes;
            if (inner_[order_[i]]) {
                made.gain = node.gain;
                made.question = std::move(node.question);
                made.left = NodeId{places[node.left]};
                made.right = NodeId{places[node.right]};
                codes = std::move(node.codes);
            }
            grown.tree.nodes.push_back(std::move(made));
            grown.questions.push_back(std::move(codes));
        }
        grown.leaf_rows = std::move(leaf_rows_);
        return grown;
    }

    const BoostingPlan& plan_;
    std::uint64_t tree_number_;
    BoostingExchange& exchange_;
    BoostingWorkspace& workspace_;
    ColumnSampling columns_;
    BoostingSplitRules rules_;
    std::unique_ptr<BoostingSearch> search_;
    std::vector<GrowingNode> nodes_;
    std::vector<bool> inner_;
    std::vector<std::uint32_t> order_;  ///< the tree's nodes in pre-order
    std::vector<LeafRows> leaf_rows_;
    std::vector<GradientSums> fine_;  ///< by place in the tree
    GradientGrid fine_grid_;
};

}  // namespace

GrownBoostedTree grow_boosted_tree(const BoostingPlan& plan, const GradientView& gradients, std::uint64_t tree_number,
                                   BoostingExchange& exchange, BoostingWorkspace& workspace) {
    return Grower(plan, tree_number, exchange, workspace).grow(gradients);
}

NodeId leaf_by_codes(const GrownBoostedTree& grown, std::size_t row) {
    NodeId at{0};
    while (!grown.tree.node(at).is_leaf()) {
        at = grown.questions[index(at)].row_right(row) ? grown.tree.node(at).right : grown.tree.node(at).left;
    }
    return at;
}

}  // namespace regrove::train
