// The rules that every ensemble keeps, each with the message that names tree and node.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::model {

namespace {

void require(bool condition, const std::string& message) {
    if (!condition) throw FormatError(message);
}

void require_distinct(const std::vector<std::string>& names, const std::string& what) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : names)
        if (!seen.insert(name).second) throw FormatError(what + " '" + name + "' appears twice");
}

void check_labels(const Ensemble& ensemble) {
    if (ensemble.task == Task::regression) {
        require(ensemble.classes.empty(), "a regression model has no classes, but this one names some");
        return;
    }
    require(!ensemble.classes.empty(), "a classification model needs the names of its classes");
    require_distinct(ensemble.classes, "class");
}

void check_features(const std::vector<Feature>& features) {
    std::vector<std::string> names;
    names.reserve(features.size());
    for (const Feature& feature : features) {
        require(!feature.name.empty(), "feature " + std::to_string(names.size()) + " has no name");
        names.push_back(feature.name);
        require(feature.kind == FeatureKind::category || feature.categories.empty(),
                "numeric feature '" + feature.name + "' has a dictionary of categories");
        require_distinct(feature.categories, "feature '" + feature.name + "': category");
    }
    require_distinct(names, "feature");
}

void check_tree_weights(const Ensemble& ensemble) {
    const std::vector<double>& weights = ensemble.tree_weights;
    if (weights.empty()) return;
    require(weights.size() == ensemble.trees.size(), "there are " + std::to_string(weights.size()) +
                                                         " tree weights for " +
                                                         std::to_string(ensemble.trees.size()) + " trees");
    for (std::size_t tree = 0; tree < weights.size(); ++tree)
        require(std::isfinite(weights[tree]) && weights[tree] > 0,
                "tree " + std::to_string(tree) + ": its weight must be finite and above zero");
    require(std::isfinite(ensemble.total_tree_weight()), "the sum of the tree weights must be finite");
}

void check_link(const Ensemble& ensemble) {
    const bool classifies = ensemble.task == Task::classification;
    const bool for_classes = ensemble.link == Link::softmax || ensemble.link == Link::shares ||
                             (ensemble.link == Link::logistic && classifies);
    const std::string link(link_name(ensemble.link));
    require(classifies == for_classes, "the link '" + link + "' is not for " +
                                           (classifies ? "classification; there are: logistic, softmax, shares"
                                                       : "regression; there are: identity, logistic, exponential"));
    if (classifies && ensemble.link == Link::logistic)
        require(ensemble.classes.size() == 2,
                "the logistic link is for two classes, not " + std::to_string(ensemble.classes.size()));
}

/// What only sums have.
void check_sum(const Ensemble& ensemble) {
    if (ensemble.combination != Combination::sum) {
        require(ensemble.link == Link::identity && ensemble.initial_scores.empty() && ensemble.tree_outputs.empty(),
                "link, initial scores and tree outputs are for models that sum their trees");
        return;
    }
    require(ensemble.tree_weights.empty(), "a model that sums its trees has no tree weights: they are in its leaves");
    check_link(ensemble);
    const std::uint32_t scores = ensemble.scores();
    require(ensemble.initial_scores.size() == scores, "there are " + std::to_string(ensemble.initial_scores.size()) +
                                                          " initial scores for " + std::to_string(scores) +
                                                          " raw scores");
    for (const double score : ensemble.initial_scores) require(std::isfinite(score), "initial scores must be finite");
    if (ensemble.tree_outputs.empty()) return;
    require(ensemble.tree_outputs.size() == ensemble.trees.size(),
            "there are " + std::to_string(ensemble.tree_outputs.size()) + " tree outputs for " +
                std::to_string(ensemble.trees.size()) + " trees");
    for (std::size_t tree = 0; tree < ensemble.trees.size(); ++tree)
        require(ensemble.tree_outputs[tree] < scores, "tree " + std::to_string(tree) + ": adds to score " +
                                                          std::to_string(ensemble.tree_outputs[tree]) +
                                                          ", but there are " + std::to_string(scores));
}

/// Checks one tree; errors carry the tree's and the node's number.
class TreeCheck {
  public:
    TreeCheck(const Ensemble& ensemble, std::size_t tree) : ensemble_(ensemble), tree_(tree) {}

    void run() {
        const auto& nodes = ensemble_.trees[tree_].nodes;
        if (nodes.empty()) throw FormatError("tree " + std::to_string(tree_) + ": has no nodes");
        if (nodes.size() >= index(k_no_node)) throw FormatError("tree " + std::to_string(tree_) + ": too many nodes");
        check_order(nodes);
        for (node_ = 0; node_ < nodes.size(); ++node_) check_node(nodes[node_]);
    }

  private:
    void require(bool condition, const char* message) const {
        if (!condition) fail(message);
    }
    [[noreturn]] void fail(const std::string& message) const {
        throw FormatError("tree " + std::to_string(tree_) + ", node " + std::to_string(node_) + ": " + message);
    }

    /// In pre-order a left child follows its parent, and a subtree's end is where the nearest open right child
    /// begins.
    void check_order(const std::vector<Node>& nodes) {
        std::vector<std::size_t> open_right;
        for (node_ = 0; node_ < nodes.size(); ++node_) {
            const Node& node = nodes[node_];
            if (!node.is_leaf()) {
                require(index(node.left) == node_ + 1, "the left child of an inner node must be the next node");
                open_right.push_back(index(node.right));
                continue;
            }
            require(node.left == k_no_node && node.right == k_no_node, "a leaf has no children");
            if (node_ + 1 == nodes.size()) break;
            require(!open_right.empty(), "nodes follow that no inner node leads to");
            require(open_right.back() == node_ + 1,
                    "the nodes are not in pre-order: a right child must follow the "
                    "last node of its left sibling's subtree");
            open_right.pop_back();
        }
        node_ = nodes.size() - 1;
        require(nodes.back().is_leaf() && open_right.empty(), "the tree ends before all its children are there");
    }

    void check_node(const Node& node) const {
        require(std::isfinite(node.weight) && node.weight >= 0, "weight must be finite and not negative");
        require(std::isfinite(node.impurity), "impurity must be finite");
        require(std::isfinite(node.gain), "gain must be finite");
        check_value(node.value);
        if (node.is_leaf())
            check_leaf(node);
        else
            check_question(node.question);
    }

    void check_leaf(const Node& node) const {
        require(node.question == Question{}, "a leaf asks nothing, but fields of its question are set");
        require(node.gain == 0, "a leaf has no gain");
        require(node.ties_cutting_differently == 0 && node.ties_cutting_alike == 0, "a leaf has no ties");
    }

    void check_value(const std::vector<double>& value) const {
        if (value.size() != ensemble_.value_length())
            fail("value has " + std::to_string(value.size()) + " numbers, expected " +
                 std::to_string(ensemble_.value_length()));
        const bool any_sign = ensemble_.task == Task::regression || ensemble_.combination == Combination::sum;
        double total = 0;
        for (const double v : value) {
            require(std::isfinite(v), "value must be finite");
            require(v >= 0 || any_sign, "class weights must not be negative");
            total += v;
        }
        require(any_sign || std::isfinite(total), "the sum of the class weights must be finite");
    }

    const Feature& feature_of(FeatureId id) const {
        if (index(id) >= ensemble_.features.size())
            fail("asks for feature " + std::to_string(index(id)) + ", but there are " +
                 std::to_string(ensemble_.features.size()));
        return ensemble_.features[index(id)];
    }

    void check_question(const Question& question) const {
        check_split(question);
        require(
            question.kind == QuestionKind::threshold || (question.training_low == 0 && question.training_high == 0),
            "a category question has no training range");
        require(question.missing_seen || question.missing_side == question.heavier_side,
                "where training saw no missing value, missing values must go to the heavier side");
        require(question.training_low <= question.training_high, "training range must have low <= high");
        for (const Surrogate& surrogate : question.surrogates) {
            require(surrogate.kind != QuestionKind::leaf, "a surrogate must be a question");
            require(surrogate.feature != question.feature, "a surrogate must ask for another feature");
            require(surrogate.agreement >= 0 && surrogate.agreement <= 1, "agreement must be within 0 .. 1");
            check_split(surrogate);
        }
    }

    /// What main and surrogate questions share.
    template <class Split>
    void check_split(const Split& split) const {
        const Feature& feature = feature_of(split.feature);
        if (split.kind == QuestionKind::threshold) {
            if (feature.kind != FeatureKind::numeric) fail("threshold for category feature '" + feature.name + "'");
            require(split.threshold > -INFINITY, "threshold must be a number above -inf");
            require(split.right_categories.empty() && split.seen_categories.empty(),
                    "a threshold question has no sets of categories");
            return;
        }
        if (feature.kind != FeatureKind::category) fail("categories for numeric feature '" + feature.name + "'");
        require(split.threshold == 0, "a category question has no threshold");
        check_sets(split.right_categories, split.seen_categories, feature);
    }

    void check_sets(const std::vector<std::uint64_t>& right, const std::vector<std::uint64_t>& seen,
                    const Feature& feature) const {
        const std::size_t count = feature.categories.size();
        for (const auto* set : {&right, &seen}) {
            require(set->empty() || set->back() != 0, "a set of categories ends in an empty word");
            const std::size_t excess_bits = set->size() * 64 > count ? set->size() * 64 - count : 0;
            const bool within = excess_bits < 64 && (excess_bits == 0 || set->back() >> (64 - excess_bits) == 0);
            if (!set->empty() && !within)
                fail("a category beyond the " + std::to_string(count) + " of feature '" + feature.name + "'");
        }
        for (std::size_t word = 0; word < right.size(); ++word)
            require((right[word] & ~(word < seen.size() ? seen[word] : 0)) == 0,
                    "a category goes right that training did not see here");
    }

    const Ensemble& ensemble_;
    std::size_t tree_;
    std::size_t node_ = 0;
};

}  // namespace

void validate(const Ensemble& ensemble) {
    check_labels(ensemble);
    check_features(ensemble.features);
    require(!ensemble.trees.empty(), "the model has no trees");
    check_tree_weights(ensemble);
    check_sum(ensemble);
    for (std::size_t tree = 0; tree < ensemble.trees.size(); ++tree) TreeCheck(ensemble, tree).run();
}

}  // namespace regrove::model
