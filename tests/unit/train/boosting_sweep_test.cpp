// The sorted sweep finds what trying every threshold of every node finds, in one run or cut into several.
#include "regrove/train/boosting_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::train {
namespace {

/// Rows in the order of one column's values; rows of slot k_closed_slot take no part.
struct Column {
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> codes;
    std::vector<std::int64_t> gradients;
    std::vector<std::int64_t> hessians;
    std::vector<GradientSums> missing;  ///< a slot
    std::vector<BoostingNodeView> nodes;
};

constexpr std::uint32_t k_slots = 5;

Column random_column(std::uint64_t seed, std::size_t rows, std::uint32_t values, bool with_missing) {
    const CounterRandom random(seed, 1);
    Column column;
    std::vector<std::uint32_t> codes(rows);
    for (std::size_t i = 0; i < rows; ++i) codes[i] = static_cast<std::uint32_t>(random.below(4 * i, values));
    std::sort(codes.begin(), codes.end());
    std::map<std::uint32_t, std::uint32_t> dense;
    for (const auto code : codes) dense.emplace(code, static_cast<std::uint32_t>(dense.size()));
    column.missing.resize(k_slots);
    column.nodes.resize(k_slots);
    for (std::size_t i = 0; i < rows; ++i) {
        const auto slot = static_cast<std::uint32_t>(random.below(4 * i + 1, k_slots + 1));
        column.slots.push_back(slot == k_slots ? k_closed_slot : slot);
        column.codes.push_back(dense[codes[i]]);
        column.gradients.push_back(static_cast<std::int64_t>(random.below(4 * i + 2, 2001)) - 1000);
        column.hessians.push_back(1 + static_cast<std::int64_t>(random.below(4 * i + 3, 500)));
        if (slot != k_slots) column.nodes[slot].sums += {column.gradients[i], column.hessians[i], 1};
    }
    for (std::uint32_t slot = 1; with_missing && slot < k_slots; ++slot) {  // slot 0 has none
        column.missing[slot] = {static_cast<std::int64_t>(slot) * 700 - 2000, 150, 3};
        column.nodes[slot].sums += column.missing[slot];
    }
    return column;
}

/// By the rules as they are written, threshold after threshold.
ThresholdCandidate best_by_force(const BoostingSplitRules& rules, const Column& column, std::uint32_t slot) {
    ThresholdCandidate best;
    const BoostingNodeView& node = column.nodes[slot];
    const DivisionJudge judge(rules, node, rules.direction(0));
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < column.slots.size(); ++i) {
        if (column.slots[i] == slot) own.push_back(i);
    }
    const bool has_missing = column.missing[slot].hessian != 0;
    for (std::size_t cut = 1; cut <= own.size(); ++cut) {
        const bool last = cut == own.size();
        if (!last && column.codes[own[cut]] == column.codes[own[cut - 1]]) continue;
        if (last && !has_missing) continue;
        for (const bool missing_right : {false, true}) {
            if (!missing_right && (last || !has_missing)) continue;
            GradientSums left = missing_right ? GradientSums{} : column.missing[slot];
            for (std::size_t i = 0; i < cut; ++i) left += {column.gradients[own[i]], column.hessians[own[i]], 1};
            const GradientSums right = node.sums - left;
            if (!judge.allowed(left, right) || !(judge.score(left, right) > best.score)) continue;
            best.score = judge.score(left, right);
            best.valid = 1;
            best.left = left;
            best.missing_right = missing_right ? 1 : 0;
            best.code = column.codes[own[cut - 1]];
            best.left_end.position = own[cut - 1];
            best.right_begin.position = last ? 0 : own[cut];
            best.right_begin.holder = last ? -1 : 0;
        }
    }
    return best;
}

/// Runs of the column, each with what lies before and behind it, merged; positions stay those of the whole.
std::vector<ThresholdCandidate> sweep(const BoostingSplitRules& rules, const Column& column,
                                      const std::vector<std::size_t>& cuts) {
    std::vector<ThresholdCandidate> best(k_slots);
    std::vector<GradientSums> before(k_slots);
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
        const std::size_t begin = cuts[r];
        const std::size_t end = cuts[r + 1];
        std::vector<NextValue> next(k_slots);
        for (std::size_t i = column.slots.size(); i-- > end;) {
            if (column.slots[i] != k_closed_slot) next[column.slots[i]] = {{0, i}, column.codes[i]};
        }
        BoostingSweepInput input;
        input.rules = &rules;
        input.nodes = column.nodes;
        input.before = before;
        input.missing = column.missing;
        input.next = next;
        BoostingSweep sweep(input);
        for (std::size_t i = begin; i < end; i += 7) {
            sweep.consume({std::min<std::size_t>(7, end - i), &column.slots[i], &column.codes[i],
                           &column.gradients[i], &column.hessians[i], i});
        }
        const auto found = sweep.finish();
        for (std::uint32_t slot = 0; slot < k_slots; ++slot) {
            if (precedes(found[slot], best[slot])) best[slot] = found[slot];
        }
        for (std::size_t i = begin; i < end; ++i) {
            if (column.slots[i] != k_closed_slot) {
                before[column.slots[i]] += {column.gradients[i], column.hessians[i], 1};
            }
        }
    }
    return best;
}

double gain(const BoostingSplitRules& rules, const BoostingNodeView& node, const ThresholdCandidate& candidate) {
    return candidate.score - rules.score.score(node.sums, node.bounds);
}

void expect_best(const BoostingOptions& options, std::vector<std::int8_t> monotone, bool bounded = false) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        Column column = random_column(seed, 20 + 3 * seed, seed % 3 == 0 ? 6 : 400, seed % 2 == 0);
        if (bounded) column.nodes[1].bounds = {-0.2, 0.1};
        const auto rules = make_boosting_rules(options, {true, seed % 5 == 0 ? 1e-60 : 0x1p-8, 0x1p-7}, monotone);
        const std::size_t rows = column.slots.size();
        for (const auto& cuts : std::vector<std::vector<std::size_t>>{
                 {0, rows}, {0, rows / 3, rows / 3, rows / 2, rows}, {0, 0, 1, rows - 1, rows}}) {
            const auto found = sweep(rules, column, cuts);
            for (std::uint32_t slot = 0; slot < k_slots; ++slot) {
                const ThresholdCandidate best = best_by_force(rules, column, slot);
                // What does not gain need not be found.
                if (best.valid == 0 || gain(rules, column.nodes[slot], best) <= 0) {
                    EXPECT_TRUE(found[slot].valid == 0 || gain(rules, column.nodes[slot], found[slot]) <= 0);
                    continue;
                }
                ASSERT_EQ(found[slot].valid, 1);
                EXPECT_EQ(found[slot].score, best.score);
                EXPECT_EQ(found[slot].left, best.left);
                EXPECT_EQ(found[slot].code, best.code);
                EXPECT_EQ(found[slot].missing_right, best.missing_right);
                EXPECT_EQ(found[slot].left_end.position, best.left_end.position);
                EXPECT_EQ(found[slot].right_begin.holder, best.right_begin.holder);
                if (best.right_begin.holder >= 0) {
                    EXPECT_EQ(found[slot].right_begin.position, best.right_begin.position);
                }
            }
        }
    }
}

TEST(BoostingSweep, FindsTheBestThresholdOfEveryNode) {
    BoostingOptions options;
    options.min_child_weight = 0;
    expect_best(options, {});
    options.reg_lambda = 0;
    expect_best(options, {});
}

TEST(BoostingSweep, KeepsToLimitsOfWeightAndRows) {
    BoostingOptions options;
    options.min_child_weight = 9;
    options.min_rows_leaf = 4;
    expect_best(options, {});
}

TEST(BoostingSweep, KnowsThresholdsOfGradientsStepsAndConstraints) {
    BoostingOptions options;
    options.reg_alpha = 0.8;
    options.max_delta_step = 0.2;
    expect_best(options, {});
    expect_best(BoostingOptions{}, {1}, true);
    expect_best(BoostingOptions{}, {-1});
}

/// Equal scores: the lower threshold, and rows without a value left.
TEST(BoostingSweep, BreaksTiesByThresholdThenMissingLeft) {
    Column column;
    column.slots = {0, 0, 0, 0};
    column.codes = {0, 1, 2, 3};
    column.gradients = {-10, 0, 0, 10};
    column.hessians = {1, 1, 1, 1};
    column.missing.resize(k_slots);
    column.nodes.resize(k_slots);
    column.nodes[0].sums = {0, 4, 4};
    BoostingOptions options;
    options.min_child_weight = 0;
    const auto rules = make_boosting_rules(options, {true, 1, 1}, {});
    EXPECT_EQ(sweep(rules, column, {0, 4})[0].code, 0U) << "1 | 3 scores as 3 | 1";
    EXPECT_EQ(sweep(rules, column, {0, 1, 2, 3, 4})[0].code, 0U);
    column.missing[0] = {0, 4, 1};
    column.gradients = {-10, 10, 0, 0};
    column.slots = {0, 0, k_closed_slot, k_closed_slot};
    column.hessians = {2, 2, 1, 1};
    column.nodes[0].sums = {0, 8, 3};
    const auto found = sweep(rules, column, {0, 4})[0];
    EXPECT_EQ(found.missing_right, 0) << "left and right are alike";
    EXPECT_EQ(found.left, (GradientSums{-10, 6, 2}));
    EXPECT_EQ(found.missing_seen, 1);
}

}  // namespace
}  // namespace regrove::train
