#include "purity_reach.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace regrove::bornagain {

namespace {

using cellspace::CompiledTree;
using cellspace::Step;

constexpr double k_rounding = 0x1.0p-53;
/// Integers whose sums stay below have quotients that differ where they do.
constexpr double k_exact_sums = 0x1.0p50;

}  // namespace

ReachState::ReachState(const cellspace::CompiledEnsemble& ensemble)
    : ensemble_(ensemble),
      classes_(ensemble.classes()),
      trees_(static_cast<std::uint32_t>(ensemble.trees().size())),
      tables_(trees_),
      states_(trees_),
      ranges_(std::size_t{trees_} * classes_),
      sums_(classes_) {
    double largest_sum = 0;
    std::size_t most_steps = 0;
    for (std::uint32_t t = 0; t < trees_; ++t) {
        const CompiledTree& tree = ensemble.trees()[t];
        std::map<std::vector<double>, std::uint32_t> numbers;
        double largest = 0;
        tables_[t].answer_of.resize(tree.steps.size());
        most_steps = std::max(most_steps, tree.steps.size());
        for (std::size_t i = 0; i < tree.steps.size(); ++i) {
            const Step& step = tree.steps[i];
            if (!step.is_leaf()) {
                if (asking_.size() <= step.axis) asking_.resize(step.axis + std::size_t{1});
                if (asking_[step.axis].empty() || asking_[step.axis].back() != t) asking_[step.axis].push_back(t);
                continue;
            }
            const auto scores = ensemble.rule().scores(t, NodeId{step.leaf});
            const auto [place, is_new] = numbers.try_emplace(std::vector<double>(scores.begin(), scores.end()),
                                                             static_cast<std::uint32_t>(numbers.size()));
            tables_[t].answer_of[i] = place->second;
            if (!is_new) continue;
            tables_[t].scores.insert(tables_[t].scores.end(), scores.begin(), scores.end());
            for (const double score : scores) {
                largest = std::max(largest, std::abs(score));
                is_exact_ = is_exact_ && score == std::floor(score);
            }
        }
        largest_sum += largest;
    }
    is_exact_ = is_exact_ && largest_sum < k_exact_sums;
    // Each sum is off by at most trees * k_rounding * largest_sum, in prediction and here, and so is the quotient.
    if (!is_exact_) margin_ = 8 * (trees_ + 4.0) * k_rounding * largest_sum;
    seen_.resize(most_steps, 0);
}

void ReachState::begin(const cellspace::Box& box, std::uint32_t own_class) {
    box_ = box;
    own_class_ = own_class;
    open_trees_ = 0;
    trail_.clear();
    trail_ranges_.clear();
    entered_.clear();
    if (asking_.size() < box.low.size()) asking_.resize(box.low.size());
    for (std::uint32_t t = 0; t < trees_; ++t) {
        states_[t] = {};
        look_at(t);
    }
}

void ReachState::enter(const CellCut& cut, bool right) {
    std::uint32_t& border = right ? box_.low[cut.axis] : box_.high[cut.axis];
    entered_.push_back({cut, right, border, trail_.size()});
    border = right ? cut.cell + 1 : cut.cell;
    for (const std::uint32_t t : asking_[cut.axis]) {
        if (!states_[t].is_open) continue;
        trail_.push_back({t, states_[t]});
        for (std::uint32_t k = 0; k < classes_; ++k) trail_ranges_.push_back(range(t, k));
        --open_trees_;
        look_at(t);
    }
}

void ReachState::leave() {
    const Entered last = entered_.back();
    entered_.pop_back();
    (last.right ? box_.low : box_.high)[last.cut.axis] = last.border;
    while (trail_.size() > last.saved) {
        const Saved& saved = trail_.back();
        if (!states_[saved.tree].is_open) ++open_trees_;
        states_[saved.tree] = saved.state;
        std::copy(trail_ranges_.end() - classes_, trail_ranges_.end(), &range(saved.tree, 0));
        trail_ranges_.resize(trail_ranges_.size() - classes_);
        trail_.pop_back();
    }
}

/// Calls visit(step number) for every step that is reachable from `top`.
template <class Visit>
void ReachState::walk(std::uint32_t tree, std::uint32_t top, const Visit& visit) {
    const CompiledTree& compiled = ensemble_.trees()[tree];
    if (++walks_ == 0) {
        std::fill(seen_.begin(), seen_.end(), 0);
        walks_ = 1;
    }
    to_do_.assign(1, top);
    while (!to_do_.empty()) {
        const std::uint32_t number = to_do_.back();
        to_do_.pop_back();
        if (seen_[number] == walks_) continue;
        seen_[number] = walks_;
        visit(number);
        const Step& step = compiled.steps[number];
        if (step.is_leaf()) continue;
        if (goes_right(compiled, step)) to_do_.push_back(step.right);
        if (goes_left(compiled, step)) to_do_.push_back(step.left);
    }
}

/// Renews what is known of a tree for the box, from the top that was known before.
void ReachState::look_at(std::uint32_t tree) {
    const CompiledTree& compiled = ensemble_.trees()[tree];
    TreeState& state = states_[tree];
    for (;;) {
        const Step& step = compiled.steps[state.top];
        if (step.is_leaf()) break;
        if (!goes_left(compiled, step))
            state.top = step.right;
        else if (!goes_right(compiled, step))
            state.top = step.left;
        else
            break;
    }
    bool is_first = true;
    state.is_open = false;
    walk(tree, state.top, [&](std::uint32_t number) {
        if (!compiled.steps[number].is_leaf()) return;
        const std::uint32_t answer = tables_[tree].answer_of[number];
        if (!is_first && answer == state.answer) return;
        widen(tree, answer, is_first);
        state.is_open = !is_first;
        if (is_first) state.answer = answer;
        is_first = false;
    });
    if (state.is_open) ++open_trees_;
}

void ReachState::widen(std::uint32_t tree, std::uint32_t answer, bool is_first) {
    const double* const scores = tables_[tree].scores.data() + std::size_t{answer} * classes_;
    for (std::uint32_t k = 0; k < classes_; ++k) {
        const double difference = scores[k] - scores[own_class_];
        Range& own = range(tree, k);
        if (is_first) {
            own = {difference, difference, scores[k], scores[k]};
        } else {
            own.least_difference = std::min(own.least_difference, difference);
            own.most_difference = std::max(own.most_difference, difference);
            own.least_score = std::min(own.least_score, scores[k]);
            own.most_score = std::max(own.most_score, scores[k]);
        }
    }
}

double ReachState::most(std::uint32_t other) const {
    double sum = 0;
    for (std::uint32_t t = 0; t < trees_; ++t) sum += range(t, other).most_difference;
    return sum;
}

double ReachState::least(std::uint32_t other) const {
    double sum = 0;
    for (std::uint32_t t = 0; t < trees_; ++t) sum += range(t, other).least_difference;
    return sum;
}

bool ReachState::excludes(std::uint32_t other) const {
    const double sum = most(other);
    if (is_exact_) return sum < 0 || (sum == 0 && own_class_ < other);
    if (sum < -margin_) return true;
    return sum <= margin_ && rounds_below(other);
}

bool ReachState::loses_to(std::uint32_t other) const {
    const double sum = least(other);
    return is_exact_ ? sum > 0 || (sum == 0 && other < own_class_) : sum > margin_;
}

/// Rounded addition is monotone: the sums that prediction makes lie between those of the least and the most scores,
/// added in its own order and divided as it does.
bool ReachState::rounds_below(std::uint32_t other) const {
    double most_other = 0;
    double least_own = 0;
    for (std::uint32_t t = 0; t < trees_; ++t) {
        most_other += range(t, other).most_score;
        least_own += range(t, own_class_).least_score;
    }
    const double divisor = ensemble_.rule().divisor();
    const double a = most_other / divisor;
    const double b = least_own / divisor;
    return a < b || (a == b && own_class_ < other);
}

std::uint32_t ReachState::class_here() const {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::uint32_t t = 0; t < trees_; ++t)
        for (std::uint32_t k = 0; k < classes_; ++k)
            sums_[k] += tables_[t].scores[std::size_t{states_[t].answer} * classes_ + k];
    return ensemble_.rule().class_of_sums(sums_);
}

CellCut ReachState::widest_cut(std::uint32_t other) const {
    std::uint32_t widest = trees_;
    double most_spread = -1;
    for (std::uint32_t t = 0; t < trees_; ++t) {
        if (!states_[t].is_open) continue;
        const double spread = range(t, other).most_difference - range(t, other).least_difference;
        if (spread <= most_spread) continue;
        most_spread = spread;
        widest = t;
    }
    const CompiledTree& tree = ensemble_.trees()[widest];
    const Step& step = tree.steps[states_[widest].top];
    if (step.mask == 0) return {step.axis, step.first_right - 1};
    std::uint32_t cell = box_.low[step.axis];
    while (tree.goes_right(step, cell) == tree.goes_right(step, cell + 1)) ++cell;
    return {step.axis, cell};
}

void ReachState::mark_open_cuts(std::vector<std::vector<std::uint8_t>>& marks) {
    for (std::uint32_t t = 0; t < trees_; ++t) {
        if (!states_[t].is_open) continue;
        const CompiledTree& tree = ensemble_.trees()[t];
        walk(t, states_[t].top, [&](std::uint32_t number) {
            const Step& step = tree.steps[number];
            if (step.is_leaf()) return;
            const std::uint32_t low = box_.low[step.axis];
            const std::uint32_t high = box_.high[step.axis];
            if (step.mask == 0) {
                if (step.first_right > low && step.first_right <= high) marks[step.axis][step.first_right - 1] = 1;
                return;
            }
            for (std::uint32_t c = low; c < high; ++c)
                if (tree.goes_right(step, c) != tree.goes_right(step, c + 1)) marks[step.axis][c] = 1;
        });
    }
}

}  // namespace regrove::bornagain
