// Writing a BA-Trees forest: the classes of all rows are kept to the last bit, or the model is refused.
#include <algorithm>
#include <cmath>
#include <vector>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "ba_trees_text.hpp"

namespace regrove::formats {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw FormatError("the format '" + std::string(k_ba_trees_text) + "' cannot hold this model: " + what);
}

void check_combination(const model::Ensemble& ensemble) {
    if (ensemble.task != model::Task::classification) refuse("it answers with numbers, not with classes");
    if (ensemble.trees.size() == 1) return;
    if (ensemble.combination != model::Combination::majority)
        refuse("its trees' probabilities are averaged, but the format knows votes only");
    const auto& weights = ensemble.tree_weights;
    if (std::ranges::any_of(weights, [](double weight) { return weight != 1; }))
        refuse("its trees have weights, but the format counts all alike");
}

/// The first of the heaviest classes, which a tree votes for.
std::size_t vote(const std::vector<double>& value) {
    return static_cast<std::size_t>(std::ranges::max_element(value) - value.begin());
}

class Writer {
  public:
    explicit Writer(const model::Ensemble& ensemble) : ensemble_(ensemble) {}

    std::string run() {
        std::uint32_t depth = 0;
        for (const model::Tree& tree : ensemble_.trees) depth = std::max(depth, tree.depth());
        line("DATASET_NAME: " + provenance("ba_trees.dataset", "unknown"));
        line("ENSEMBLE: " + provenance("ba_trees.ensemble", "RF"));
        line("NB_TREES: " + std::to_string(ensemble_.trees.size()));
        line("NB_FEATURES: " + std::to_string(ensemble_.features.size()));
        line("NB_CLASSES: " + std::to_string(ensemble_.classes.size()));
        line("MAX_TREE_DEPTH: " + std::to_string(depth));
        line("Format: node, IN (inner node) or LN (leaf), left child, right child, feature, threshold, depth, class");
        for (tree_ = 0; tree_ < ensemble_.trees.size(); ++tree_) write_tree(ensemble_.trees[tree_]);
        return std::move(text_);
    }

  private:
    void line(const std::string& words) { text_.append(words) += '\n'; }

    std::string provenance(const std::string& key, const std::string& other) const {
        const auto found = ensemble_.provenance.find(key);
        if (found == ensemble_.provenance.end()) return other;
        if (found->second.find_first_of("\r\n") != std::string::npos)
            refuse("its provenance '" + key + "' is more than one line");
        return found->second;
    }

    void write_tree(const model::Tree& tree) {
        line("");
        line("[TREE " + std::to_string(tree_) + "]");
        line("NB_NODES: " + std::to_string(tree.nodes.size()));
        std::vector<std::uint32_t> depth(tree.nodes.size(), 0);
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const model::Node& node = tree.nodes[i];
            const std::string start = std::to_string(i) + (node.is_leaf() ? " LN " : " IN ");
            if (node.is_leaf()) {
                line(start + "-1 -1 -1 -1 " + std::to_string(depth[i]) + ' ' + std::to_string(vote(node.value)));
                continue;
            }
            check_question(node.question, i);
            depth[index(node.left)] = depth[i] + 1;
            depth[index(node.right)] = depth[i] + 1;
            line(start + std::to_string(index(node.left)) + ' ' + std::to_string(index(node.right)) + ' ' +
                 std::to_string(index(node.question.feature)) + ' ' + to_text(node.question.threshold) + ' ' +
                 std::to_string(depth[i]) + " -1");
        }
    }

    void check_question(const model::Question& question, std::size_t node) const {
        const model::Feature& feature = ensemble_.features[index(question.feature)];
        const auto require = [&](bool holds, const std::string& why) {
            if (!holds) refuse("tree " + std::to_string(tree_) + ", node " + std::to_string(node) + ": " + why);
        };
        require(question.kind == model::QuestionKind::threshold, "a question about categories");
        require(feature.precision == model::NumericPrecision::float64,
                "'" + feature.name + "' is rounded to float32 before it is compared");
        require(std::isfinite(question.threshold), "the question is whether a value is missing");
        require(question.surrogates.empty(), "a question with surrogates");
        require(question.missing_side == model::Side::right, "a missing value goes left");
    }

    const model::Ensemble& ensemble_;
    std::size_t tree_ = 0;
    std::string text_;
};

}  // namespace

std::string write_ba_trees_text(const model::Ensemble& ensemble) {
    model::validate(ensemble);
    check_combination(ensemble);
    return Writer(ensemble).run();
}

}  // namespace regrove::formats
