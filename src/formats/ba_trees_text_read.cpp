// Reading a BA-Trees forest: nodes in any order come out in pre-order, and every figure of the file is checked.
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "regrove/model/ensemble_builder.hpp"

#include "ba_trees_text.hpp"
#include "json_cursor.hpp"
#include "word_reader.hpp"

namespace regrove::formats {

namespace {

constexpr std::int64_t k_most_trees = 1'000'000;
constexpr std::int64_t k_most_features = 100'000;
constexpr std::int64_t k_most_classes = 4096;  // each node holds a number a class
constexpr std::int64_t k_most_depth = 1'000'000;
/// The shortest line of a node, so that a damaged number of nodes asks for no memory.
constexpr std::size_t k_least_node_bytes = 16;

struct Header {
    std::string dataset;
    std::string method;
    std::int64_t trees = 0;
    std::int64_t features = 0;
    std::int64_t classes = 0;
    std::int64_t depth = 0;
};

Header read_header(WordReader& words) {
    Header header;
    words.expect("DATASET_NAME:");
    header.dataset = words.rest_of_line().text;
    words.expect("ENSEMBLE:");
    header.method = words.rest_of_line().text;
    words.expect("NB_TREES:");
    header.trees = words.whole("the number of trees", 1, k_most_trees);
    words.expect("NB_FEATURES:");
    header.features = words.whole("the number of features", 0, k_most_features);
    words.expect("NB_CLASSES:");
    header.classes = words.whole("the number of classes", 1, k_most_classes);
    words.expect("MAX_TREE_DEPTH:");
    header.depth = words.whole("the depth of the deepest tree", 0, k_most_depth);
    words.expect("Format:");
    words.rest_of_line();
    return header;
}

/// A node as its line says it.
struct Line {
    Word start;
    bool is_leaf = true;
    std::int64_t left = -1;
    std::int64_t right = -1;
    std::int64_t feature = -1;
    double threshold = -1;
    std::int64_t depth = 0;
    std::int64_t class_index = -1;
};

class TreeReader {
  public:
    TreeReader(WordReader& words, const Header& header, std::size_t text_bytes)
        : words_(words), header_(header), text_bytes_(text_bytes) {}

    model::Tree read() {
        const Word count_word = read_lines();
        std::vector<bool> met(lines_.size());
        std::vector<Open> open{{0, std::nullopt, false, 0}};
        while (!open.empty()) {
            const Open next = open.back();
            open.pop_back();
            const Line& line = lines_[static_cast<std::size_t>(next.line)];
            if (met[static_cast<std::size_t>(next.line)]) words_.fail(line.start, "the node has two parents");
            met[static_cast<std::size_t>(next.line)] = true;
            add(next, line, open);
        }
        const auto lost = std::ranges::find(met, false) - met.begin();
        if (static_cast<std::size_t>(lost) < met.size())
            words_.fail(count_word, "node " + std::to_string(lost) + " has no parent");
        sum_up();
        return std::move(tree_);
    }

  private:
    /// A node that is still to be put into the tree.
    struct Open {
        std::int64_t line;
        std::optional<std::uint32_t> parent;  ///< in the new order; none: the root
        bool is_right;
        std::int64_t depth;
    };

    /// Returns where the number of nodes stands.
    Word read_lines() {
        words_.expect("NB_NODES:");
        const auto most = static_cast<std::int64_t>(text_bytes_ / k_least_node_bytes) + 1;
        const std::int64_t count = words_.whole("the number of nodes", 1, most);
        Word count_word;
        std::vector<bool> met(static_cast<std::size_t>(count));
        lines_.resize(met.size());
        for (std::int64_t i = 0; i < count; ++i) {
            const Word start = words_.next("a node");
            if (i == 0) count_word = start;
            const std::int64_t id = words_.whole_of(start, "the number of a node", 0, count - 1);
            if (met[static_cast<std::size_t>(id)]) words_.fail(start, "node " + std::to_string(id) + " stands twice");
            met[static_cast<std::size_t>(id)] = true;
            lines_[static_cast<std::size_t>(id)] = read_line(start, count);
        }
        return count_word;
    }

    Line read_line(const Word& start, std::int64_t count) {
        Line line;
        line.start = start;
        const Word kind = words_.next("the kind of a node");
        if (kind.text != "IN" && kind.text != "LN")
            words_.fail(kind, "expected IN (an inner node) or LN (a leaf), found '" + std::string(kind.text) + "'");
        line.is_leaf = kind.text == "LN";
        if (line.is_leaf) {
            for (const char* const what : {"the left child of a leaf, -1", "the right child of a leaf, -1",
                                           "the feature of a leaf, -1", "the threshold of a leaf, -1"})
                words_.whole(what, -1, -1);
        } else {
            line.left = words_.whole("the left child", 0, count - 1);
            line.right = words_.whole("the right child", 0, count - 1);
            line.feature = words_.whole("the feature", 0, header_.features - 1);
            line.threshold = words_.number("the threshold");
        }
        line.depth = words_.whole("the depth of the node", 0, header_.depth);
        line.class_index = line.is_leaf ? words_.whole("the class of a leaf", 0, header_.classes - 1)
                                        : words_.whole("the class of an inner node, -1", -1, -1);
        return line;
    }

    void add(const Open& next, const Line& line, std::vector<Open>& open) {
        const auto id = static_cast<std::uint32_t>(tree_.nodes.size());
        if (next.parent)
            (next.is_right ? tree_.nodes[*next.parent].right : tree_.nodes[*next.parent].left) = NodeId{id};
        if (line.depth != next.depth)
            words_.fail(line.start, "the node lies in depth " + std::to_string(next.depth) + ", but says " +
                                        std::to_string(line.depth));
        model::Node& node = tree_.nodes.emplace_back();
        node.value.assign(static_cast<std::size_t>(header_.classes), 0.0);
        if (line.is_leaf) {
            node.weight = 1;
            node.value[static_cast<std::size_t>(line.class_index)] = 1;
            return;
        }
        node.question = question(line);
        open.push_back({line.right, id, true, next.depth + 1});
        open.push_back({line.left, id, false, next.depth + 1});
    }

    static model::Question question(const Line& line) {
        model::Question question;
        question.kind = model::QuestionKind::threshold;
        question.feature = FeatureId{static_cast<std::uint32_t>(line.feature)};
        question.threshold = line.threshold;
        // `missing <= threshold` is false.
        question.missing_side = model::Side::right;
        question.heavier_side = model::Side::right;
        // The file does not say which values training saw.
        question.training_low = -std::numeric_limits<double>::infinity();
        question.training_high = std::numeric_limits<double>::infinity();
        return question;
    }

    /// The file has no training figures: an inner node counts the leaves below it, as if each had met a weight of one.
    void sum_up() {
        for (std::size_t i = tree_.nodes.size(); i-- > 0;) {
            model::Node& node = tree_.nodes[i];
            if (node.is_leaf()) continue;
            for (const NodeId child : {node.left, node.right}) {
                node.weight += tree_.node(child).weight;
                for (std::size_t k = 0; k < node.value.size(); ++k) node.value[k] += tree_.node(child).value[k];
            }
        }
    }

    WordReader& words_;
    const Header& header_;
    std::size_t text_bytes_;
    std::vector<Line> lines_;
    model::Tree tree_;
};

}  // namespace

bool sniff_ba_trees_text(std::string_view head) {
    return head.starts_with("DATASET_NAME:") && head.find("\nENSEMBLE:") != std::string_view::npos;
}

model::Ensemble read_ba_trees_text(std::string_view text, const std::string& file) {
    WordReader words(text, file);
    const Header header = read_header(words);
    model::EnsembleBuilder builder;
    std::vector<std::string> classes;
    for (std::int64_t k = 0; k < header.classes; ++k) classes.push_back(std::to_string(k));
    builder.task(model::Task::classification, "", std::move(classes));
    builder.combination(model::Combination::majority);
    builder.features(model::numbered_features(static_cast<std::size_t>(header.features))).features_by_position(true);
    builder.provenance("method", "BA-Trees " + header.method);
    builder.provenance("ba_trees.dataset", header.dataset).provenance("ba_trees.ensemble", header.method);
    for (std::int64_t tree = 0; tree < header.trees; ++tree) {
        words.expect("[TREE");
        words.expect(std::to_string(tree) + "]");
        builder.add_tree(TreeReader(words, header, text.size()).read());
    }
    if (!words.at_end()) words.fail(words.next(""), "the file goes on after the last of its trees (NB_TREES)");
    return with_file_name(file, [&] { return std::move(builder).build(); });
}

}  // namespace regrove::formats
