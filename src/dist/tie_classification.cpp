#include "regrove/dist/tie_classification.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>

#include "regrove/core/parallel.hpp"
#include "regrove/train/answer.hpp"

namespace regrove::dist {

namespace {

/// A numeric tie as it travels.
struct NumericTie {
    std::uint32_t slot;
    std::uint32_t feature;
    double last_left_value;
    std::uint64_t missing_right;
};

struct TiedQuestion {
    std::uint32_t slot;
    model::Question question;
};

bool same_question(const train::SplitCandidate& x, const train::SplitCandidate& y) {
    return x.feature == y.feature && x.code == y.code;
}

/// All questions that tie with a splittable node's best, the same list on every rank, ascending by slot.
std::vector<TiedQuestion> tied_questions(comm::Communicator& comm, const ColumnRuns& runs,
                                         const std::vector<PlacedCandidate>& best,
                                         const std::vector<PlacedCandidate>& equals,
                                         const std::vector<FoundSplit>& found) {
    std::vector<TiedQuestion> ties;
    std::vector<RunQuery> queries;
    std::vector<NumericTie> own;
    for (const auto& equal : equals) {
        const auto& winner = best[equal.slot].candidate;
        if (!found[equal.slot].splittable || same_question(equal.candidate, winner)) continue;
        if (compare(equal.candidate.score, winner.score) != 0) continue;
        if (equal.categorical) {
            model::Question question;
            question.kind = model::QuestionKind::category;
            question.feature = FeatureId{equal.candidate.feature};
            question.right_categories = equal.right_categories;
            question.missing_side = equal.candidate.missing_right ? model::Side::right : model::Side::left;
            ties.push_back({equal.slot, question});
        } else {
            queries.push_back({equal.candidate.feature, equal.candidate.left_end.position});
            own.push_back({equal.slot, equal.candidate.feature, 0, equal.candidate.missing_right ? 1U : 0U});
        }
    }
    const std::vector<double> values = runs.values_at(queries);
    for (std::size_t i = 0; i < own.size(); ++i) own[i].last_left_value = values[i];
    for (const auto& tie : comm.gather_all(std::span<const NumericTie>(own))) {
        model::Question question;
        question.kind = model::QuestionKind::threshold;
        question.feature = FeatureId{tie.feature};
        question.threshold = tie.last_left_value;
        question.missing_side = tie.missing_right != 0 ? model::Side::right : model::Side::left;
        ties.push_back({tie.slot, question});
    }
    std::stable_sort(ties.begin(), ties.end(),
                     [](const TiedQuestion& x, const TiedQuestion& y) { return x.slot < y.slot; });
    return ties;
}

/// The side of a row that counts for the comparison; nullopt when it takes no part.
std::optional<model::Side> side_in(const TieScene& scene, const model::Question& question, std::size_t row) {
    if (scene.valued_rows_only) return train::answer(question, scene.set.columns[index(question.feature)], row);
    return train::side_of(question, scene.set.columns, row);
}

}  // namespace

void find_training_ranges(comm::Communicator& comm, const TrainingSet& set,
                          std::span<const std::uint32_t> slot_of_row, std::vector<FoundSplit>& found) {
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    std::vector<double> low(found.size(), k_infinity);
    std::vector<double> high(found.size(), -k_infinity);
    for (std::size_t row = 0; row < slot_of_row.size(); ++row) {
        const std::uint32_t slot = slot_of_row[row];
        if (slot >= found.size() || found[slot].question.kind != model::QuestionKind::threshold) continue;
        const double value =
            data::as_double(data::ColumnType::int32, set.columns[index(found[slot].question.feature)], row);
        if (value < low[slot]) low[slot] = value;
        if (value > high[slot]) high[slot] = value;
    }
    comm.min(std::span<double>(low));
    comm.max(std::span<double>(high));
    for (std::size_t slot = 0; slot < found.size(); ++slot) {
        if (found[slot].question.kind != model::QuestionKind::threshold || !found[slot].splittable) continue;
        found[slot].question.training_low = low[slot] + 0.0;  // turns -0 into +0: which came first is chance
        found[slot].question.training_high = high[slot] + 0.0;
    }
}

void classify_ties(const TieScene& scene, const std::vector<PlacedCandidate>& best,
                   const std::vector<PlacedCandidate>& equals, std::vector<FoundSplit>& found) {
    comm::Communicator& comm = scene.comm;
    const ColumnRuns& runs = scene.runs;
    const std::vector<TiedQuestion> ties = tied_questions(comm, runs, best, equals, found);
    std::vector<std::size_t> begin(found.size() + 1, 0);
    for (const auto& tie : ties) begin[tie.slot + 1] += 1;
    for (std::size_t slot = 0; slot < found.size(); ++slot) begin[slot + 1] += begin[slot];
    // Bit 0: some row goes the same way; bit 1: some row goes the other way. Alike: not both.
    std::vector<std::atomic<std::uint8_t>> agreement(ties.size());
    parallel_for_blocks(scene.slot_of_row.size(), 1U << 14U, [&](std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            const std::uint32_t slot = scene.slot_of_row[row];
            if (slot >= found.size() || begin[slot] == begin[slot + 1]) continue;
            const auto winner = side_in(scene, found[slot].question, row);
            if (!winner) continue;
            for (std::size_t t = begin[slot]; t < begin[slot + 1]; ++t) {
                const std::uint8_t known = agreement[t].load(std::memory_order_relaxed);
                if (known == 3) continue;
                const auto side = side_in(scene, ties[t].question, row);
                if (!side) continue;
                const std::uint8_t bit = *side == *winner ? 1 : 2;
                if ((known & bit) == 0) agreement[t].fetch_or(bit, std::memory_order_relaxed);
            }
        }
    });
    std::vector<std::uint64_t> same(ties.size());
    std::vector<std::uint64_t> other(ties.size());
    for (std::size_t t = 0; t < ties.size(); ++t) {
        same[t] = agreement[t] & 1U;
        other[t] = agreement[t] >> 1U;
    }
    comm.max(std::span<std::uint64_t>(same));
    comm.max(std::span<std::uint64_t>(other));
    for (std::size_t t = 0; t < ties.size(); ++t) {
        FoundSplit& split = found[ties[t].slot];
        (same[t] != 0 && other[t] != 0 ? split.ties_cutting_differently : split.ties_cutting_alike) += 1;
    }
}

}  // namespace regrove::dist
