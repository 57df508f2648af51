// Rounds of: search the fresh nodes, choose which to open, send their rows to the children.
#include "regrove/dist/tree_grower.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "regrove/core/parallel.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/row_counting.hpp"
#include "regrove/train/answer.hpp"
#include "regrove/train/growth_plan.hpp"
#include "regrove/train/tree_assembly.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint32_t k_left_out = 0xffffffffU;

struct GrownNode {
    std::uint32_t depth = 0;
    std::vector<std::int64_t> totals;
    train::SquareSum squares;  ///< regression
    FoundSplit split;
};

class TreeGrower {
  public:
    TreeGrower(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options,
               const TreeSearch& search)
        : comm_(comm),
          set_(set),
          options_(options),
          figures_(set.target.layout, set.target.criterion, set.target.scale, set.entropy),
          search_(search.nodes),
          runs_(search.runs),
          root_random_(search.root_random),
          shows_progress_(search.shows_progress),
          subtrees_(options.max_leaves == 0 ? search.subtrees : nullptr),
          node_of_row_(set.rows(), 0) {
        for (std::size_t row = 0; row < set.left_out.size(); ++row) {
            if (set.left_out[row]) node_of_row_[row] = k_left_out;
        }
    }

    GrownTree grow() {
        GrownTree grown;
        add_nodes({0}, 1);
        if (root_random_ != nullptr) random_.push_back(*root_random_);
        std::optional<Progress> progress;
        if (shows_progress_) progress.emplace("growing", 0, "nodes");
        std::vector<std::uint32_t> fresh = hand_over({0});
        while (!fresh.empty()) {
            const comm::Traffic before = comm_.traffic();
            evaluate(fresh);
            if (progress) progress->advance(fresh.size());
            const auto opened = train::nodes_to_open(plan_, options_.max_leaves, options_.growth_order);
            const std::size_t evaluated = fresh.size();
            fresh = hand_over(open(opened));
            grown.rounds.push_back(traffic_between(before, comm_.traffic(), static_cast<std::uint32_t>(evaluated)));
            if (!fresh.empty()) compact_when_worth_it();
        }
        grown.tree = assemble();
        return grown;
    }

  private:
    /// Takes small nodes out of the fresh ones: one rank will grow all that is below them.
    std::vector<std::uint32_t> hand_over(std::vector<std::uint32_t> fresh) {
        if (subtrees_ == nullptr) return fresh;
        is_handed_.resize(nodes_.size(), 0);
        std::vector<std::uint32_t> kept;
        for (const auto id : fresh) {
            const std::uint64_t node_rows = rows(set_.target.layout, nodes_[id].totals);
            if (node_rows > subtrees_->most_rows() || !may_split(nodes_[id])) {
                kept.push_back(id);
                continue;
            }
            handed_.push_back({id, node_rows, nodes_[id].depth, random_[id]});
            is_handed_[id] = 1;
        }
        return kept;
    }

    static RoundTraffic traffic_between(const comm::Traffic& before, const comm::Traffic& after,
                                        std::uint32_t nodes) {
        return {nodes, after.messages - before.messages, after.bytes - before.bytes};
    }

    /// Statistics of new nodes [first, first + count) from the row-to-node map.
    void add_nodes(const std::vector<std::uint32_t>& depths, std::uint32_t count) {
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        const auto& layout = set_.target.layout;
        const std::size_t width = layout.size();
        auto totals = count_rows<std::int64_t>(
            set_.rows(), count * width, [&](std::size_t begin, std::size_t end, std::int64_t* into) {
                for (std::size_t row = begin; row < end; ++row) {
                    const std::uint32_t node = node_of_row_[row] - first;
                    if (node >= count) continue;
                    train::add_row(layout, into + node * width, set_.target.target(row), set_.target.weight(row));
                }
            });
        comm_.sum(std::span<std::int64_t>(totals));
        const std::vector<train::SquareSum> squares = add_squares(first, count);
        for (std::uint32_t i = 0; i < count; ++i) {
            GrownNode node;
            node.depth = depths[i];
            const auto begin = totals.begin() + static_cast<std::ptrdiff_t>(i * width);
            node.totals.assign(begin, begin + static_cast<std::ptrdiff_t>(width));
            node.squares = squares[i];
            nodes_.push_back(std::move(node));
            plan_.emplace_back();
        }
    }

    std::vector<train::SquareSum> add_squares(std::uint32_t first, std::uint32_t count) {
        std::vector<train::SquareSum> squares(count);
        if (!set_.target.layout.regression()) return squares;
        auto limbs = count_rows<Int128>(set_.rows(), std::size_t{2} * count,
                                        [&](std::size_t begin, std::size_t end, Int128* into) {
                                            for (std::size_t row = begin; row < end; ++row) {
                                                const std::uint32_t node = node_of_row_[row] - first;
                                                if (node >= count) continue;
                                                train::SquareSum one;
                                                one.add(set_.target.target(row), set_.target.weight(row));
                                                into[2 * node] += one.high;
                                                into[2 * node + 1] += one.low;
                                            }
                                        });
        comm_.sum(std::span<Int128>(limbs));
        for (std::uint32_t i = 0; i < count; ++i) squares[i] = {limbs[2 * i], limbs[2 * i + 1]};
        return squares;
    }

    bool may_split(const GrownNode& node) const {
        return train::may_split(options_, figures_, set_.target.layout, node);
    }

    void evaluate(const std::vector<std::uint32_t>& fresh) {
        std::vector<std::uint32_t> asked;
        for (const auto id : fresh) {
            plan_[id].evaluated = true;
            if (may_split(nodes_[id])) asked.push_back(id);
        }
        const std::size_t step = search_.most_slots();
        for (std::size_t begin = 0; begin < asked.size(); begin += step) {
            OpenNodes open;
            const auto first = asked.begin() + static_cast<std::ptrdiff_t>(begin);
            open.ids.assign(first, first + static_cast<std::ptrdiff_t>(std::min(step, asked.size() - begin)));
            for (const auto id : open.ids) {
                open.totals.insert(open.totals.end(), nodes_[id].totals.begin(), nodes_[id].totals.end());
                if (!random_.empty()) open.random.push_back(random_[id]);
            }
            auto found = search_.search(open, node_of_row_);
            for (std::size_t i = 0; i < found.size(); ++i) {
                const std::uint32_t id = open.ids[i];
                plan_[id].splittable = found[i].splittable;
                plan_[id].weighted_gain = found[i].gain * figures_.weight(nodes_[id].totals);
                nodes_[id].split = std::move(found[i]);
            }
        }
    }

    /// Sends the rows of the opened nodes to their children and returns the children.
    std::vector<std::uint32_t> open(const std::vector<std::uint32_t>& opened) {
        if (opened.empty()) return {};
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        std::vector<std::uint32_t> left_of(nodes_.size(), 0);
        std::vector<std::uint32_t> depths;
        for (std::size_t i = 0; i < opened.size(); ++i) {
            train::PlannedNode& planned = plan_[opened[i]];
            planned.left = first + static_cast<std::uint32_t>(2 * i);
            planned.right = planned.left + 1;
            left_of[opened[i]] = planned.left;
            depths.insert(depths.end(), 2, nodes_[opened[i]].depth + 1);
            if (random_.empty()) continue;
            random_.push_back(random_[opened[i]].child(model::Side::left));
            random_.push_back(random_[opened[i]].child(model::Side::right));
        }
        parallel_for_blocks(set_.rows(), 1U << 14U, [&](std::size_t begin, std::size_t end) {
            for (std::size_t row = begin; row < end; ++row) {
                const std::uint32_t node = node_of_row_[row];
                if (node >= left_of.size() || left_of[node] == 0) continue;
                const model::Side side = train::side_of(nodes_[node].split.question, set_.columns, row);
                node_of_row_[row] = left_of[node] + (side == model::Side::right ? 1U : 0U);
            }
        });
        add_nodes(depths, static_cast<std::uint32_t>(depths.size()));
        std::vector<std::uint32_t> children(depths.size());
        std::iota(children.begin(), children.end(), first);
        return children;
    }

    /// Once half of the rows in the runs sit in finished leaves, dropping them pays for itself in the next round.
    void compact_when_worth_it() {
        if (runs_ == nullptr) return;
        const auto& layout = set_.target.layout;
        std::uint64_t unfinished = 0;
        std::vector<std::uint8_t> node_finished(nodes_.size(), 0);
        for (std::size_t id = 0; id < nodes_.size(); ++id) {
            if (plan_[id].left != 0) continue;
            const bool handed = !is_handed_.empty() && is_handed_[id] != 0;
            const bool leaf = handed || (plan_[id].evaluated ? !plan_[id].splittable : !may_split(nodes_[id]));
            node_finished[id] = leaf ? 1 : 0;
            if (!leaf) unfinished += rows(layout, nodes_[id].totals);
        }
        if (rows_in_runs_ == 0) rows_in_runs_ = set_.global_rows;
        if (unfinished == 0 || 2 * unfinished >= rows_in_runs_) return;
        rows_in_runs_ = unfinished;
        std::vector<std::uint8_t> finished(set_.rows());
        for (std::size_t row = 0; row < finished.size(); ++row) {
            const std::uint32_t node = node_of_row_[row];
            finished[row] = node == k_left_out || node_finished[node] != 0 ? 1 : 0;
        }
        runs_->compact(finished);
    }

    model::Tree assemble() {
        std::vector<std::uint32_t> order;
        model::Tree tree = train::assemble_tree(plan_, options_.max_leaves, [&](std::uint32_t id, bool inner) {
            order.push_back(id);
            return make_node(nodes_[id], inner);
        });
        if (handed_.empty()) return tree;
        std::vector<model::Tree> subtrees = subtrees_->grow(handed_, node_of_row_);
        std::vector<std::uint32_t> place_of_node(nodes_.size(), 0);
        for (std::uint32_t i = 0; i < handed_.size(); ++i) place_of_node[handed_[i].id] = i;
        std::vector<train::Graft> grafts;
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            if (is_handed_[order[i]] != 0)
                grafts.push_back({NodeId{i}, std::move(subtrees[place_of_node[order[i]]])});
        }
        return train::graft(tree, std::move(grafts));
    }

    model::Node make_node(const GrownNode& grown, bool inner) const {
        model::Node node;
        node.rows = rows(set_.target.layout, grown.totals);
        node.weight = figures_.weight(grown.totals);
        node.impurity = figures_.impurity(grown.totals, grown.squares);
        node.value = figures_.value(grown.totals);
        if (!inner) return node;
        node.question = grown.split.question;
        node.gain = grown.split.gain;
        node.ties_cutting_differently = grown.split.ties_cutting_differently;
        node.ties_cutting_alike = grown.split.ties_cutting_alike;
        return node;
    }

    comm::Communicator& comm_;
    const TrainingSet& set_;
    const train::CartOptions& options_;
    train::NodeFigures figures_;
    NodeSearch& search_;
    ColumnRuns* runs_;
    const train::NodeRandom* root_random_;
    bool shows_progress_;
    SubtreeGrower* subtrees_;
    std::vector<HandedNode> handed_;
    std::vector<std::uint8_t> is_handed_;    ///< a node each
    std::vector<train::NodeRandom> random_;  ///< a node each, or none
    std::vector<std::uint32_t> node_of_row_;
    std::vector<GrownNode> nodes_;
    std::vector<train::PlannedNode> plan_;
    std::uint64_t rows_in_runs_ = 0;
};

}  // namespace

GrownTree grow_tree(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options,
                    const TreeSearch& search) {
    return TreeGrower(comm, set, options, search).grow();
}

}  // namespace regrove::dist
