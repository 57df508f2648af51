#include "regrove/dist/split_search.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/numeric_pass.hpp"
#include "regrove/dist/row_counting.hpp"
#include "regrove/dist/surrogate_search.hpp"
#include "regrove/dist/tie_classification.hpp"
#include "regrove/train/answer.hpp"
#include "regrove/train/threshold.hpp"

namespace regrove::dist {

namespace {

using train::CategoryResult;
using train::MissingSplit;
using train::SplitCandidate;
using train::Statistics;

constexpr std::uint64_t k_category_buffer_bytes = std::uint64_t{32} << 20U;
constexpr std::uint64_t k_slot_buffer_bytes = std::uint64_t{64} << 20U;

constexpr std::uint32_t k_no_place = 0xffffffffU;

}  // namespace

struct SplitSearch::Round {
    std::uint32_t slots = 0;
    std::vector<std::int64_t> totals;
    std::vector<std::uint32_t> slot_of_row;  ///< k_no_slot: takes no part
    std::vector<std::uint32_t> keys;
    std::uint32_t largest_key = 0;
    std::unordered_map<std::uint32_t, std::vector<std::int64_t>>
        missing;                                   ///< by column with any: slots x layout size
    std::vector<PlacedCandidate> best;             ///< a slot each
    std::vector<PlacedCandidate> equals;           ///< all that equalled a best when found
    std::vector<std::vector<std::uint64_t>> seen;  ///< categories, of the best, a slot each
    const AllowedFeatures* allowed = nullptr;      ///< null: all

    /// The place of a feature among those that a slot looks at; k_no_place: it does not.
    std::uint32_t place_of(std::uint32_t slot, std::uint32_t feature) const {
        const auto& features = allowed->features[slot];
        const auto at = std::find(features.begin(), features.end(), feature);
        return at == features.end() ? k_no_place : static_cast<std::uint32_t>(at - features.begin());
    }
};

/// A candidate of a node that draws its features, as it travels.
struct PlacedInOrder {
    SplitCandidate candidate;
    std::uint32_t turn = 0;
    std::uint32_t place = 0;
};

/// By turn, then score, then place, then threshold.
bool precedes_in_order(const PlacedInOrder& x, const PlacedInOrder& y) {
    if (x.candidate.valid != y.candidate.valid) return x.candidate.valid;
    if (x.turn != y.turn) return x.turn < y.turn;
    const auto score = compare(x.candidate.score, y.candidate.score);
    if (score != 0) return score > 0;
    return x.place != y.place ? x.place < y.place : x.candidate.code < y.candidate.code;
}

SplitSearch::SplitSearch(comm::Communicator& comm, const TrainingSet& set, const ColumnRuns& runs,
                         const train::CartOptions& options)
    : comm_(comm),
      set_(set),
      runs_(runs),
      options_(options),
      figures_(set.target.layout, set.target.criterion, set.target.scale, set.entropy) {
    for (std::uint32_t f = 0; f < set.features.size(); ++f) {
        if (set.features[f].kind == model::FeatureKind::category) categorical_.push_back(f);
    }
}

std::uint32_t SplitSearch::most_slots() const {
    const std::uint64_t width = set_.target.layout.size();
    const std::uint64_t column_bytes = width * 8 * 3 + 320;  // sweep state, neighbours, candidates
    const std::uint64_t columns = std::max<std::uint64_t>(runs_.numeric().size(), 1);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        k_slot_buffer_bytes / (column_bytes * std::min<std::uint64_t>(columns, 32)), 512, 65536));
}

std::vector<FoundSplit> SplitSearch::search_among(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row,
                                                  const AllowedFeatures* allowed) {
    Round round;
    round.allowed = allowed;
    round.slots = nodes.slots();
    round.totals = nodes.totals;
    round.best.resize(round.slots);
    round.seen.resize(round.slots);
    for (std::uint32_t slot = 0; slot < round.slots; ++slot) round.best[slot].slot = slot;
    set_keys(round, nodes, node_of_row);
    count_missing(round);
    search_numeric(round);
    search_categories(round);
    return decide(round);
}

void SplitSearch::set_keys(Round& round, const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) const {
    const auto& layout = set_.target.layout;
    const int bits = train::class_bits(layout);
    round.largest_key = (round.slots << bits) - 1U;
    round.keys.resize(node_of_row.size());
    round.slot_of_row = slots_of_rows(nodes, node_of_row);
    parallel_for_blocks(node_of_row.size(), 1U << 16U, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const std::uint32_t slot = round.slot_of_row[row];
            const std::uint32_t k = layout.regression() || slot == k_no_slot ? 0U : set_.target.classes[row];
            round.keys[row] = slot == k_no_slot ? train::k_closed_key : (slot << bits) | k;
        }
    });
}

/// Statistics of the rows without a value, for every numeric column that has any.
void SplitSearch::count_missing(Round& round) const {
    const auto& layout = set_.target.layout;
    for (const auto column : runs_.numeric()) {
        const ColumnRun& run = runs_.run(column);
        if (!run.any_missing) continue;
        auto& statistics = round.missing[column];
        statistics.assign(round.slots * layout.size(), 0);
        for (const auto row : run.missing) {
            const std::uint32_t slot = round.slot_of_row[row];
            if (slot == k_no_slot) continue;
            train::add_row(layout, statistics.data() + slot * layout.size(), set_.target.target(row),
                           set_.target.weight(row));
        }
        comm_.sum(std::span<std::int64_t>(statistics));
    }
}

PlacedInOrder SplitSearch::in_order(const Round& round, std::uint32_t slot, const SplitCandidate& candidate) {
    if (!candidate.valid) return {candidate, 0, 0};
    const std::uint32_t place = round.place_of(slot, candidate.feature);
    return {candidate, round.allowed->in_turn ? place : 0, place};
}

/// Keeps the best of a slot, and all that equal it, for the count of ties. Only candidates of this rank's runs and of
/// category columns (which every rank has) come here.
void SplitSearch::keep(Round& round, const PlacedCandidate& found) const {
    if (!found.candidate.valid) return;
    if (round.allowed != nullptr) {
        if (round.place_of(found.slot, found.candidate.feature) == k_no_place) return;
        const auto& layout = set_.target.layout;
        const auto totals = Statistics(round.totals).subspan(found.slot * layout.size(), layout.size());
        const train::ParentTerm parent = figures_.parent_term(totals);
        if (!train::exceeds(found.candidate.score, parent.c, parent.dc)) return;
        PlacedCandidate& own_best = round.best[found.slot];
        if (precedes_in_order(in_order(round, found.slot, found.candidate),
                              in_order(round, found.slot, own_best.candidate))) {
            own_best = found;
        }
        return;
    }
    PlacedCandidate& best = round.best[found.slot];
    if (best.candidate.valid && compare(found.candidate.score, best.candidate.score) < 0) return;
    round.equals.push_back(found);
    if (!best.candidate.valid || train::precedes(found.candidate, best.candidate)) best = round.equals.back();
}

void SplitSearch::search_numeric(Round& round) const {
    const auto& layout = set_.target.layout;
    const bool surrogate_rule = options_.missing_split == MissingSplit::surrogate;
    NumericPass pass;
    pass.layout = layout;
    pass.criterion = set_.target.criterion;
    pass.slots = round.slots;
    pass.messages = {round.keys,
                     set_.target.values,
                     set_.target.weights,
                     round.largest_key,
                     set_.target.layout.regression(),
                     set_.target.is_weighted};
    pass.min_rows_leaf = options_.min_rows_leaf;
    pass.missing_as_question = options_.missing_split == MissingSplit::separate;
    pass.valued_rows_only = surrogate_rule;
    pass.missing = [&](std::uint32_t column) -> Statistics {
        const auto found = round.missing.find(column);
        return found == round.missing.end() ? Statistics{} : Statistics(found->second);
    };
    pass.valued = [&](std::uint32_t column) {
        std::vector<std::int64_t> valued = round.totals;
        const auto found = round.missing.find(column);
        if (found != round.missing.end()) {
            for (std::size_t i = 0; i < valued.size(); ++i) valued[i] -= found->second[i];
        }
        return valued;
    };
    sweep_columns(comm_, runs_, set_.entropy, pass, [&](std::uint32_t column, train::SweepResult&& result) {
        const std::vector<std::int64_t> valued = surrogate_rule ? pass.valued(column) : std::vector<std::int64_t>{};
        const auto with_parent = [&](SplitCandidate candidate, std::uint32_t slot) {
            if (surrogate_rule) {
                const auto parent =
                    figures_.parent_term(Statistics(valued).subspan(slot * layout.size(), layout.size()));
                candidate.score.c = parent.c;
                candidate.score.dc = parent.dc;
            }
            return candidate;
        };
        for (std::uint32_t slot = 0; slot < round.slots; ++slot) {
            if (result.best[slot].valid) keep(round, {slot, with_parent(result.best[slot], slot), false, {}});
        }
        for (const auto& tie : result.ties) keep(round, {tie.slot, with_parent(tie.candidate, tie.slot), false, {}});
    });
    merge_over_ranks(round);
}

void SplitSearch::merge_over_ranks(Round& round) const {
    if (comm_.size() == 1) return;
    if (round.allowed == nullptr) {
        std::vector<SplitCandidate> merged(round.slots);
        for (std::uint32_t slot = 0; slot < round.slots; ++slot) merged[slot] = round.best[slot].candidate;
        comm_.merge_all(std::span<SplitCandidate>(merged), train::merge_candidate);
        for (std::uint32_t slot = 0; slot < round.slots; ++slot) round.best[slot].candidate = merged[slot];
        return;
    }
    std::vector<PlacedInOrder> merged(round.slots);
    for (std::uint32_t slot = 0; slot < round.slots; ++slot) {
        merged[slot] = in_order(round, slot, round.best[slot].candidate);
    }
    comm_.merge_all(std::span<PlacedInOrder>(merged), [](PlacedInOrder& into, const PlacedInOrder& from) {
        if (precedes_in_order(from, into)) into = from;
    });
    for (std::uint32_t slot = 0; slot < round.slots; ++slot) round.best[slot].candidate = merged[slot].candidate;
}

void SplitSearch::search_categories(Round& round) const {
    const auto& layout = set_.target.layout;
    const std::size_t width = layout.size();
    for (const auto feature : categorical_) {
        const auto& codes = std::get<std::vector<std::int32_t>>(set_.columns[feature]);
        const auto categories = static_cast<std::uint32_t>(set_.features[feature].categories.size());
        const std::size_t slot_size = (std::size_t{categories} + 1) * width;
        const auto step = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(k_category_buffer_bytes / (slot_size * 8), 1, round.slots));
        for (std::uint32_t begin = 0; begin < round.slots; begin += step) {
            const std::uint32_t end = std::min(begin + step, round.slots);
            // The last "category" of a slot counts the rows without a value.
            auto statistics = count_rows<std::int64_t>(
                codes.size(), (end - begin) * slot_size,
                [&](std::size_t first, std::size_t last, std::int64_t* into) {
                    for (std::size_t row = first; row < last; ++row) {
                        const std::uint32_t slot = round.slot_of_row[row];
                        if (slot < begin || slot >= end) continue;
                        const std::uint32_t code =
                            codes[row] < 0 ? categories : static_cast<std::uint32_t>(codes[row]);
                        train::add_row(layout, into + (slot - begin) * slot_size + code * width,
                                       set_.target.target(row), set_.target.weight(row));
                    }
                });
            comm_.sum(std::span<std::int64_t>(statistics));
            std::vector<CategoryResult> results(end - begin);
            comm::agree_on(comm_, [&] {
                parallel_for(results.size(), [&](std::size_t i) {
                    const Statistics all = Statistics(statistics).subspan(i * slot_size, slot_size);
                    train::CategoryInput input;
                    input.feature = feature;
                    input.categories = categories;
                    input.statistics = all.first(categories * width);
                    input.missing = all.subspan(categories * width, width);
                    input.questions = options_.category_questions;
                    input.missing_as_category = options_.missing_split == MissingSplit::separate;
                    input.parent_term_of_valued = options_.missing_split == MissingSplit::surrogate;
                    input.min_rows_leaf = options_.min_rows_leaf;
                    results[i] = best_category_split(layout, set_.target.criterion, set_.entropy, input);
                });
            });
            for (std::uint32_t slot = begin; slot < end; ++slot) {
                CategoryResult& result = results[slot - begin];
                if (!result.best.candidate.valid) continue;
                const Statistics all = Statistics(statistics).subspan((slot - begin) * slot_size, slot_size);
                train::ParentTerm parent;
                if (options_.missing_split == MissingSplit::surrogate) {
                    std::vector<std::int64_t> valued(width, 0);
                    for (std::size_t i = 0; i < categories * width; ++i) valued[i % width] += all[i];
                    parent = figures_.parent_term(valued);
                }
                const auto take = [&](train::CategoryCandidate& found) {
                    found.candidate.score.c = parent.c;
                    found.candidate.score.dc = parent.dc;
                    keep(round, {slot, found.candidate, true, std::move(found.right_categories)});
                };
                take(result.best);
                for (auto& tie : result.ties) take(tie);
                const SplitCandidate& best = round.best[slot].candidate;
                if (best.feature != feature || !round.best[slot].categorical) continue;
                round.seen[slot].clear();
                for (std::uint32_t c = 0; c < categories; ++c) {
                    if (rows(layout, all.subspan(c * width, width)) != 0) model::insert(round.seen[slot], c);
                }
                if (rows(layout, all.subspan(categories * width, width)) != 0) {
                    // Remembered beside the categories: one past the last.
                    model::insert(round.seen[slot], categories);
                }
            }
        }
    }
}

std::vector<FoundSplit> SplitSearch::decide(Round& round) const {
    const auto& layout = set_.target.layout;
    std::vector<FoundSplit> found(round.slots);
    for (std::uint32_t slot = 0; slot < round.slots; ++slot) {
        const SplitCandidate& best = round.best[slot].candidate;
        if (!best.valid) continue;
        const Statistics totals = Statistics(round.totals).subspan(slot * layout.size(), layout.size());
        const bool surrogate_rule = options_.missing_split == MissingSplit::surrogate;
        const train::ParentTerm parent = surrogate_rule ? train::ParentTerm{} : figures_.parent_term(totals);
        if (!train::exceeds(best.score, parent.c, parent.dc)) continue;
        FoundSplit& split = found[slot];
        split.gains = true;
        train::ExactScore above_parent = best.score;
        if (!surrogate_rule) {
            above_parent.c = parent.c;
            above_parent.dc = parent.dc;
        }
        split.gain = figures_.gain(above_parent, train::weight(layout, totals));
        split.splittable = options_.min_gain == 0 || split.gain > options_.min_gain;
        model::Question& question = split.question;
        question.feature = FeatureId{best.feature};
        question.heavier_side = best.right_weight > best.left_weight ? model::Side::right : model::Side::left;
        if (round.best[slot].categorical) {
            const auto categories = static_cast<std::uint32_t>(set_.features[best.feature].categories.size());
            question.kind = model::QuestionKind::category;
            question.right_categories = round.best[slot].right_categories;
            question.missing_seen = model::contains(round.seen[slot], categories);
            question.seen_categories.assign((categories + 63) / 64, 0);
            for (std::uint32_t c = 0; c < categories; ++c) {
                if (model::contains(round.seen[slot], c)) model::insert(question.seen_categories, c);
            }
        } else {
            question.kind = model::QuestionKind::threshold;
            const auto missing = round.missing.find(best.feature);
            question.missing_seen =
                missing != round.missing.end() &&
                rows(layout, Statistics(missing->second).subspan(slot * layout.size(), layout.size())) != 0;
        }
        question.missing_side = question.heavier_side;
        if (question.missing_seen && !surrogate_rule) {
            question.missing_side = best.missing_right ? model::Side::right : model::Side::left;
        }
    }
    // Thresholds: each holder looks up the ends of the gaps it found; the largest known value wins the merge.
    std::vector<RunQuery> queries;
    std::vector<std::size_t> asked;
    for (std::uint32_t slot = 0; slot < round.slots; ++slot) {
        if (!found[slot].splittable || round.best[slot].categorical) continue;
        const SplitCandidate& best = round.best[slot].candidate;
        for (int end = 0; end < 2; ++end) {
            const train::RunPlace& place = end == 0 ? best.left_end : best.right_begin;
            if (place.holder != comm_.rank()) continue;
            queries.push_back({best.feature, place.position});
            asked.push_back(2 * std::size_t{slot} + end);
        }
    }
    const std::vector<double> values = runs_.values_at(queries);
    constexpr double k_unknown = -std::numeric_limits<double>::infinity();
    std::vector<double> ends(2 * std::size_t{round.slots}, k_unknown);
    for (std::size_t q = 0; q < values.size(); ++q) ends[asked[q]] = values[q];
    comm_.max(std::span<double>(ends));
    for (std::uint32_t slot = 0; slot < round.slots; ++slot) {
        if (!found[slot].splittable || round.best[slot].categorical) continue;
        found[slot].question.threshold = round.best[slot].candidate.right_begin.holder < 0
                                             ? std::numeric_limits<double>::infinity()
                                             : train::threshold_between(ends[2 * slot], ends[2 * slot + 1]);
    }
    if (options_.missing_split == MissingSplit::surrogate) {
        add_surrogates(comm_, set_, runs_, options_.max_surrogates, round.slot_of_row, found);
    }
    find_training_ranges(comm_, set_, round.slot_of_row, found);
    if (round.allowed != nullptr) return found;
    const bool valued_rows_only = options_.missing_split == MissingSplit::surrogate;
    classify_ties({comm_, set_, runs_, round.slot_of_row, valued_rows_only}, round.best, round.equals, found);
    return found;
}

}  // namespace regrove::dist
