// The one validating way to make an Ensemble: growers and file readers alike push through it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::model {

/// Collects an ensemble and checks every rule of the model: pre-order children, features in range, category sets
/// within dictionaries, finite values of the right length, classes for classification. Throws FormatError naming tree
/// and node.
class EnsembleBuilder {
  public:
    EnsembleBuilder& task(Task task, std::string label_name, std::vector<std::string> classes);
    EnsembleBuilder& features(std::vector<Feature> features);
    EnsembleBuilder& features_by_position(bool by_position);
    EnsembleBuilder& provenance(std::string key, std::string value);
    EnsembleBuilder& add_tree(Tree tree);
    EnsembleBuilder& combination(Combination combination);
    /// One a tree, or none.
    EnsembleBuilder& tree_weights(std::vector<double> weights);
    /// For Combination::sum, which this sets: the link, a score to begin with for each raw score, and the score of each tree
    /// (or none, see Ensemble::tree_outputs).
    EnsembleBuilder& sum(Link link, std::vector<double> initial_scores, std::vector<std::uint32_t> tree_outputs = {});
    Ensemble build() &&;

  private:
    Ensemble ensemble_;
};

/// The checks alone.
void validate(const Ensemble& ensemble);

}  // namespace regrove::model
