// Most divisions are told to be worse than the best by products alone; the others are judged as histograms judge them.
#include "regrove/train/boosting_sweep.hpp"

#include <algorithm>
#include <utility>

namespace regrove::train {

namespace {

/// The rounding errors of a score and of the products in its place are far below it.
constexpr double k_margin = 0x1p-40;

/// No product of the filter leaves the range of normal numbers: sums are below 2^63 units.
bool products_are_sound(double gradient_unit, double hessian_unit, double lambda) {
    const auto fits = [](double x) { return x > 1e-50 && x < 1e40; };
    return fits(gradient_unit) && fits(hessian_unit) && lambda < 1e40;
}

}  // namespace

bool precedes(const ThresholdCandidate& a, const ThresholdCandidate& b) {
    if (a.valid != b.valid) return a.valid != 0;
    if (a.score != b.score) return a.score > b.score;
    if (a.feature != b.feature) return a.feature < b.feature;
    return a.code < b.code;
}

BoostingSweep::BoostingSweep(const BoostingSweepInput& input)
    : input_(input),
      gradient_unit_(input.rules->score.gradient({1, 0, 0})),
      hessian_unit_(input.rules->score.hessian({0, 1, 0})),
      lambda_(input.rules->score.lambda()),
      states_(input.nodes.size()),
      best_(input.nodes.size()) {
    const bool sound = products_are_sound(gradient_unit_, hessian_unit_, lambda_);
    judges_.reserve(input.nodes.size());
    for (std::size_t slot = 0; slot < input.nodes.size(); ++slot) {
        judges_.emplace_back(*input.rules, input.nodes[slot], input.rules->direction(input.feature));
        State& state = states_[slot];
        if (!input.before.empty()) state.left = input.before[slot];
        best_[slot].feature = input.feature;
        best_[slot].missing_seen = !input.missing.empty() && input.missing[slot].hessian != 0 ? 1 : 0;
        state.filtered = sound && judges_[slot].plain() && best_[slot].missing_seen == 0;
        // A question that does not gain is not asked, whichever it is.
        if (state.filtered)
            state.least_score = input.rules->score.plain_score(input.nodes[slot].sums) * (1 - k_margin);
    }
}

/// GL^2 / (HL + lambda) + GR^2 / (HR + lambda) < least, without a division.
bool BoostingSweep::surely_worse(const State& state, const GradientSums& all) const {
    const double gl = static_cast<double>(state.left.gradient) * gradient_unit_;
    const double gr = static_cast<double>(all.gradient - state.left.gradient) * gradient_unit_;
    const double hl = static_cast<double>(state.left.hessian) * hessian_unit_ + lambda_;
    const double hr = static_cast<double>(all.hessian - state.left.hessian) * hessian_unit_ + lambda_;
    return gl * gl * hr + gr * gr * hl < state.least_score * (hl * hr);
}

void BoostingSweep::consume(const GradientBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
        const std::uint32_t slot = block.slots[i];
        if (slot == k_closed_slot) continue;
        State& state = states_[slot];
        const std::uint32_t code = block.codes[i];
        if (code != state.last_code && state.any) {
            if (!state.filtered || !surely_worse(state, input_.nodes[slot].sums)) {
                change_value(slot, {input_.rank, block.first_position + i});
            }
        }
        state.left.gradient += block.gradients[i];
        state.left.hessian += block.hessians[i];
        state.left.rows += 1;
        state.any = true;
        state.last_code = code;
        state.last_position = block.first_position + i;
    }
}

void BoostingSweep::change_value(std::uint32_t slot, const RunPlace& right) {
    const State& state = states_[slot];
    if (best_[slot].missing_seen != 0) {
        GradientSums with = state.left;
        with += input_.missing[slot];
        judge(slot, with, right, false);
    }
    judge(slot, state.left, right, true);
}

void BoostingSweep::judge(std::uint32_t slot, const GradientSums& left, const RunPlace& right, bool missing_right) {
    const DivisionJudge& judge = judges_[slot];
    const GradientSums other = input_.nodes[slot].sums - left;
    if (!judge.allowed(left, other)) return;
    const double score = judge.score(left, other);
    ThresholdCandidate& best = best_[slot];
    if (!(score > best.score)) return;
    State& state = states_[slot];
    best.score = score;
    best.left = left;
    best.code = input_.first_code + state.last_code;
    best.left_end = {input_.rank, state.last_position};
    best.right_begin = right;
    best.valid = 1;
    best.missing_right = missing_right ? 1 : 0;
    if (state.filtered) state.least_score = std::max(state.least_score, score * (1 - k_margin));
}

/// The division at the run's end, and "all values left".
std::vector<ThresholdCandidate> BoostingSweep::finish() {
    for (std::uint32_t slot = 0; slot < states_.size(); ++slot) {
        const State& state = states_[slot];
        if (!state.any) continue;
        const NextValue next = input_.next.empty() ? NextValue{} : input_.next[slot];
        if (next.place.holder < 0) {
            if (best_[slot].missing_seen != 0) judge(slot, state.left, {}, true);
        } else if (next.code != input_.first_code + state.last_code) {
            change_value(slot, next.place);
        }
    }
    return std::move(best_);
}

}  // namespace regrove::train
