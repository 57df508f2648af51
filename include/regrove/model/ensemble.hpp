// What a model file holds: features, classes, trees and how the trees' answers are combined.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "regrove/model/link.hpp"
#include "regrove/model/tree.hpp"

namespace regrove::model {

enum class Task : std::uint8_t { classification, regression };
enum class FeatureKind : std::uint8_t { numeric, category };
/// The precision that a numeric feature's values had in training; prediction rounds to it before comparing.
enum class NumericPrecision : std::uint8_t { float32, float64 };

/// How the trees' answers become one. One tree of `mean` or `majority`: its own answer either way.
enum class Combination : std::uint8_t {
    mean,      ///< classification: the mean of the trees' class probabilities; regression: the mean
    majority,  ///< classification: every tree has one vote for its leaf's class; ties go to the smaller class index
    /// Boosting: each raw score is its initial score plus the trees' leaf values, added in double in tree order; `link`
    /// makes probabilities or values of them. Logistic: one score, class 1 when it is above zero. Softmax, shares: the
    /// class of the largest score; ties go to the smaller class index.
    sum,
};

struct Feature {
    std::string name;
    FeatureKind kind = FeatureKind::numeric;
    NumericPrecision precision = NumericPrecision::float64;
    std::vector<std::string> categories;  ///< dictionary of a category feature, in code order
    friend bool operator==(const Feature&, const Feature&) = default;
};

struct Ensemble {
    Task task = Task::classification;
    std::string label_name;
    std::vector<std::string> classes;  ///< names in class order; empty for regression
    std::vector<Feature> features;
    /// The file that the model is from knows no names: feature i is a table's feature column i, unless the table has
    /// columns with all the names that features carry here.
    bool features_by_position = false;
    std::vector<Tree> trees;
    Combination combination = Combination::mean;
    /// How much each tree counts beside the others: finite and above zero, one a tree. Empty: all count alike, 1.
    std::vector<double> tree_weights;
    /// Only with Combination::sum.
    Link link = Link::identity;
    /// One a raw score; finite.
    std::vector<double> initial_scores;
    /// The raw score that each tree's leaf values add to, when a node has one value and there are several scores. Empty:
    /// score 0 when there is one, else every node carries a value for each score.
    std::vector<std::uint32_t> tree_outputs;
    /// How it was made (method, options that affect the result, results version, data hash), for people and for
    /// refits.
    std::map<std::string, std::string> provenance;

    /// Answers a row: the number of classes, or 1.
    std::uint32_t outputs() const;
    /// Raw scores a row: those of Combination::sum (1 for the logistic link), else outputs().
    std::uint32_t scores() const;
    /// Length of every node's value.
    std::uint32_t value_length() const;
    /// Whether a node's value is the weight of each class; else it is a mean, or what a boosted tree adds.
    bool has_class_weights() const { return task == Task::classification && combination != Combination::sum; }
    /// The sum of the trees' weights in tree order; their number when all count alike.
    double total_tree_weight() const;
    friend bool operator==(const Ensemble&, const Ensemble&) = default;
};

/// Numeric features named "f0", "f1", ..., for models of files that know no names.
std::vector<Feature> numbered_features(std::size_t count);

/// "x" text of a question for people: "vessels > 0.5", "stress_test in {normal, fixed}".
std::string question_text(const Question& question, const std::vector<Feature>& features);

}  // namespace regrove::model
