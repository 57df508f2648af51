// Collecting an ensemble piece by piece; the checks are in validate.cpp.
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::model {

namespace {

/// One representation for each set, so that equal trees compare and print alike.
void drop_trailing_zeros(std::vector<std::uint64_t>& bits) {
    while (!bits.empty() && bits.back() == 0) bits.pop_back();
}

}  // namespace

EnsembleBuilder& EnsembleBuilder::task(Task task, std::string label_name, std::vector<std::string> classes) {
    ensemble_.task = task;
    ensemble_.label_name = std::move(label_name);
    ensemble_.classes = std::move(classes);
    return *this;
}

EnsembleBuilder& EnsembleBuilder::features(std::vector<Feature> features) {
    ensemble_.features = std::move(features);
    return *this;
}

EnsembleBuilder& EnsembleBuilder::features_by_position(bool by_position) {
    ensemble_.features_by_position = by_position;
    return *this;
}

EnsembleBuilder& EnsembleBuilder::combination(Combination combination) {
    ensemble_.combination = combination;
    return *this;
}

EnsembleBuilder& EnsembleBuilder::tree_weights(std::vector<double> weights) {
    ensemble_.tree_weights = std::move(weights);
    return *this;
}

EnsembleBuilder& EnsembleBuilder::sum(Link link, std::vector<double> initial_scores,
                                      std::vector<std::uint32_t> tree_outputs) {
    ensemble_.combination = Combination::sum;
    ensemble_.link = link;
    ensemble_.initial_scores = std::move(initial_scores);
    ensemble_.tree_outputs = std::move(tree_outputs);
    return *this;
}

EnsembleBuilder& EnsembleBuilder::provenance(std::string key, std::string value) {
    ensemble_.provenance.insert_or_assign(std::move(key), std::move(value));
    return *this;
}

EnsembleBuilder& EnsembleBuilder::add_tree(Tree tree) {
    for (Node& node : tree.nodes) {
        drop_trailing_zeros(node.question.right_categories);
        drop_trailing_zeros(node.question.seen_categories);
        for (Surrogate& surrogate : node.question.surrogates) {
            drop_trailing_zeros(surrogate.right_categories);
            drop_trailing_zeros(surrogate.seen_categories);
        }
    }
    ensemble_.trees.push_back(std::move(tree));
    return *this;
}

Ensemble EnsembleBuilder::build() && {
    validate(ensemble_);
    return std::move(ensemble_);
}

}  // namespace regrove::model
