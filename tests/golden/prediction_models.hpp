// The model, table and expected predictions that the tests of predict and evaluate share.
#pragma once

#include <limits>
#include <string>

#include "regrove/formats/registry.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::test {

/// A tree that meets every rule of routing:
///   node 0  color in {red}             seen blue, red; heavier side left
///   node 1    weight > 2               missing seen, goes right; training range 0 .. 10
///   node 2      leaf 0: no 3, yes 1
///   node 3      leaf 1: no 1, yes 1
///   node 4    size > 0.1 (float32)     no missing seen, heavier side right; training range -1 .. 1
///   node 5      leaf 2: no 0, yes 2
///   node 6      leaf 3: no 2, yes 0.5
inline model::Ensemble colors_model() {
    using model::Side;
    const auto leaf = [](double no, double yes) {
        model::Node node;
        node.value = {no, yes};
        return node;
    };
    const auto inner = [](model::Question question, std::uint32_t left, std::uint32_t right) {
        model::Node node;
        node.question = std::move(question);
        node.left = NodeId{left};
        node.right = NodeId{right};
        node.value = {6, 4.5};
        return node;
    };
    model::Question color;
    color.kind = model::QuestionKind::category;
    color.feature = FeatureId{0};
    model::insert(color.right_categories, 1);
    color.seen_categories = {0b11};
    model::Question weight;
    weight.kind = model::QuestionKind::threshold;
    weight.feature = FeatureId{1};
    weight.threshold = 2;
    weight.missing_seen = true;
    weight.missing_side = Side::right;
    weight.training_high = 10;
    model::Question size;
    size.kind = model::QuestionKind::threshold;
    size.feature = FeatureId{2};
    size.threshold = static_cast<double>(0.1F);
    size.missing_side = size.heavier_side = Side::right;
    size.training_low = -1;
    size.training_high = 1;

    model::Tree tree{{inner(color, 1, 4), inner(weight, 2, 3), leaf(3, 1), leaf(1, 1), inner(size, 5, 6), leaf(0, 2),
                      leaf(2, 0.5)}};
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "sick", {"no", "yes"})
        .features(
            {{"color", model::FeatureKind::category, model::NumericPrecision::float64, {"blue", "red", "green"}},
             {"weight", model::FeatureKind::numeric, model::NumericPrecision::float64, {}},
             {"size", model::FeatureKind::numeric, model::NumericPrecision::float32, {}}})
        .add_tree(std::move(tree));
    return std::move(builder).build();
}

/// One row for each rule; a column that the model does not know stands in front, and the features in another order.
inline std::string colors_csv() {
    return "extra,size,color,weight,sick\n"
           "1,0.5,blue,2,no\n"                    // at the threshold: left
           "2,0.5,blue,2.0000000000000004,yes\n"  // one step above: right
           "3,0.5,blue,,yes\n"                    // missing, seen in training: right
           "4,0.5,blue,11,no\n"                   // outside the range: right
           "5,0.100000001,red,1,yes\n"            // rounds to the float32 threshold: left
           "6,0.10000001,red,1,no\n"              // the next float32: right
           "7,,red,1,no\n"                        // missing, not seen in training: heavier side, right
           "8,0.5,green,1,no\n"                   // in the dictionary, not seen at the node: heavier side, left
           "9,0.5,violet,-1,no\n"                 // not in the dictionary: heavier side, left; outside the range
           "10,-0,red,1,yes\n";
}

inline std::string colors_leaves() {
    return "leaf,node,unseen_category,unseen_missing,outside_range\n"
           "0,2,0,0,0\n"
           "1,3,0,0,0\n"
           "1,3,0,0,0\n"
           "1,3,0,0,1\n"
           "2,5,0,0,0\n"
           "3,6,0,0,0\n"
           "3,6,0,1,0\n"
           "0,2,1,0,0\n"
           "0,2,1,0,1\n"
           "2,5,0,0,0\n";
}

}  // namespace regrove::test
