// Trees are dealt to ranks that hold all rows, or grown by all ranks on spread rows.
#include "regrove/dist/forest_grower.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <type_traits>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/bin_table.hpp"
#include "regrove/dist/binned_search.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/dist/replicate_table.hpp"
#include "regrove/dist/row_draws.hpp"
#include "regrove/dist/sampled_search.hpp"
#include "regrove/dist/subtree_handover.hpp"
#include "regrove/dist/tree_exchange.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/model/ensemble_builder.hpp"
#include "regrove/train/binned_tree_grower.hpp"

namespace regrove::dist {

namespace {

/// Spread::automatic deals trees while a rank needs no more than this for all rows.
constexpr std::uint64_t k_copied_table_bytes = std::uint64_t{1} << 30U;
/// Leaves and marks of the rows whose out-of-bag answers are made at once.
constexpr std::size_t k_out_of_bag_bytes = std::size_t{64} << 20U;

/// What a forest's growth needs beside the rows.
struct ForestPlan {
    const train::CartOptions& cart;
    const train::ForestOptions& forest;
    train::RowSampling sampling;
    FeatureDraws draws;
};

void check_options(const train::CartOptions& cart, const train::ForestOptions& forest) {
    if (cart.missing_split == train::MissingSplit::surrogate) {
        throw ConfigError(
            "--missing-split surrogate is for single trees (--method cart); a forest takes side or separate");
    }
    if (cart.growth_order == train::GrowthOrder::depth_first) {
        throw ConfigError("--grow depth-first is for single trees (--method cart); leave it out for a forest");
    }
    if (forest.out_of_bag && !forest.bootstrap && forest.subsample >= 1) {
        throw ConfigError("--oob needs rows that a tree does not draw: use --bootstrap=yes, or --subsample below 1");
    }
}

ForestPlan make_plan(const TrainingSet& set, const train::CartOptions& cart, const train::ForestOptions& forest,
                     std::uint64_t seed) {
    ForestPlan plan{cart, forest, {}, {}};
    plan.sampling = {seed, set.global_rows, train::draws_for_share(forest.subsample, set.global_rows),
                     forest.bootstrap};
    plan.draws.features_a_node = train::features_a_node(
        forest.max_features, static_cast<std::uint32_t>(set.features.size()), set.target.layout.regression());
    plan.draws.extra_random = forest.extra_random;
    return plan;
}

/// Rows of weight zero are never in a tree.
void drop_left_out(const std::vector<bool>& left_out, std::vector<std::uint32_t>& multiplicities) {
    for (std::size_t row = 0; row < left_out.size(); ++row) {
        if (left_out[row]) multiplicities[row] = 0;
    }
}

/// A tree whose draws all hit rows of weight zero is grown on all others, once each.
void take_all_when_empty(const std::vector<bool>& left_out, std::vector<std::uint32_t>& multiplicities, bool empty) {
    if (!empty) return;
    std::fill(multiplicities.begin(), multiplicities.end(), 1U);
    drop_left_out(left_out, multiplicities);
}

/// How often each of this rank's rows is in a tree; the other ranks' rows decide with it whether all must stand in.
/// Collective.
std::vector<std::uint32_t> own_rows_of_tree(comm::Communicator& comm, const train::RowSampling& sampling,
                                            std::uint64_t tree, const RowShares& shares,
                                            const std::vector<bool>& left_out) {
    auto multiplicities = own_multiplicities(comm, sampling, tree, shares);
    drop_left_out(left_out, multiplicities);
    std::uint64_t drawn = 0;
    for (const auto times : multiplicities) drawn += times;
    take_all_when_empty(left_out, multiplicities, comm.sum(drawn) == 0);
    return multiplicities;
}

model::Ensemble make_forest(const TrainingSet& set, std::vector<model::Tree> trees, const ForestPlan& plan) {
    model::EnsembleBuilder builder;
    builder.task(set.task, set.label_name, set.classes).features(set.features);
    if (set.task == model::Task::classification) builder.combination(plan.forest.combination);
    for (model::Tree& tree : trees) builder.add_tree(std::move(tree));
    return std::move(builder).build();
}

/// The codes and targets of all rows, which is all that growing by bins asks for.
struct WholeForest {
    binning::BinnedTable table;
    train::Target target;
    std::vector<bool> left_out;
};

template <class T>
void gather_rows(comm::Communicator& comm, std::vector<T>& values) {
    if (comm.size() > 1) values = comm.gather_all(std::span<const T>(values));
}

std::vector<bool> gather_marks(comm::Communicator& comm, const std::vector<bool>& own, std::size_t own_rows) {
    if (comm.size() == 1 || comm.max(std::uint64_t{own.empty() ? 0U : 1U}) == 0) return own;
    std::vector<std::uint8_t> marks(own.begin(), own.end());
    marks.resize(own_rows, 0);
    gather_rows(comm, marks);
    return {marks.begin(), marks.end()};
}

/// The rows of all ranks of one column, on one rank; empty on the others.
data::ColumnValues gather_column(comm::Communicator& comm, const data::ColumnValues& own, int to) {
    return std::visit(
        [&](const auto& values) -> data::ColumnValues {
            using Values = std::decay_t<decltype(values)>;
            Values all;
            if constexpr (std::is_arithmetic_v<typename Values::value_type>) {
                using Value = typename Values::value_type;
                const auto* const bytes = reinterpret_cast<const char*>(values.data());
                for (const std::string& part : comm.gather({bytes, values.size() * sizeof(Value)}, to)) {
                    const std::size_t begin = all.size();
                    all.resize(begin + part.size() / sizeof(Value));
                    std::memcpy(all.data() + begin, part.data(), part.size());
                }
            }
            return all;
        },
        own);
}

void broadcast_feature(comm::Communicator& comm, binning::Bins& bins, binning::Codes& codes, int from) {
    std::vector<std::uint64_t> shape{bins.count, bins.category ? 1U : 0U, codes.index()};
    comm.broadcast(shape, from);
    bins.count = static_cast<std::uint32_t>(shape[0]);
    bins.category = shape[1] != 0;
    comm.broadcast(bins.low, from);
    comm.broadcast(bins.high, from);
    if (codes.index() != shape[2]) {
        if (shape[2] == 0) codes = std::vector<std::uint8_t>{};
        if (shape[2] == 1) codes = std::vector<std::uint16_t>{};
        if (shape[2] == 2) codes = std::vector<std::uint32_t>{};
    }
    std::visit([&](auto& values) { comm.broadcast(values, from); }, codes);
}

/// Each rank bins whole columns, its share of them, and then only codes travel. Bytes a rank, for c features on p ranks:
/// values 4 or 8 * own rows * c (p - 1) / p; codes rows * c * (1 or 2) / p to each other rank.
binning::BinnedTable bin_by_columns(comm::Communicator& comm, TrainingSet& set, const std::vector<bool>& left_out,
                                    std::uint32_t max_bin) {
    const auto ranks = static_cast<std::size_t>(comm.size());
    TrainingSet own;
    own.left_out = left_out;
    own.global_rows = set.global_rows;
    own.target.layout.classes = 1;  // bins ask for the number of rows only
    own.target.classes.assign(set.global_rows, 0);
    for (std::size_t f = 0; f < set.features.size(); ++f) {
        const int to = static_cast<int>(f % ranks);
        data::ColumnValues column = gather_column(comm, set.columns[f], to);
        set.columns[f] = {};
        if (to != comm.rank()) continue;
        own.features.push_back(set.features[f]);
        own.columns.push_back(std::move(column));
    }
    binning::BinnedTable binned;
    comm::agree_on(comm, [&] {
        if (!own.features.empty()) binned = bin_table(*comm::make_self_communicator(), own, max_bin);
    });
    own = {};
    binning::BinnedTable whole;
    whole.bins.resize(set.features.size());
    whole.codes.resize(set.features.size());
    whole.rows = set.global_rows;
    for (std::size_t f = 0; f < set.features.size(); ++f) {
        const int from = static_cast<int>(f % ranks);
        if (from == comm.rank()) {
            whole.bins[f] = std::move(binned.bins[f / ranks]);
            whole.codes[f] = std::move(binned.codes[f / ranks]);
        }
        broadcast_feature(comm, whole.bins[f], whole.codes[f], from);
    }
    return whole;
}

WholeForest bin_and_gather(comm::Communicator& comm, TrainingSet& set, std::uint32_t max_bin) {
    WholeForest whole;
    whole.left_out = gather_marks(comm, set.left_out, set.rows());
    whole.table =
        comm.size() == 1 ? bin_table(comm, set, max_bin) : bin_by_columns(comm, set, whole.left_out, max_bin);
    whole.target = std::move(set.target);
    set.columns.clear();
    gather_rows(comm, whole.target.classes);
    gather_rows(comm, whole.target.values);
    gather_rows(comm, whole.target.weights);
    return whole;
}

/// Trees [begin, end) of a forest.
struct TreeRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Those that a rank grows when rank r takes the first + r, first + r + p, ...
std::uint64_t own_trees(comm::Communicator& comm, const TreeRange& range) {
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    const std::uint64_t trees = range.end - range.begin;
    return rank < trees ? (trees - rank - 1) / ranks + 1 : 0;
}

/// Rank r grows the trees begin + r, begin + r + p, ... from all rows.
std::vector<model::Tree> grow_dealt_trees(comm::Communicator& comm, const WholeForest& whole, const ForestPlan& plan,
                                          const TreeRange& range, Progress& progress) {
    const train::BinnedForest forest{
        whole.table,       whole.target, plan.cart, plan.draws.features_a_node, plan.draws.extra_random,
        plan.sampling.seed};
    const auto ranks = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    const std::size_t own = own_trees(comm, range);
    std::vector<model::Tree> grown(own);
    const bool threads_inside = own < thread_count();
    comm::agree_on(comm, [&] {
        parallel_for_blocks(own, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::uint64_t tree = range.begin + rank + i * ranks;
                auto multiplicities = plan.sampling.multiplicities(tree, 0, plan.sampling.rows);
                drop_left_out(whole.left_out, multiplicities);
                const bool empty = std::all_of(multiplicities.begin(), multiplicities.end(),
                                               [](std::uint32_t times) { return times == 0; });
                take_all_when_empty(whole.left_out, multiplicities, empty);
                grown[i] = train::grow_binned_tree(forest, tree, multiplicities, threads_inside);
                progress.advance(1);
            }
        });
    });
    std::vector<int> rank_of_tree(range.end - range.begin);
    for (std::size_t tree = 0; tree < rank_of_tree.size(); ++tree)
        rank_of_tree[tree] = static_cast<int>(tree % ranks);
    return exchange_trees(comm, std::move(grown), rank_of_tree);
}

/// Rows stay where they are; all ranks grow one tree after the other.
class SpreadGrower {
  public:
    SpreadGrower(comm::Communicator& comm, TrainingSet& set, const ForestPlan& plan)
        : comm_(comm), set_(set), plan_(plan), shares_(share_rows(comm, set.rows())), left_out_(set.left_out) {
        base_weights_.resize(set.rows());
        for (std::size_t row = 0; row < set.rows(); ++row) base_weights_[row] = set.target.weight(row);
        const bool exact = plan.forest.split_points == train::SplitPoints::exact;
        if (!exact) {
            table_ = bin_table(comm, set, plan.forest.max_bin);
        } else if (!plan.forest.extra_random) {
            runs_.emplace(comm, set.columns, numeric_features(set), set.left_out);
        }
    }

    std::vector<model::Tree> grow(const TreeRange& range, Progress& progress) {
        std::vector<model::Tree> trees;
        for (std::uint64_t tree = range.begin; tree < range.end; ++tree) {
            trees.push_back(grow_one(tree));
            progress.advance(1);
        }
        return trees;
    }

  private:
    model::Tree grow_one(std::uint64_t tree) {
        const auto multiplicities = own_rows_of_tree(comm_, plan_.sampling, tree, shares_, left_out_);
        const std::int64_t tree_weight = set_weights(multiplicities);
        set_.entropy = train::EntropyTerms(tree_weight, set_.target.scale.weight_unit);
        const train::NodeRandom root = train::NodeRandom::root(plan_.sampling.seed, tree);
        const bool exact = plan_.forest.split_points == train::SplitPoints::exact;
        std::uint64_t tree_rows = 0;
        for (const auto times : multiplicities) tree_rows += times != 0 ? 1 : 0;
        SubtreeHandover handover(comm_, set_, exact ? nullptr : &table_, plan_.cart, plan_.draws, tree_weight,
                                 comm_.sum(tree_rows));
        if (runs_) return grow_by_sweeps(multiplicities, root, handover);
        if (exact) {
            DrawnSearch search(comm_, set_, plan_.cart, plan_.draws, tree_weight);
            return grow_tree(comm_, set_, plan_.cart, {search, nullptr, &root, false, &handover}).tree;
        }
        BinnedSearch search(comm_, set_, plan_.cart, plan_.draws, tree_weight, table_);
        return grow_tree(comm_, set_, plan_.cart, {search, nullptr, &root, false, &handover}).tree;
    }

    model::Tree grow_by_sweeps(const std::vector<std::uint32_t>& multiplicities, const train::NodeRandom& root,
                               SubtreeHandover& handover) {
        ColumnRuns runs = *runs_;
        std::vector<std::uint8_t> out(multiplicities.size());
        for (std::size_t row = 0; row < out.size(); ++row) out[row] = multiplicities[row] == 0 ? 1 : 0;
        runs.compact(out);
        SplitSearch exact(comm_, set_, runs, plan_.cart);
        SampledSearch search(exact, static_cast<std::uint32_t>(set_.features.size()), plan_.draws);
        return grow_tree(comm_, set_, plan_.cart, {search, &runs, &root, false, &handover}).tree;
    }

    /// The set becomes that of one tree; returns its weight over all ranks.
    std::int64_t set_weights(const std::vector<std::uint32_t>& multiplicities) {
        set_.target.is_weighted = true;
        set_.target.weights.resize(multiplicities.size());
        set_.left_out.assign(multiplicities.size(), false);
        std::int64_t total = 0;
        for (std::size_t row = 0; row < multiplicities.size(); ++row) {
            set_.target.weights[row] = base_weights_[row] * multiplicities[row];
            set_.left_out[row] = multiplicities[row] == 0;
            total += set_.target.weights[row];
        }
        comm_.sum(std::span(&total, 1));
        return total;
    }

    comm::Communicator& comm_;
    TrainingSet& set_;
    const ForestPlan& plan_;
    RowShares shares_;
    std::vector<bool> left_out_;
    std::vector<std::int64_t> base_weights_;
    binning::BinnedTable table_;
    std::optional<ColumnRuns> runs_;
};

/// Trees so far, in batches that a keeper may write between. Which trees are grown together changes none of them.
class ForestRun {
  public:
    ForestRun(comm::Communicator& comm, const TrainingSet& set, const ForestPlan& plan, ForestKeeper* keeper)
        : comm_(comm), set_(set), plan_(plan), keeper_(keeper) {
        if (keeper != nullptr && keeper->resumed() != nullptr) trees_ = keeper->resumed()->trees;
    }

    /// From `first_batch` trees on, batches double until one takes k_batch_seconds. `grow(range, progress)` is collective.
    /// Whether all trees are grown.
    template <class Grow>
    bool grow(std::uint64_t first_batch, Grow grow_range) {
        const std::uint64_t all = plan_.forest.trees;
        std::uint64_t batch = keeper_ == nullptr ? all : first_batch;
        Progress progress("growing", own_trees(comm_, {trees_.size(), all}), "trees");
        while (trees_.size() < all) {
            const auto begin = Clock::now();
            const TreeRange range{trees_.size(), std::min(trees_.size() + batch, all)};
            for (model::Tree& tree : grow_range(range, progress)) trees_.push_back(std::move(tree));
            if (keeper_ == nullptr) continue;
            if (keeper_->stop_after(trees_.size(), [&] { return forest(); })) break;
            std::vector<double> seconds{std::chrono::duration<double>(Clock::now() - begin).count()};
            comm_.max(std::span<double>(seconds));
            if (seconds[0] < k_batch_seconds) batch *= 2;
        }
        return trees_.size() == all;
    }

    model::Ensemble forest() const { return make_forest(set_, trees_, plan_); }
    /// The same, once, without a copy of the trees.
    model::Ensemble take_forest() { return make_forest(set_, std::move(trees_), plan_); }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double k_batch_seconds = 1;

    comm::Communicator& comm_;
    const TrainingSet& set_;
    const ForestPlan& plan_;
    ForestKeeper* keeper_;
    std::vector<model::Tree> trees_;
};

/// Trees that keep all threads of all ranks busy: as many on every rank.
std::uint64_t trees_at_once(comm::Communicator& comm) {
    return comm.max(std::uint64_t{thread_count()}) * static_cast<std::uint64_t>(comm.size());
}

/// Trees dealt to the ranks.
GrownForest grow_dealt(comm::Communicator& comm, ForestRun& run, const WholeForest& whole, const ForestPlan& plan) {
    GrownForest grown;
    grown.stopped = !run.grow(trees_at_once(comm), [&](const TreeRange& range, Progress& progress) {
        return grow_dealt_trees(comm, whole, plan, range, progress);
    });
    grown.ensemble = run.take_forest();
    return grown;
}

/// Trees grown by all ranks together.
GrownForest grow_spread(comm::Communicator& comm, ForestRun& run, TrainingSet& set, const ForestPlan& plan) {
    SpreadGrower grower(comm, set, plan);
    GrownForest grown;
    grown.stopped =
        !run.grow(1, [&](const TreeRange& range, Progress& progress) { return grower.grow(range, progress); });
    grown.ensemble = run.take_forest();
    return grown;
}

/// What each rank must hold to grow trees from all rows, about: codes, or cells with codes of four bytes.
std::uint64_t copy_bytes(comm::Communicator& comm, const data::TableShard& shard,
                         const train::ForestOptions& forest) {
    constexpr std::uint64_t k_target_bytes = 16;
    std::uint64_t cell_bytes = 0;
    for (const auto& column : shard.values) {
        cell_bytes +=
            std::visit([](const auto& values) { return sizeof(values[0]) + sizeof(std::uint32_t); }, column);
    }
    const std::uint64_t code_bytes = (forest.max_bin <= 255 ? 1 : 2) * shard.schema.features().size();
    const bool exact = forest.split_points == train::SplitPoints::exact;
    constexpr std::uint64_t k_growing_bytes = 36;  // of a row in a tree that is being grown
    const std::uint64_t growing = comm.max(std::uint64_t{std::min(thread_count(), forest.trees)});
    return comm.sum(shard.rows) * (k_target_bytes + k_growing_bytes * growing + (exact ? cell_bytes : code_bytes));
}

bool deals_trees(comm::Communicator& comm, const data::TableShard& shard, const train::ForestOptions& forest) {
    const std::uint64_t rows = comm.sum(shard.rows);
    const std::uint64_t bytes = copy_bytes(comm, shard, forest);
    if (rows >= (std::uint64_t{1} << 32U)) return false;
    if (forest.spread == train::Spread::automatic) return bytes <= k_copied_table_bytes;
    return forest.spread == train::Spread::trees;
}

OutOfBag answer_out_of_bag(comm::Communicator& comm, const model::Ensemble& ensemble, const data::TableShard& shard,
                           const std::vector<bool>& left_out, const ForestPlan& plan) {
    const std::size_t trees = ensemble.trees.size();
    const RowShares shares = share_rows(comm, shard.rows);
    std::vector<std::vector<bool>> drawn(trees, std::vector<bool>(shard.rows));
    OutOfBag result;
    result.trees.assign(shard.rows, 0);
    for (std::size_t tree = 0; tree < trees; ++tree) {
        const auto multiplicities = own_rows_of_tree(comm, plan.sampling, tree, shares, left_out);
        for (std::size_t row = 0; row < shard.rows; ++row) {
            drawn[tree][row] = multiplicities[row] != 0;
            result.trees[row] += multiplicities[row] == 0 ? 1 : 0;
        }
    }
    comm::agree_on(comm, [&] {
        const infer::Predictor predictor(ensemble, shard.schema);
        const std::size_t step = std::max<std::size_t>(k_out_of_bag_bytes / (trees * (sizeof(NodeId) + 1)), 1);
        for (std::size_t begin = 0; begin < shard.rows; begin += step) {
            const std::size_t end = std::min<std::size_t>(begin + step, shard.rows);
            const auto leaves = predictor.leaves(data::slice(shard, begin, end));
            std::vector<std::uint8_t> marked(leaves.size());
            for (std::size_t row = begin; row < end; ++row) {
                for (std::size_t tree = 0; tree < trees; ++tree) {
                    marked[(row - begin) * trees + tree] = drawn[tree][row] ? 0 : 1;
                }
            }
            const auto answers = predictor.answers_of_marked(leaves, marked);
            result.answer.insert(result.answer.end(), answers.begin(), answers.end());
        }
    });
    return result;
}

}  // namespace

GrownForest grow_forest(comm::Communicator& comm, data::TableShard shard, const train::CartOptions& cart,
                        const train::ForestOptions& forest, std::uint64_t seed, ForestKeeper* keeper) {
    check_options(cart, forest);
    const auto own_rows = forest.out_of_bag ? std::optional<data::TableShard>(shard) : std::nullopt;
    const Resampling resampling = forest.bootstrap ? Resampling::with_replacement : Resampling::none;
    GrownForest grown;
    std::optional<ForestPlan> plan;
    std::vector<bool> left_out;  // of this rank's rows
    const RowShares shares = share_rows(comm, shard.rows);
    const bool deals = deals_trees(comm, shard, forest);
    if (deals && forest.split_points == train::SplitPoints::exact) {
        const auto self = comm::make_self_communicator();
        data::TableShard all = replicate_table(comm, std::move(shard));
        TrainingSet set =
            comm::agree_on(comm, [&] { return make_training_set(*self, std::move(all), cart, resampling); });
        plan.emplace(make_plan(set, cart, forest, seed));
        if (!set.left_out.empty()) {
            const auto first = set.left_out.begin() + static_cast<std::ptrdiff_t>(shares.first(comm.rank()));
            left_out.assign(first, first + static_cast<std::ptrdiff_t>(shares.count(comm.rank())));
        }
        const WholeForest whole{bin_exactly(set), std::move(set.target), std::move(set.left_out)};
        set.columns.clear();
        ForestRun run(comm, set, *plan, keeper);
        grown = grow_dealt(comm, run, whole, *plan);
    } else {
        TrainingSet set = make_training_set(comm, std::move(shard), cart, resampling);
        plan.emplace(make_plan(set, cart, forest, seed));
        left_out = set.left_out;
        ForestRun run(comm, set, *plan, keeper);
        grown = deals ? grow_dealt(comm, run, bin_and_gather(comm, set, forest.max_bin), *plan)
                      : grow_spread(comm, run, set, *plan);
    }
    grown.rows = plan->sampling.rows;
    if (own_rows && !grown.stopped)
        grown.out_of_bag = answer_out_of_bag(comm, grown.ensemble, *own_rows, left_out, *plan);
    return grown;
}

}  // namespace regrove::dist
