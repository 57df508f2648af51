#include "purity.hpp"

namespace regrove::bornagain {

namespace {

/// Boxes between two questions to the budget's callback.
constexpr std::uint64_t k_ask_every = 256;

}  // namespace

PurityResult PurityProver::prove(const cellspace::Box& box, const PurityBudget& budget) {
    PurityResult result;
    result.class_index = ensemble_.class_at(box.low);
    budget_ = &budget;
    last_box_ = boxes_ + budget.boxes;
    state_.begin(box, result.class_index);
    result.purity = search();
    if (result.purity == Purity::impure) result.other_cell = other_cell_;
    return result;
}

bool PurityProver::is_spent() {
    if (budget_->boxes != 0 && boxes_ >= last_box_) return true;
    ++boxes_;
    return budget_->ends && boxes_ % k_ask_every == 0 && budget_->ends();
}

Purity PurityProver::search() {
    if (is_spent()) return Purity::undecided;
    if (state_.is_settled()) {
        if (state_.class_here() == state_.own_class()) return Purity::pure;
        other_cell_ = state_.box().low;
        return Purity::impure;
    }
    std::uint32_t closest = state_.own_class();
    double most = 0;
    for (std::uint32_t k = 0; k < ensemble_.classes(); ++k) {
        if (k == state_.own_class() || state_.excludes(k)) continue;
        if (state_.loses_to(k)) {
            other_cell_ = state_.box().low;
            return Purity::impure;
        }
        const double own_most = state_.most(k);
        if (closest != state_.own_class() && own_most <= most) continue;
        closest = k;
        most = own_most;
    }
    return closest == state_.own_class() ? Purity::pure : search_sides(closest);
}

/// The side that can be further from pure first.
Purity PurityProver::search_sides(std::uint32_t other) {
    const CellCut cut = state_.widest_cut(other);
    state_.enter(cut, true);
    const double right_most = state_.most(other);
    state_.leave();
    state_.enter(cut, false);
    const bool right_first = right_most > state_.most(other);
    if (right_first) {
        state_.leave();
        state_.enter(cut, true);
    }
    Purity first = search();
    state_.leave();
    if (first != Purity::pure) return first;
    state_.enter(cut, !right_first);
    first = search();
    state_.leave();
    return first;
}

}  // namespace regrove::bornagain
