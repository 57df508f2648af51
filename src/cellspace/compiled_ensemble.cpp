#include "regrove/cellspace/compiled_ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "regrove/core/error.hpp"

#include "axis_builder.hpp"

namespace regrove::cellspace {

namespace {

using model::Question;
using model::QuestionKind;
using model::Side;
using model::Surrogate;

/// What a question says at every cell of an axis: the bits of those that go right.
using CellBits = std::vector<bool>;

/// One model's view of one axis.
struct AxisView {
    const Axis* axis = nullptr;
    std::uint32_t number = 0;
    model::NumericPrecision precision = model::NumericPrecision::float64;
    /// Category: the model's code of one category of each cell.
    std::vector<std::uint32_t> code_of_cell;
};

AxisView view(const Space& space, std::uint32_t number, const model::Feature& feature) {
    AxisView view{&space.axes[number], number, feature.precision, {}};
    if (feature.kind == model::FeatureKind::numeric) return view;
    const std::vector<std::uint32_t> codes = codes_of(*view.axis, feature);
    view.code_of_cell.resize(view.axis->value_cells);
    for (std::size_t i = codes.size(); i-- > 0;) view.code_of_cell[view.axis->cell_of_category[i]] = codes[i];
    return view;
}

/// The first cell above a threshold.
std::uint32_t first_above(const AxisView& view, double threshold) {
    if (threshold == HUGE_VAL) return view.axis->value_cells;
    const bool narrow = view.precision == model::NumericPrecision::float32;
    const double border = narrow ? float32_border(threshold) : threshold;
    const auto found = std::ranges::lower_bound(view.axis->thresholds, border);
    if (found == view.axis->thresholds.end() || *found != border)
        throw InternalError("a threshold of feature '" + view.axis->name + "' is no border of the space");
    return static_cast<std::uint32_t>(found - view.axis->thresholds.begin()) + 1;
}

CellBits right_cells(const AxisView& view, const Question& question) {
    const Axis& axis = *view.axis;
    CellBits right(axis.cells(), false);
    if (question.kind == QuestionKind::threshold) {
        for (std::uint32_t c = first_above(view, question.threshold); c < axis.value_cells; ++c) right[c] = true;
    } else {
        for (std::uint32_t c = 0; c < axis.value_cells; ++c) {
            const bool seen = model::contains(question.seen_categories, view.code_of_cell[c]);
            right[c] = seen ? model::contains(question.right_categories, view.code_of_cell[c])
                            : question.heavier_side == Side::right;
        }
    }
    if (axis.has_unknown) right[axis.unknown_cell()] = question.heavier_side == Side::right;
    if (axis.has_missing) right[axis.missing_cell()] = question.missing_side == Side::right;
    return right;
}

CellBits right_cells(const AxisView& view, const Surrogate& surrogate) {
    const Axis& axis = *view.axis;
    CellBits right(axis.cells(), false);
    const std::uint32_t above =
        surrogate.kind == QuestionKind::threshold ? first_above(view, surrogate.threshold) : 0;
    for (std::uint32_t c = 0; c < axis.value_cells; ++c) {
        const bool says_right = surrogate.kind == QuestionKind::threshold
                                    ? c >= above
                                    : model::contains(surrogate.right_categories, view.code_of_cell[c]);
        right[c] = says_right != surrogate.reversed;
    }
    return right;
}

/// Cells at which a surrogate has no answer.
CellBits unanswered_cells(const AxisView& view, const Surrogate& surrogate) {
    const Axis& axis = *view.axis;
    CellBits unanswered(axis.cells(), false);
    if (surrogate.kind == QuestionKind::category)
        for (std::uint32_t c = 0; c < axis.value_cells; ++c)
            unanswered[c] = !model::contains(surrogate.seen_categories, view.code_of_cell[c]);
    if (axis.has_unknown) unanswered[axis.unknown_cell()] = true;
    if (axis.has_missing) unanswered[axis.missing_cell()] = true;
    return unanswered;
}

/// Writes one tree's steps. A model node becomes a run of steps, its question last but for surrogates; runs follow each
/// other in node order, so that edges lead to higher numbers.
class TreeCompiler {
  public:
    TreeCompiler(const model::Tree& tree, const std::vector<AxisView>& views) : tree_(tree), views_(views) {
        compiled_.masks.push_back(0);
    }

    CompiledTree compile() {
        first_step_.resize(tree_.nodes.size());
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
            first_step_[i] = next;
            next += steps_of(tree_.nodes[i]);
        }
        compiled_.steps.reserve(next);
        for (std::size_t i = 0; i < tree_.nodes.size(); ++i) write(static_cast<std::uint32_t>(i));
        return std::move(compiled_);
    }

  private:
    const AxisView& view_of(FeatureId feature) const { return views_[index(feature)]; }

    bool asks_surrogates(const Question& question) const {
        return view_of(question.feature).axis->has_missing && !question.surrogates.empty();
    }

    std::uint32_t steps_of(const model::Node& node) const {
        if (node.is_leaf() || !asks_surrogates(node.question)) return 1;
        return 2 + 2 * static_cast<std::uint32_t>(node.question.surrogates.size());
    }

    void write(std::uint32_t number) {
        const model::Node& node = tree_.nodes[number];
        if (node.is_leaf()) {
            Step leaf;
            leaf.leaf = number;
            compiled_.steps.push_back(leaf);
            return;
        }
        const std::uint32_t left = first_step_[index(node.left)];
        const std::uint32_t right = first_step_[index(node.right)];
        const Question& question = node.question;
        const AxisView& own = view_of(question.feature);
        if (!asks_surrogates(question)) return push(own, right_cells(own, question), left, right);
        CellBits missing(own.axis->cells(), false);
        missing[own.axis->missing_cell()] = true;
        const std::uint32_t first = first_step_[number];
        push(own, missing, first + 1, first + 2);
        push(own, right_cells(own, question), left, right);
        const std::uint32_t no_answer = question.missing_side == Side::left ? left : right;
        const std::size_t surrogates = question.surrogates.size();
        for (std::size_t i = 0; i < surrogates; ++i) {
            const std::uint32_t ask = first + 2 + 2 * static_cast<std::uint32_t>(i);
            const AxisView& other = view_of(question.surrogates[i].feature);
            push(other, unanswered_cells(other, question.surrogates[i]), ask + 1,
                 i + 1 < surrogates ? ask + 2 : no_answer);
            push(other, right_cells(other, question.surrogates[i]), left, right);
        }
    }

    void push(const AxisView& view, const CellBits& right_bits, std::uint32_t left, std::uint32_t right) {
        Step step;
        step.axis = view.number;
        step.left = left;
        step.right = right;
        const auto first = std::find(right_bits.begin(), right_bits.end(), true);
        step.first_right = static_cast<std::uint32_t>(first - right_bits.begin());
        if (std::find(first, right_bits.end(), false) != right_bits.end()) {
            step.mask = static_cast<std::uint32_t>(compiled_.masks.size());
            compiled_.masks.resize(compiled_.masks.size() + (right_bits.size() + 63) / 64, 0);
            for (std::size_t c = 0; c < right_bits.size(); ++c)
                if (right_bits[c]) compiled_.masks[step.mask + c / 64] |= std::uint64_t{1} << (c % 64);
        }
        compiled_.steps.push_back(step);
    }

    const model::Tree& tree_;
    const std::vector<AxisView>& views_;
    std::vector<std::uint32_t> first_step_;
    CompiledTree compiled_;
};

const model::Ensemble& require_classes(const model::Ensemble& ensemble) {
    if (ensemble.task != model::Task::classification)
        throw InputError("the model predicts numbers; this needs a model that decides classes");
    return ensemble;
}

std::vector<AxisView> views_of(const model::Ensemble& ensemble, const Space& space) {
    std::map<std::string, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < space.axes.size(); ++i) numbers.emplace(space.axes[i].name, i);
    std::vector<AxisView> views;
    for (const model::Feature& feature : ensemble.features) {
        const auto found = numbers.find(feature.name);
        views.push_back(found == numbers.end() ? AxisView{} : view(space, found->second, feature));
    }
    return views;
}

}  // namespace

bool CompiledTree::some_left(const Step& step, std::uint32_t low, std::uint32_t high) const {
    if (step.mask == 0) return low < step.first_right;
    for (std::uint32_t c = low; c <= high; ++c)
        if (!goes_right(step, c)) return true;
    return false;
}

bool CompiledTree::some_right(const Step& step, std::uint32_t low, std::uint32_t high) const {
    if (step.mask == 0) return high >= step.first_right;
    for (std::uint32_t c = low; c <= high; ++c)
        if (goes_right(step, c)) return true;
    return false;
}

CompiledEnsemble::CompiledEnsemble(const model::Ensemble& ensemble, const Space& space)
    : rule_(require_classes(ensemble)) {
    const std::vector<AxisView> views = views_of(ensemble, space);
    for (const model::Tree& tree : ensemble.trees) trees_.push_back(TreeCompiler(tree, views).compile());
}

NodeId CompiledEnsemble::leaf_at(std::size_t tree, std::span<const std::uint32_t> cell) const {
    const CompiledTree& compiled = trees_[tree];
    const Step* step = compiled.steps.data();
    while (!step->is_leaf())
        step = compiled.steps.data() + (compiled.goes_right(*step, cell[step->axis]) ? step->right : step->left);
    return NodeId{step->leaf};
}

std::uint32_t CompiledEnsemble::class_at(std::span<const std::uint32_t> cell) const {
    std::vector<double> sums(classes(), 0.0);
    for (std::size_t t = 0; t < trees_.size(); ++t) {
        const auto added = rule_.scores(t, leaf_at(t, cell));
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = t == 0 ? added[k] : sums[k] + added[k];
    }
    return rule_.class_of_sums(sums);
}

}  // namespace regrove::cellspace
