// Blocks of columns over the threads; the owners' best candidates and questions are gathered.
#include "regrove/train/boosting_sparse_search.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "regrove/core/parallel.hpp"
#include "regrove/train/boosting_sparse_rows.hpp"

#include "boosting_sparse_walk.hpp"

namespace regrove::train {

namespace {

constexpr std::uint64_t k_entries_a_block = 32768;
constexpr std::size_t k_blocks_a_thread = 16;

struct ColumnBlock {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// Blocks of nearly equal numbers of entries and columns.
std::vector<ColumnBlock> cut_into_blocks(const SparseColumns& columns) {
    const std::uint64_t all = columns.entry_rows.size() + columns.columns();
    const std::uint64_t most = std::max(k_entries_a_block, all / (k_blocks_a_thread * thread_count()) + 1);
    std::vector<ColumnBlock> blocks;
    std::uint64_t weight = most;
    for (std::uint32_t column = 0; column < columns.columns(); ++column) {
        if (weight >= most) {
            blocks.push_back({column, column});
            weight = 0;
        }
        weight += columns.rows_of(column).size() + 1;
        blocks.back().end = column + 1;
    }
    return blocks;
}

/// How the rows of an opened node answer, as its feature's owner tells the others.
struct Asked {
    model::Question question;
    std::vector<std::uint32_t> listed;  ///< rows over all ranks that do not answer as the others, ascending
    bool others_right = false;
};
struct AskedFigures {
    double threshold = 0;
    double training_low = 0;
    double training_high = 0;
    std::uint64_t listed = 0;
    std::uint32_t feature = 0;
    std::uint8_t missing_seen = 0;
    std::uint8_t missing_right = 0;
    std::uint8_t heavier_right = 0;
    std::uint8_t others_right = 0;
};

void pack(const Asked& asked, std::string& text) {
    const model::Question& question = asked.question;
    AskedFigures figures;
    figures.threshold = question.threshold;
    figures.training_low = question.training_low;
    figures.training_high = question.training_high;
    figures.listed = asked.listed.size();
    figures.feature = index(question.feature);
    figures.missing_seen = question.missing_seen ? 1 : 0;
    figures.missing_right = question.missing_side == model::Side::right ? 1 : 0;
    figures.heavier_right = question.heavier_side == model::Side::right ? 1 : 0;
    figures.others_right = asked.others_right ? 1 : 0;
    text.append(reinterpret_cast<const char*>(&figures), sizeof figures);
    text.append(reinterpret_cast<const char*>(asked.listed.data()), asked.listed.size() * sizeof(std::uint32_t));
}

Asked unpack(const char*& next) {
    AskedFigures figures;
    std::memcpy(&figures, next, sizeof figures);
    next += sizeof figures;
    const auto side = [](std::uint8_t right) { return right != 0 ? model::Side::right : model::Side::left; };
    Asked asked;
    asked.question.kind = model::QuestionKind::threshold;
    asked.question.feature = FeatureId{figures.feature};
    asked.question.threshold = figures.threshold;
    asked.question.training_low = figures.training_low;
    asked.question.training_high = figures.training_high;
    asked.question.missing_seen = figures.missing_seen != 0;
    asked.question.missing_side = side(figures.missing_right);
    asked.question.heavier_side = side(figures.heavier_right);
    asked.others_right = figures.others_right != 0;
    asked.listed.resize(figures.listed);
    if (figures.listed != 0) std::memcpy(asked.listed.data(), next, figures.listed * sizeof(std::uint32_t));
    next += figures.listed * sizeof(std::uint32_t);
    return asked;
}

/// The part of ascending rows over all ranks that this rank has, by its own numbers.
std::vector<std::uint32_t> own_part(const SparseColumns& columns, const std::vector<std::uint32_t>& rows) {
    const auto begin = std::lower_bound(rows.begin(), rows.end(), columns.first_row);
    const auto end = std::lower_bound(begin, rows.end(), columns.first_row + columns.rows);
    std::vector<std::uint32_t> own(begin, end);
    for (auto& row : own) row -= static_cast<std::uint32_t>(columns.first_row);
    return own;
}

template <class Row>
class SparseSearch final : public BoostingSearch {
  public:
    SparseSearch(const TreeSearchContext& context, const SparseColumns& columns, BoostingExchange& exchange)
        : context_(context),
          columns_(columns),
          exchange_(exchange),
          rows_(gather_rows<Row>(context.rows, columns.rows, exchange)),
          blocks_(cut_into_blocks(columns)) {}

    void evaluate_root(std::vector<GrowingNode>& nodes) override {
        const std::uint32_t root = 0;
        if (may_split(context_, nodes[0])) search(nodes, std::span(&root, 1));
    }

    void evaluate_children(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) override {
        move_opened(nodes, opened);
        std::vector<std::uint32_t> wanted;
        for (const auto id : opened) {
            for (const auto child : {nodes[id].left, nodes[id].right}) {
                if (may_split(context_, nodes[child])) wanted.push_back(child);
            }
        }
        std::sort(wanted.begin(), wanted.end());
        if (!wanted.empty()) search(nodes, wanted);
    }

    bool evaluate_level(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) override {
        move_opened(nodes, opened);
        const SymmetricLevel level = level_below(context_, nodes, opened);
        if (level.with_rows.empty()) return false;
        const BoostingCandidate common = search_level(nodes, level);
        if (!gains_enough(context_, common)) return false;
        divide_level(context_, level, common, left_sums(nodes, level.with_rows, common), nodes);
        return true;
    }

    void ask(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> open) override {
        std::string text;
        for (const auto id : open) {
            if (columns_.owns(nodes[id].best.feature)) pack(answer(nodes[id], id), text);
        }
        const std::vector<std::string> texts = exchange_.gather(text);
        std::vector<const char*> next;
        for (const std::string& of_rank : texts) next.push_back(of_rank.data());
        asked_.clear();
        for (const auto id : open) {
            const auto owner = static_cast<std::size_t>(columns_.owner(nodes[id].best.feature));
            asked_.push_back(unpack(next[owner]));
            const Asked& asked = asked_.back();
            nodes[id].question = asked.question;
            nodes[id].codes = {};
            nodes[id].codes.otherwise = own_part(columns_, asked.listed);
            nodes[id].codes.others_right = asked.others_right;
        }
    }

  private:
    using Walk = ColumnWalk<Row>;

    /// Whether present rows of these sums may stand alone on a side. On one side of any division there are present rows only.
    bool may_stand_alone(const GradientSums& present) const {
        const BoostingSplitRules& rules = context_.rules;
        return rules.score.hessian(present) >= rules.min_child_weight &&
               (rules.min_rows_leaf <= 1 || present.rows >= rules.min_rows_leaf);
    }

    /// Rows of the nodes opened by the last ask() go to their children.
    void move_opened(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> opened) {
        if (opened.empty()) return;
        std::vector<OpenedRows> moves;
        for (std::size_t i = 0; i < opened.size(); ++i) {
            const GrowingNode& node = nodes[opened[i]];
            const Asked& asked = asked_[i];
            moves.push_back({opened[i], asked.others_right ? node.left : node.right,
                             asked.others_right ? node.right : node.left, asked.listed});
        }
        move_rows<Row>(moves, static_cast<std::uint32_t>(nodes.size()), rows_);
    }

    void search(std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids) {
        const NodeSlots slots(ids, nodes.size());
        const auto marks = features_of_nodes(context_, nodes, ids);
        std::vector<BoostingCandidate> found(blocks_.size() * ids.size());
        parallel_for(blocks_.size(), [&](std::size_t b) {
            Walk walk(columns_, rows_, slots, context_.counts);
            const std::span best(found.data() + b * ids.size(), ids.size());
            for (std::uint32_t column = blocks_[b].begin; column < blocks_[b].end; ++column) {
                search_column(nodes, ids, marks, walk, column, best);
            }
        });
        std::vector<BoostingCandidate> best(ids.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            BoostingCandidate& of_node = best[i % ids.size()];
            if (preferred(found[i], of_node)) of_node = std::move(found[i]);
        }
        for (BoostingCandidate& candidate : best) settle(candidate);
        best = best_of_ranks(exchange_, std::move(best));
        for (std::size_t i = 0; i < ids.size(); ++i) take_best(context_, std::move(best[i]), nodes[ids[i]]);
    }

    void search_column(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids,
                       const std::vector<FeatureMarks>& marks, Walk& walk, std::uint32_t column,
                       std::span<BoostingCandidate> best) const {
        const std::uint32_t feature = columns_.first_feature() + column;
        std::vector<std::uint32_t> kept;
        for (const auto slot : walk.add_up(column)) {
            const bool marked = marks[slot].empty() || marks[slot][feature] != 0;
            if (marked && may_stand_alone(walk.total(slot))) kept.push_back(slot);
        }
        if (kept.empty()) return;
        walk.list(column, kept, [](std::uint16_t) {});
        for (const auto slot : kept) {
            const GrowingNode& node = nodes[ids[slot]];
            const auto listed = walk.complete(column, slot, node.sums);
            BoostingCandidate candidate =
                best_listed_question(context_.rules, {node.sums, node.bounds},
                                     {feature, columns_.bin_count(column), listed.bins}, listed.missing);
            if (preferred(candidate, best[slot])) best[slot] = std::move(candidate);
        }
    }

    void settle(BoostingCandidate& candidate) const {
        if (candidate.valid != 0) settle_cut(candidate, columns_.bins(candidate.feature - columns_.first_feature()));
    }

    BoostingCandidate search_level(const std::vector<GrowingNode>& nodes, const SymmetricLevel& level) {
        const std::vector<std::uint32_t>& ids = level.with_rows;
        const NodeSlots slots(ids, nodes.size());
        const GrowingNode& first = nodes[level.nodes[0]];
        FeatureMarks marks = context_.columns.features(first.depth, first.key);
        context_.interactions.restrict_to(nodes[ids[0]].groups, marks);
        std::vector<BoostingNodeView> views;
        for (const auto id : ids) views.push_back({nodes[id].sums, nodes[id].bounds});
        std::vector<BoostingCandidate> found(blocks_.size());
        parallel_for(blocks_.size(), [&](std::size_t b) {
            Walk walk(columns_, rows_, slots, context_.counts);
            for (std::uint32_t column = blocks_[b].begin; column < blocks_[b].end; ++column) {
                if (!marks.empty() && marks[columns_.first_feature() + column] == 0) continue;
                BoostingCandidate candidate = best_of_level(views, walk, column);
                if (preferred(candidate, found[b])) found[b] = std::move(candidate);
            }
        });
        std::vector<BoostingCandidate> best(1);
        for (BoostingCandidate& candidate : found) {
            if (preferred(candidate, best[0])) best[0] = std::move(candidate);
        }
        settle(best[0]);
        return best_of_ranks(exchange_, std::move(best))[0];
    }

    BoostingCandidate best_of_level(std::span<const BoostingNodeView> views, Walk& walk, std::uint32_t column) const {
        const std::uint32_t feature = columns_.first_feature() + column;
        // Under a monotone constraint nodes that cannot gain may still forbid a division.
        const bool all_count = context_.rules.direction(feature) != 0;
        std::vector<std::uint32_t> active;
        const std::vector<std::uint32_t>& touched = walk.add_up(column);
        for (const auto slot : touched) {
            if (all_count || may_stand_alone(walk.total(slot))) active.push_back(slot);
        }
        if (active.empty()) return {};
        bool absent = touched.size() < views.size();
        for (const auto slot : touched) absent = absent || walk.absent_sums(slot, views[slot].sums).hessian != 0;
        std::vector<std::uint32_t> bins;
        walk.list(column, active, [&](std::uint16_t bin) {
            if (bins.empty() || bins.back() != bin) bins.push_back(bin);
        });
        if (absent) insert_bin(columns_.absent_bins[column], bins);
        const std::uint32_t count = columns_.bin_count(column);
        const bool missing_seen = !bins.empty() && bins.back() == count;
        if (missing_seen) bins.pop_back();
        std::vector<NodeBins> of_nodes;
        for (const auto slot : active) {
            of_nodes.push_back({&views[slot], {}});
            spread(walk.complete(column, slot, views[slot].sums), bins, of_nodes.back().bins);
        }
        return best_listed_common_question(context_.rules, of_nodes, {feature, count, bins, missing_seen});
    }

    static void insert_bin(std::uint32_t bin, std::vector<std::uint32_t>& bins) {
        const auto place = std::lower_bound(bins.begin(), bins.end(), bin);
        if (place == bins.end() || *place != bin) bins.insert(place, bin);
    }

    /// A node's listed bins to their places among the level's.
    static void spread(const typename Walk::Listed& listed, const std::vector<std::uint32_t>& bins,
                       std::vector<GradientSums>& sums) {
        sums.resize(bins.size() + 1);
        sums.back() = listed.missing;
        auto place = bins.begin();
        for (const ListedBin& bin : listed.bins) {
            place = std::lower_bound(place, bins.end(), bin.bin);
            sums[static_cast<std::size_t>(place - bins.begin())] = bin.sums;
        }
    }

    /// How bins of an own column answer a candidate's question. `column` of the answer means nothing.
    CodeQuestion bin_question(const BoostingCandidate& candidate, const model::Question& question) const {
        static const CodeColumn none;
        const auto bins = columns_.bins(candidate.feature - columns_.first_feature());
        return make_code_question(candidate, question, bins, none);
    }

    std::vector<GradientSums> left_sums(const std::vector<GrowingNode>& nodes, std::span<const std::uint32_t> ids,
                                        const BoostingCandidate& common) {
        std::vector<GradientSums> sums(ids.size());
        if (columns_.owns(common.feature)) {
            const std::uint32_t column = common.feature - columns_.first_feature();
            const auto codes = bin_question(common, make_boosting_question(common, columns_.bins(column), {}));
            const NodeSlots slots(ids, nodes.size());
            Walk walk(columns_, rows_, slots, context_.counts);
            walk.add_up(column);
            walk.each_entry(column, [&](std::uint32_t slot, std::uint16_t bin, const GradientSums& row) {
                if (!codes.right(bin)) sums[slot] += row;
            });
            for (std::uint32_t slot = 0; slot < ids.size() && !codes.right(columns_.absent_bins[column]); ++slot) {
                sums[slot] += walk.absent_sums(slot, nodes[ids[slot]].sums);
            }
        }
        std::vector<std::int64_t> words;
        for (const auto& s : sums) words.insert(words.end(), {s.gradient, s.hessian, s.rows});
        exchange_.sum(words);
        for (std::size_t i = 0; i < ids.size(); ++i) sums[i] = {words[3 * i], words[3 * i + 1], words[3 * i + 2]};
        return sums;
    }

    /// Of a node whose feature is an own one. Rows outside the tree are listed, too: they are asked afterwards.
    Asked answer(const GrowingNode& node, std::uint32_t id) const {
        const std::uint32_t column = node.best.feature - columns_.first_feature();
        Asked asked;
        asked.question = make_boosting_question(node.best, columns_.bins(column), node.sums);
        const CodeQuestion codes = bin_question(node.best, asked.question);
        asked.others_right = codes.right(columns_.absent_bins[column]);
        const auto rows = columns_.rows_of(column);
        const auto bins = columns_.bins_of(column);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::uint32_t place = rows_[rows[i]].place;
            if (place != place_of_node(id) && place != k_out_of_tree) continue;
            if (codes.right(bins[i]) != asked.others_right) asked.listed.push_back(rows[i]);
        }
        std::sort(asked.listed.begin(), asked.listed.end());
        return asked;
    }

    TreeSearchContext context_;
    const SparseColumns& columns_;
    BoostingExchange& exchange_;
    std::vector<Row> rows_;
    std::vector<ColumnBlock> blocks_;
    std::vector<Asked> asked_;  ///< of the nodes of the last ask()
};

}  // namespace

std::unique_ptr<BoostingSearch> make_sparse_search(const TreeSearchContext& context, const SparseColumns& columns,
                                                   BoostingExchange& exchange) {
    if (context.rows.grid.packed) return std::make_unique<SparseSearch<PackedRow>>(context, columns, exchange);
    return std::make_unique<SparseSearch<WideRow>>(context, columns, exchange);
}

}  // namespace regrove::train
