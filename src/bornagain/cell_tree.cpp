#include "regrove/bornagain/cell_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "regrove/core/error.hpp"
#include "regrove/core/version.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::bornagain {

namespace {

using cellspace::Axis;
using model::FeatureKind;
using model::Question;
using model::Side;

/// The values of a feature that training saw at any question for it; nothing known gives 0 and 0.
struct TrainingRange {
    double low = 0;
    double high = 0;
    bool known = false;
};

std::vector<TrainingRange> training_ranges(const model::Ensemble& ensemble) {
    std::vector<TrainingRange> ranges(ensemble.features.size());
    for (const model::Tree& tree : ensemble.trees) {
        for (const model::Node& node : tree.nodes) {
            if (node.question.kind != model::QuestionKind::threshold) continue;
            TrainingRange& range = ranges[index(node.question.feature)];
            const double low = node.question.training_low;
            const double high = node.question.training_high;
            range = {range.known ? std::min(range.low, low) : low, range.known ? std::max(range.high, high) : high,
                     true};
        }
    }
    return ranges;
}

/// Words questions about the cells of a space as questions about an ensemble's features.
class QuestionWriter {
  public:
    QuestionWriter(const cellspace::Space& space, const model::Ensemble& ensemble)
        : space_(space), ensemble_(ensemble), ranges_(training_ranges(ensemble)) {
        for (std::size_t f = 0; f < ensemble.features.size(); ++f)
            features_.emplace(ensemble.features[f].name, static_cast<std::uint32_t>(f));
    }

    Question write(std::uint32_t axis_number, std::uint32_t cut) const {
        if (axis_number >= space_.axes.size() || cut + 1 >= space_.axes[axis_number].cells())
            throw InternalError("a born-again tree asks for a border that its space does not have");
        const Axis& axis = space_.axes[axis_number];
        const auto found = features_.find(axis.name);
        if (found == features_.end())
            throw InternalError("a born-again tree asks for '" + axis.name +
                                "', which is no feature of its ensemble");
        Question question;
        question.feature = FeatureId{found->second};
        // The missing cell is the last one, so it lies beyond every cut; a value outside of the space goes along.
        question.missing_seen = axis.has_missing;
        question.missing_side = Side::right;
        question.heavier_side = Side::right;
        if (axis.kind == FeatureKind::numeric)
            ask_threshold(question, axis, cut);
        else
            ask_categories(question, axis, cut);
        return question;
    }

  private:
    void ask_threshold(Question& question, const Axis& axis, std::uint32_t cut) const {
        question.kind = model::QuestionKind::threshold;
        question.threshold = cut + 1 < axis.value_cells ? axis.written_thresholds[cut] : HUGE_VAL;
        question.training_low = ranges_[index(question.feature)].low;
        question.training_high = ranges_[index(question.feature)].high;
    }

    /// Every category of the dictionary is known here, so only one in no dictionary takes the heavier side.
    void ask_categories(Question& question, const Axis& axis, std::uint32_t cut) const {
        question.kind = model::QuestionKind::category;
        const std::vector<std::string>& names = ensemble_.features[index(question.feature)].categories;
        for (std::uint32_t code = 0; code < names.size(); ++code) {
            model::insert(question.seen_categories, code);
            const auto place = std::ranges::find(axis.categories, names[code]);
            if (place == axis.categories.end())
                throw InternalError("category '" + names[code] + "' of '" + axis.name + "' has no cell in the space");
            if (axis.cell_of_category[static_cast<std::size_t>(place - axis.categories.begin())] > cut)
                model::insert(question.right_categories, code);
        }
        if (!axis.has_unknown) return;
        question.heavier_side = axis.unknown_cell() > cut ? Side::right : Side::left;
        if (!axis.has_missing) question.missing_side = question.heavier_side;
    }

    const cellspace::Space& space_;
    const model::Ensemble& ensemble_;
    std::vector<TrainingRange> ranges_;
    std::map<std::string, std::uint32_t> features_;
};

/// An inner node holds the sums of its leaves: how many of each class lie below it.
void add_up(model::Tree& tree) {
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        model::Node& node = tree.nodes[i];
        if (node.is_leaf()) continue;
        for (const NodeId child : {node.left, node.right}) {
            node.weight += tree.node(child).weight;
            for (std::size_t k = 0; k < node.value.size(); ++k) node.value[k] += tree.node(child).value[k];
        }
    }
}

model::Tree write_tree(const CellTree& tree, const QuestionWriter& writer, std::size_t classes) {
    model::Tree written;
    written.nodes.resize(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const CellNode& from = tree.nodes[i];
        model::Node& to = written.nodes[i];
        to.value.assign(classes, 0);
        if (from.is_leaf()) {
            to.value.at(from.class_index) = 1;
            to.weight = 1;
            continue;
        }
        to.question = writer.write(from.axis, from.cut);
        to.left = NodeId{static_cast<std::uint32_t>(i + 1)};
        to.right = NodeId{from.right};
    }
    add_up(written);
    return written;
}

}  // namespace

std::uint32_t CellTree::leaves() const {
    return static_cast<std::uint32_t>(std::ranges::count_if(nodes, &CellNode::is_leaf));
}

/// Children come after their parent, so one pass is enough.
std::uint32_t CellTree::depth() const {
    std::vector<std::uint32_t> depth_of(nodes.size(), 0);
    std::uint32_t deepest = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        deepest = std::max(deepest, depth_of[i]);
        if (nodes[i].is_leaf()) continue;
        depth_of[i + 1] = depth_of[i] + 1;
        depth_of[nodes[i].right] = depth_of[i] + 1;
    }
    return deepest;
}

std::uint32_t CellTree::class_at(std::span<const std::uint32_t> cell) const {
    std::uint32_t at = 0;
    while (!nodes[at].is_leaf()) at = cell[nodes[at].axis] > nodes[at].cut ? nodes[at].right : at + 1;
    return nodes[at].class_index;
}

model::Ensemble to_model(const CellTree& tree, const cellspace::Space& space, const model::Ensemble& ensemble) {
    const QuestionWriter writer(space, ensemble);
    model::EnsembleBuilder builder;
    builder.task(ensemble.task, ensemble.label_name, ensemble.classes).features(ensemble.features);
    builder.features_by_position(ensemble.features_by_position);
    builder.add_tree(write_tree(tree, writer, ensemble.classes.size()));
    builder.provenance("method", "reborn").provenance("results_version", std::to_string(k_results_version));
    return std::move(builder).build();
}

}  // namespace regrove::bornagain
