// A forest against the class of the box's low corner.
#include "regrove/prove/constant_class.hpp"

#include "box_search.hpp"

namespace regrove::prove {

struct ConstantClassProver::Parts {
    explicit Parts(const cellspace::CompiledEnsemble& ensemble) : forest(ensemble), state(forest) {}
    SearchForest forest;
    ReachState state;
    Place place;
};

ConstantClassProver::ConstantClassProver(const cellspace::CompiledEnsemble& ensemble)
    : parts_(std::make_unique<Parts>(ensemble)) {}
ConstantClassProver::~ConstantClassProver() = default;
ConstantClassProver::ConstantClassProver(ConstantClassProver&&) noexcept = default;
ConstantClassProver& ConstantClassProver::operator=(ConstantClassProver&&) noexcept = default;

ConstantClass ConstantClassProver::prove(const cellspace::Box& box, const ProofLimits& limits) {
    Budget budget(limits, most_boxes(limits));
    parts_->place.box = box;
    ConstantClass result;
    result.class_index = parts_->state.class_at(box.low);
    parts_->state.start(box);
    parts_->state.bound(0, box, result.class_index);
    const Outcome outcome = ClassSearch(parts_->state, parts_->place, budget).run(0);
    result.boxes = budget.boxes();
    if (outcome == Outcome::proven) result.verdict = Verdict::yes;
    if (outcome == Outcome::found) {
        result.verdict = Verdict::no;
        result.other = parts_->place.found;
    }
    return result;
}

ConstantClass constant_class(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                             const ProofLimits& limits) {
    return ConstantClassProver(ensemble).prove(box, limits);
}

}  // namespace regrove::prove
