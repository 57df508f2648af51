// Batches of nodes: counted, subtracted and searched over the threads.
#include "regrove/train/boosting_evaluation.hpp"

#include <algorithm>
#include <string>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::train {

namespace {

/// Histograms of nodes that wait to be opened take no more than this over all ranks' shares; those that do not fit are
/// counted again.
constexpr std::uint64_t k_histogram_budget_bytes = std::uint64_t{1} << 30U;
/// New histograms that are made at once: whole ones, since a rank counts its rows for the owners of all features.
constexpr std::uint64_t k_batch_bytes = std::uint64_t{256} << 20U;
/// Histograms of one level of symmetric growth, over all ranks' shares.
constexpr std::uint64_t k_level_bytes = std::uint64_t{2} << 30U;
constexpr std::uint32_t k_positions_a_task = 8;

/// The smaller child is counted, the other one is what is left of the parent; the left one when equal.
struct Siblings {
    std::uint32_t smaller;
    std::uint32_t larger;
};
Siblings siblings(const std::vector<GrowingNode>& nodes, const GrowingNode& parent) {
    if (nodes[parent.right].global_rows < nodes[parent.left].global_rows) return {parent.right, parent.left};
    return {parent.left, parent.right};
}

}  // namespace

NodeEvaluation::NodeEvaluation(const TreeSearchContext& context, BoostingExchange& exchange)
    : context_(context), exchange_(exchange), owned_(context.table.layout(), exchange.ranks()) {}

std::uint64_t NodeEvaluation::histogram_bytes(const HistogramShape& shape) const {
    return shape.planes() * context_.table.layout().words() * sizeof(std::int64_t);
}

FeatureWords NodeEvaluation::words_of(const GrowingNode& node, std::uint32_t position) const {
    const HistogramLayout& layout = context_.table.layout();
    const std::uint32_t feature = layout.feature_at[position];
    return {feature, &context_.table.bins(feature), &node.histogram, layout.first_word[position]};
}

void NodeEvaluation::count_alone(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids) {
    const HistogramLayout& layout = context_.table.layout();
    std::vector<HistogramJob> jobs;
    for (const auto id : ids) jobs.push_back({nodes[id].rows, nodes[id].histogram.shape()});
    build_histograms(context_.table, context_.rows, jobs, [&](std::size_t job, std::uint32_t position) {
        return nodes[ids[job]].histogram.place(layout.first_word[position]);
    });
}

void NodeEvaluation::count_and_share(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids) {
    const HistogramLayout& layout = context_.table.layout();
    const auto ranks = static_cast<std::size_t>(exchange_.ranks());
    const auto words_before = [&](std::size_t rank) { return layout.first_word[owned_.begins[rank]]; };
    std::vector<HistogramJob> jobs;
    std::vector<std::uint64_t> planes_before;  // of the batch's nodes
    std::uint64_t planes = 0;
    for (const auto id : ids) {
        jobs.push_back({nodes[id].rows, nodes[id].histogram.shape()});
        planes_before.push_back(planes);
        planes += nodes[id].histogram.shape().planes();
    }
    // A piece for each rank: node by node, plane by plane, the words that the rank owns.
    std::vector<std::uint64_t> counts;
    for (std::size_t r = 0; r < ranks; ++r) counts.push_back(planes * (words_before(r + 1) - words_before(r)));
    std::vector<std::int64_t> send(planes * layout.words());
    build_histograms(context_.table, context_.rows, jobs, [&](std::size_t job, std::uint32_t position) {
        const auto r = static_cast<std::size_t>(owned_.owner(position));
        const std::uint64_t own_words = words_before(r + 1) - words_before(r);
        return HistogramPlace{send.data() + planes * words_before(r) + planes_before[job] * own_words +
                                  (layout.first_word[position] - words_before(r)),
                              own_words};
    });
    const auto own_rank = static_cast<std::size_t>(exchange_.rank());
    std::vector<std::int64_t> own(counts[own_rank]);
    exchange_.sum_pieces(send, counts, own);
    const std::int64_t* next = own.data();
    for (const auto id : ids) {
        Histogram& histogram = nodes[id].histogram;
        const std::size_t words = histogram.shape().planes() * histogram.words();
        std::copy_n(next, words, histogram.plane(0));
        next += words;
    }
}

void NodeEvaluation::count(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids) {
    if (ids.empty()) return;
    const HistogramLayout& layout = context_.table.layout();
    const std::uint64_t first = layout.first_word[owned_.begin(exchange_.rank())];
    const std::uint64_t words = layout.first_word[owned_.end(exchange_.rank())] - first;
    for (const auto id : ids) {
        const auto shape = shape_of_node(context_.rows.grid, context_.counts, nodes[id].global_rows);
        nodes[id].histogram = Histogram(shape, first, words);
    }
    if (exchange_.ranks() == 1) {
        count_alone(nodes, ids);
    } else {
        count_and_share(nodes, ids);
    }
}

void NodeEvaluation::make_histograms(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> parents,
                                     std::span<const std::uint32_t> wanted) {
    const auto is_wanted = [&](std::uint32_t id) { return std::binary_search(wanted.begin(), wanted.end(), id); };
    std::vector<std::uint32_t> counted;
    std::vector<std::uint32_t> subtracted;  // parents
    for (const auto id : parents) {
        const Siblings pair = siblings(nodes, nodes[id]);
        const bool subtract_larger = is_wanted(pair.larger) && !nodes[id].histogram.empty();
        const bool smaller_has_rows = nodes[pair.smaller].global_rows != 0;
        if (is_wanted(pair.smaller) || (subtract_larger && smaller_has_rows)) counted.push_back(pair.smaller);
        if (subtract_larger) subtracted.push_back(id);
        if (is_wanted(pair.larger) && !subtract_larger) counted.push_back(pair.larger);
    }
    count(nodes, counted);
    parallel_for(subtracted.size(), [&](std::size_t i) {
        GrowingNode& parent = nodes[subtracted[i]];
        const Siblings pair = siblings(nodes, parent);
        GrowingNode& larger = nodes[pair.larger];
        if (nodes[pair.smaller].global_rows != 0) {
            subtract(parent.histogram, nodes[pair.smaller].histogram,
                     shape_of_node(context_.rows.grid, context_.counts, larger.global_rows));
        }
        larger.histogram = std::move(parent.histogram);
    });
    for (const auto id : parents) {
        nodes[id].histogram.clear();
        const Siblings pair = siblings(nodes, nodes[id]);
        if (!is_wanted(pair.smaller)) nodes[pair.smaller].histogram.clear();
    }
}

/// Numeric features are none of the histograms': the preferred of both answers.
void NodeEvaluation::take_thresholds(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids,
                                     const std::vector<FeatureMarks>& marks, std::vector<BoostingCandidate>& best) {
    std::vector<ThresholdNode> open;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const GrowingNode& node = nodes[ids[i]];
        open.push_back({{node.sums, node.bounds}, node.rows, &marks[i]});
    }
    auto found = context_.thresholds->search(context_.rules, open);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (preferred(found[i], best[i])) best[i] = std::move(found[i]);
    }
}

void NodeEvaluation::search(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids) {
    const std::uint32_t begin = owned_.begin(exchange_.rank());
    const std::uint32_t end = owned_.end(exchange_.rank());
    const std::size_t tasks_a_node = (end - begin + k_positions_a_task - 1) / k_positions_a_task;
    const auto marks = features_of_nodes(context_, nodes, ids);
    std::vector<BoostingCandidate> found(ids.size() * tasks_a_node);
    parallel_for(found.size(), [&](std::size_t task) {
        const std::size_t i = task / tasks_a_node;
        const GrowingNode& node = nodes[ids[i]];
        const auto first = begin + static_cast<std::uint32_t>(task % tasks_a_node) * k_positions_a_task;
        for (std::uint32_t position = first; position < std::min(end, first + k_positions_a_task); ++position) {
            const FeatureWords words = words_of(node, position);
            if (!marks[i].empty() && marks[i][words.feature] == 0) continue;
            BoostingCandidate candidate = best_question(context_.rules, {node.sums, node.bounds}, words);
            if (preferred(candidate, found[task])) found[task] = std::move(candidate);
        }
    });
    std::vector<BoostingCandidate> best(ids.size());
    for (std::size_t task = 0; task < found.size(); ++task) {
        BoostingCandidate& of_node = best[task / tasks_a_node];
        if (preferred(found[task], of_node)) of_node = std::move(found[task]);
    }
    best = best_of_ranks(exchange_, std::move(best));
    if (context_.thresholds != nullptr) take_thresholds(nodes, ids, marks, best);
    for (std::size_t i = 0; i < ids.size(); ++i) take_best(context_, std::move(best[i]), nodes[ids[i]]);
}

void NodeEvaluation::drop_beyond_budget(std::vector<GrowingNode>& nodes) {
    std::uint64_t bytes = 0;
    for (GrowingNode& node : nodes) {
        if (node.histogram.empty()) continue;
        bytes += histogram_bytes(node.histogram.shape()) / static_cast<std::uint64_t>(exchange_.ranks());
        if (!node.splittable || bytes > k_histogram_budget_bytes) node.histogram.clear();
    }
}

void NodeEvaluation::evaluate_root(std::vector<GrowingNode>& nodes) {
    if (!may_split(context_, nodes[0])) return;
    const std::uint32_t root = 0;
    count(nodes, std::span(&root, 1));
    search(nodes, std::span(&root, 1));
}

void NodeEvaluation::evaluate_children(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) {
    std::size_t begin = 0;
    while (begin < opened.size()) {
        std::uint64_t bytes = 0;
        std::size_t end = begin;
        std::vector<std::uint32_t> wanted;
        for (; end < opened.size() && (end == begin || bytes < k_batch_bytes); ++end) {
            const GrowingNode& parent = nodes[opened[end]];
            for (const auto child : {parent.left, parent.right}) {
                if (!may_split(context_, nodes[child])) continue;
                wanted.push_back(child);
                bytes +=
                    histogram_bytes(shape_of_node(context_.rows.grid, context_.counts, nodes[child].global_rows));
            }
        }
        std::sort(wanted.begin(), wanted.end());
        make_histograms(nodes, opened.subspan(begin, end - begin), wanted);
        if (!wanted.empty()) search(nodes, wanted);
        drop_beyond_budget(nodes);
        begin = end;
    }
}

std::vector<GradientSums> NodeEvaluation::left_sums(const std::vector<GrowingNode>& nodes,
                                                    std::span<const std::uint32_t> ids,
                                                    const BoostingCandidate& common) {
    const std::uint32_t position = context_.table.layout().position_of[common.feature];
    const binning::Bins& bins = context_.table.bins(common.feature);
    std::vector<GradientSums> sums(ids.size());
    if (owned_.owner(position) == exchange_.rank()) {
        const auto question = make_boosting_question(common, bins, {});
        const auto codes = make_code_question(common, question, bins, context_.table.column(common.feature));
        for (std::size_t i = 0; i < ids.size(); ++i) sums[i] = sums_left(codes, words_of(nodes[ids[i]], position));
    }
    std::vector<std::int64_t> words;
    for (const auto& s : sums) words.insert(words.end(), {s.gradient, s.hessian, s.rows});
    exchange_.sum(words);
    for (std::size_t i = 0; i < ids.size(); ++i) sums[i] = {words[3 * i], words[3 * i + 1], words[3 * i + 2]};
    return sums;
}

void NodeEvaluation::check_level(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids) const {
    std::uint64_t bytes = 0;
    for (const auto id : ids) {
        bytes += histogram_bytes(shape_of_node(context_.rows.grid, context_.counts, nodes[id].global_rows));
    }
    if (bytes <= k_level_bytes) return;
    throw LimitError("--grow symmetric keeps the histograms of a whole level: " + std::to_string(ids.size()) +
                     " nodes take " + std::to_string(bytes >> 20U) + " MiB, the limit is " +
                     std::to_string(k_level_bytes >> 20U) + "; lower --max-depth or --max-bin");
}

bool NodeEvaluation::evaluate_level(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) {
    const SymmetricLevel level = level_below(context_, nodes, opened);
    const std::vector<std::uint32_t>& ids = level.with_rows;
    if (ids.empty()) return false;
    check_level(nodes, ids);
    if (opened.empty()) {
        count(nodes, ids);
    } else {
        make_histograms(nodes, opened, ids);
    }
    std::vector<BoostingNodeView> views;
    for (const auto id : ids) views.push_back({nodes[id].sums, nodes[id].bounds});
    const std::uint32_t first = level.nodes[0];
    FeatureMarks marks = context_.columns.features(nodes[first].depth, nodes[first].key);
    context_.interactions.restrict_to(nodes[ids[0]].groups, marks);
    const std::uint32_t begin = owned_.begin(exchange_.rank());
    std::vector<BoostingCandidate> found(owned_.end(exchange_.rank()) - begin);
    parallel_for(found.size(), [&](std::size_t i) {
        std::vector<FeatureWords> words;
        for (const auto id : ids) words.push_back(words_of(nodes[id], begin + static_cast<std::uint32_t>(i)));
        if (!marks.empty() && marks[words[0].feature] == 0) return;
        found[i] = best_common_question(context_.rules, views, words);
    });
    std::vector<BoostingCandidate> best(1);
    for (BoostingCandidate& candidate : found) {
        if (preferred(candidate, best[0])) best[0] = std::move(candidate);
    }
    const BoostingCandidate common = best_of_ranks(exchange_, std::move(best))[0];
    if (!gains_enough(context_, common)) return false;
    divide_level(context_, level, common, left_sums(nodes, ids, common), nodes);
    return true;
}

void NodeEvaluation::ask(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> open) {
    for (const auto id : open) {
        GrowingNode& node = nodes[id];
        const binning::Bins& bins = context_.table.bins(node.best.feature);
        node.question = make_boosting_question(node.best, bins, node.sums);
        node.codes =
            node.best.by_value != 0
                ? make_value_question(node.question, context_.thresholds->values(node.best.feature))
                : make_code_question(node.best, node.question, bins, context_.table.column(node.best.feature));
    }
}

}  // namespace regrove::train
