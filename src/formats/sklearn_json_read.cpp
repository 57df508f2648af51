// Reading scikit-learn's arrays: a depth-first walk from node 0 that must meet every node once.
#include <limits>
#include <string>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "json_cursor.hpp"
#include "sklearn_json.hpp"

namespace regrove::formats {
namespace {

using Keys = std::initializer_list<std::string_view>;
const Keys k_document_keys{"format", "version", "estimator", "sklearn_version", "parameters",
                           "task",   "label",   "classes",   "features",        "trees"};
const Keys k_tree_keys{"children_left",  "children_right",          "feature", "threshold", "impurity",
                       "n_node_samples", "weighted_n_node_samples", "value"};

constexpr std::uint32_t k_no_child = std::numeric_limits<std::uint32_t>::max();

class TreeReader {
  public:
    explicit TreeReader(const JsonCursor& at)
        : at_(at),
          left_(at.member("children_left")),
          right_(at.member("children_right")),
          feature_(at.member("feature")),
          threshold_(at.member("threshold")),
          impurity_(at.member("impurity")),
          rows_(at.member("n_node_samples")),
          weight_(at.member("weighted_n_node_samples")),
          value_(at.member("value")),
          count_(left_.size_of_array()) {
        at.require_keys(k_tree_keys);
        for (const JsonCursor* list : {&right_, &feature_, &threshold_, &impurity_, &rows_, &weight_, &value_})
            if (list->size_of_array() != count_)
                list->fail("has " + std::to_string(list->size_of_array()) + " nodes, children_left has " +
                           std::to_string(count_));
        if (count_ == 0) at.fail("has no nodes");
    }

    model::Tree read() {
        struct Open {
            std::uint32_t node;
            std::uint32_t parent;  ///< in the new order
            bool is_right;
        };
        std::vector<bool> met(count_);
        std::vector<Open> open{{0, k_no_child, false}};
        model::Tree tree;
        while (!open.empty()) {
            const Open next = open.back();
            open.pop_back();
            if (met[next.node]) at_.fail("node " + std::to_string(next.node) + " has two parents");
            met[next.node] = true;
            const auto id = static_cast<std::uint32_t>(tree.nodes.size());
            if (next.parent != k_no_child)
                (next.is_right ? tree.nodes[next.parent].right : tree.nodes[next.parent].left) = NodeId{id};
            tree.nodes.push_back(figures(next.node));
            const std::uint32_t left = child(left_.element(next.node));
            const std::uint32_t right = child(right_.element(next.node));
            if ((left == k_no_child) != (right == k_no_child)) left_.element(next.node).fail("one child is missing");
            if (left == k_no_child) continue;
            ask(next.node, left, right, tree.nodes.back());
            open.push_back({right, id, true});
            open.push_back({left, id, false});
        }
        if (tree.nodes.size() != count_)
            at_.fail(std::to_string(count_ - tree.nodes.size()) + " nodes have no parent");
        return tree;
    }

  private:
    std::uint32_t child(const JsonCursor& at) const {
        if (at.number() == -1) return k_no_child;
        const std::uint32_t id = at.index();
        if (id >= count_) at.fail("there are " + std::to_string(count_) + " nodes");
        return id;
    }

    model::Node figures(std::uint32_t id) const {
        model::Node node;
        node.rows = rows_.element(id).count();
        node.weight = weight_.element(id).number();
        node.impurity = impurity_.element(id).number();
        node.value = value_.element(id).numbers();
        return node;
    }

    void ask(std::uint32_t id, std::uint32_t left, std::uint32_t right, model::Node& node) const {
        model::Question& question = node.question;
        question.kind = model::QuestionKind::threshold;
        question.feature = FeatureId{feature_.element(id).index()};
        question.threshold = threshold_.element(id).number();
        // The file does not say which values training saw.
        question.training_low = -std::numeric_limits<double>::infinity();
        question.training_high = std::numeric_limits<double>::infinity();
        const double left_weight = weight_.element(left).number();
        const double right_weight = weight_.element(right).number();
        question.heavier_side = left_weight >= right_weight ? model::Side::left : model::Side::right;
        question.missing_side = question.heavier_side;
        if (!(node.weight > 0)) return;
        const double below =
            left_weight * impurity_.element(left).number() + right_weight * impurity_.element(right).number();
        node.gain = node.impurity - below / node.weight;
    }

    const JsonCursor& at_;
    JsonCursor left_;
    JsonCursor right_;
    JsonCursor feature_;
    JsonCursor threshold_;
    JsonCursor impurity_;
    JsonCursor rows_;
    JsonCursor weight_;
    JsonCursor value_;
    std::size_t count_;
};

model::Ensemble read_document(const JsonCursor& document) {
    if (document.member("format").text() != k_sklearn_json)
        document.member("format").fail("expected '" + std::string(k_sklearn_json) + "'");
    const JsonCursor version = document.member("version");
    if (version.count() != k_sklearn_json_version)
        version.fail("version " + std::to_string(version.count()) + " is unknown; this Regrove reads version " +
                     std::to_string(k_sklearn_json_version) + ": export the model again with its own script");
    document.require_keys(k_document_keys);
    const JsonCursor task = document.member("task");
    if (task.text() != "classification" && task.text() != "regression")
        task.fail("'" + task.text() + "' is none of: classification, regression");
    model::EnsembleBuilder builder;
    builder.task(task.text() == "regression" ? model::Task::regression : model::Task::classification,
                 document.member("label").text(), document.member("classes").texts());
    builder.provenance("method", "scikit-learn " + document.member("estimator").text());
    builder.provenance("sklearn_version", document.member("sklearn_version").text());
    const JsonCursor parameters = document.member("parameters");
    for (const std::string& key : parameters.keys())
        builder.provenance("sklearn_parameter." + key, parameters.member(key).text());
    std::vector<model::Feature> features;
    for (const std::string& name : document.member("features").texts())
        features.push_back({name, model::FeatureKind::numeric, model::NumericPrecision::float32, {}});
    builder.features(std::move(features));
    const JsonCursor trees = document.member("trees");
    for (std::size_t i = 0; i < trees.size_of_array(); ++i) {
        const JsonCursor tree = trees.element(i);
        builder.add_tree(TreeReader(tree).read());
    }
    return std::move(builder).build();
}

}  // namespace

bool sniff_sklearn_json(std::string_view head) { return sniff_json_format(head, k_sklearn_json); }

model::Ensemble read_sklearn_json(std::string_view text, const std::string& file) {
    const nlohmann::json document = parse_json(text, file);
    return with_file_name(file, [&] { return read_document(JsonCursor(document, file)); });
}

}  // namespace regrove::formats
