// Numeric features are swept; categories are searched as sets, or drawn.
#include "regrove/train/binned_split.hpp"

#include <utility>

#include "regrove/train/category_split.hpp"
#include "regrove/train/side_statistics.hpp"
#include "regrove/train/threshold.hpp"

#include "binned_sources.hpp"

namespace regrove::train {

namespace {

constexpr std::int64_t k_small_weight = std::int64_t{1} << 31U;

/// The split whose sides hold these rows, with the rows without a value on the better side, left when equal.
template <class Sides>
SplitCandidate judge_sides(const BinnedSplitRules& rules, Statistics left, Statistics right, Statistics missing,
                           BinSweepScratch& scratch) {
    const StatisticsLayout& layout = rules.layout;
    SplitCandidate best;
    for (const bool missing_right : {false, true}) {
        if (missing_right && rows(layout, missing) == 0) break;
        std::vector<std::int64_t> sums[2] = {{left.begin(), left.end()}, {right.begin(), right.end()}};
        for (std::size_t i = 0; i < layout.size(); ++i) sums[missing_right ? 1 : 0][i] += missing[i];
        scratch.counters.assign(std::size_t{2} * layout.classes, 0);
        Sides sides;
        sides.start(layout, sums[0], sums[1], scratch.counters.data(), *rules.entropy);
        if (!sides.counts.allowed(rules.min_rows_leaf)) continue;
        const ExactScore exact = sides.exact();
        if (best.valid && compare(exact, best.score) <= 0) continue;
        best.valid = true;
        best.score = exact;
        best.missing_right = missing_right;
        best.left_weight = sides.counts.left_weight;
        best.right_weight = sides.counts.right_weight;
    }
    return best;
}

SplitCandidate judge(const BinnedSplitRules& rules, Statistics left, Statistics right, Statistics missing,
                     BinSweepScratch& scratch) {
    switch (rules.criterion) {
        case Criterion::squared_error:
            return judge_sides<SquaredErrorSides>(rules, left, right, missing, scratch);
        case Criterion::entropy:
            return judge_sides<EntropySides>(rules, left, right, missing, scratch);
        default:
            return judge_sides<GiniSides<Int128>>(rules, left, right, missing, scratch);
    }
}

/// Each category that is present goes right by a coin; were all on one side, the first one changes it.
std::vector<std::uint64_t> draw_right_categories(const BinnedFeature& feature,
                                                 const std::vector<std::uint32_t>& present) {
    std::vector<std::uint64_t> right;
    std::size_t on_right = 0;
    for (const auto category : present) {
        if (!feature.random->category_right(feature.feature, category)) continue;
        model::insert(right, category);
        ++on_right;
    }
    if (on_right == 0) model::insert(right, present[0]);
    if (on_right == present.size()) right[present[0] / 64] &= ~(std::uint64_t{1} << (present[0] % 64));
    return right;
}

void draw_category_question(const BinnedSplitRules& rules, const BinnedFeature& feature, Statistics statistics,
                            BinSweepScratch& scratch, BinnedCandidate& result) {
    const std::size_t width = rules.layout.size();
    std::vector<std::uint32_t> present;
    for (std::uint32_t c = 0; c < feature.bins->count; ++c) {
        if (rows(rules.layout, statistics.subspan(c * width, width)) != 0) present.push_back(c);
    }
    const Statistics missing = statistics.subspan(feature.bins->count * width, width);
    const std::vector<std::int64_t> none(width, 0);
    if (present.size() >= 2) {
        result.right_categories = draw_right_categories(feature, present);
        std::vector<std::int64_t> left(width, 0);
        std::vector<std::int64_t> right(width, 0);
        for (const auto c : present) {
            auto& side = model::contains(result.right_categories, c) ? right : left;
            for (std::size_t i = 0; i < width; ++i) side[i] += statistics[c * width + i];
        }
        result.candidate = judge(rules, left, right, missing, scratch);
    }
    if (rules.missing_as_question && rows(rules.layout, missing) != 0) {
        std::vector<std::int64_t> valued(feature.totals.begin(), feature.totals.end());
        for (std::size_t i = 0; i < width; ++i) valued[i] -= missing[i];
        const SplitCandidate apart = judge(rules, valued, missing, none, scratch);
        if (apart.valid && (!result.candidate.valid || compare(apart.score, result.candidate.score) > 0)) {
            result.candidate = apart;
            result.candidate.missing_right = true;
            result.right_categories.clear();
        }
    }
    result.candidate.feature = feature.feature;
}

}  // namespace

BinnedSplitRules make_split_rules(const CartOptions& options, const StatisticsLayout& layout, Criterion criterion,
                                  const EntropyTerms& entropy, bool extra_random, std::int64_t tree_weight) {
    BinnedSplitRules rules;
    rules.layout = layout;
    rules.criterion = criterion;
    rules.entropy = &entropy;
    rules.category_questions = options.category_questions;
    rules.min_rows_leaf = options.min_rows_leaf;
    rules.missing_as_question = options.missing_split == MissingSplit::separate;
    rules.extra_random = extra_random;
    rules.squares_fit_64_bits = tree_weight < k_small_weight;
    return rules;
}

BinnedCandidate best_numeric_question(const BinnedSplitRules& rules, const BinnedFeature& feature,
                                      Statistics statistics, BinSweepScratch& scratch) {
    const StatisticsCells cells{rules.layout, statistics};
    const HistogramSource<StatisticsCells> source(cells, feature.bins->count);
    return sweep_source(rules, feature, source, cells.at(feature.bins->missing_code()), scratch);
}

BinnedCandidate best_category_question(const BinnedSplitRules& rules, const BinnedFeature& feature,
                                       Statistics statistics, BinSweepScratch& scratch) {
    const std::size_t width = rules.layout.size();
    const std::uint32_t categories = feature.bins->count;
    BinnedCandidate result;
    result.categorical = true;
    if (rules.extra_random) {
        draw_category_question(rules, feature, statistics, scratch, result);
    } else {
        CategoryInput input;
        input.feature = feature.feature;
        input.categories = categories;
        input.statistics = statistics.first(categories * width);
        input.missing = statistics.subspan(categories * width, width);
        input.questions = rules.category_questions;
        input.missing_as_category = rules.missing_as_question;
        input.min_rows_leaf = rules.min_rows_leaf;
        CategoryResult found = best_category_split(rules.layout, rules.criterion, *rules.entropy, input);
        result.candidate = found.best.candidate;
        result.right_categories = std::move(found.best.right_categories);
    }
    if (!result.candidate.valid) return result;
    for (std::uint32_t c = 0; c < categories; ++c) {
        if (rows(rules.layout, statistics.subspan(c * width, width)) != 0) model::insert(result.seen_categories, c);
    }
    result.missing_seen = rows(rules.layout, statistics.subspan(categories * width, width)) != 0;
    return result;
}

void BinnedWinner::offer(BinnedCandidate&& candidate, const LookOrder& order) {
    if (!candidate.candidate.valid || !exceeds(candidate.candidate.score, parent_.c, parent_.dc)) return;
    if (best_.candidate.valid) {
        if (order.turn > order_.turn) return;
        if (order.turn == order_.turn) {
            const auto score = compare(candidate.candidate.score, best_.candidate.score);
            if (score < 0 || (score == 0 && order.place > order_.place)) return;
        }
    }
    order_ = order;
    best_ = std::move(candidate);
}

ExactScore BinnedWinner::gain_score() const {
    ExactScore score = best_.candidate.score;
    score.c = parent_.c;
    score.dc = parent_.dc;
    return score;
}

model::Question make_question(const BinnedCandidate& winner, const binning::Bins& bins) {
    const SplitCandidate& candidate = winner.candidate;
    model::Question question;
    question.feature = FeatureId{candidate.feature};
    question.heavier_side = candidate.right_weight > candidate.left_weight ? model::Side::right : model::Side::left;
    question.missing_seen = winner.missing_seen;
    question.missing_side = question.heavier_side;
    if (winner.missing_seen) question.missing_side = candidate.missing_right ? model::Side::right : model::Side::left;
    if (winner.categorical) {
        question.kind = model::QuestionKind::category;
        question.right_categories = winner.right_categories;
        question.seen_categories = winner.seen_categories;
        return question;
    }
    question.kind = model::QuestionKind::threshold;
    question.training_low = bins.low[winner.first_bin] + 0.0;
    question.training_high = bins.high[winner.last_bin] + 0.0;
    if (candidate.right_begin.holder < 0) {
        question.threshold = std::numeric_limits<double>::infinity();
        return question;
    }
    const double low = bins.high[candidate.left_end.position];
    const double high = bins.low[candidate.right_begin.position];
    const bool drawn_fits = winner.drawn_threshold >= low && winner.drawn_threshold < high;
    question.threshold = drawn_fits ? winner.drawn_threshold + 0.0 : threshold_between(low, high);
    return question;
}

BinnedRoute make_route(const BinnedCandidate& winner, const model::Question& question, const binning::Bins& bins) {
    BinnedRoute route;
    route.categorical = winner.categorical;
    route.missing_code = bins.missing_code();
    route.missing_right = question.missing_side == model::Side::right;
    route.last_left_code = static_cast<std::uint32_t>(winner.candidate.left_end.position);
    route.right_categories = winner.right_categories;
    return route;
}

}  // namespace regrove::train
