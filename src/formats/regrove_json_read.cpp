// Reading regrove-json: every key is demanded, every other key refused, every error names its place.
#include <string>
#include <unordered_map>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "category_set_table.hpp"
#include "json_cursor.hpp"
#include "regrove_json.hpp"

namespace regrove::formats {

namespace {

using model::Feature;
using model::FeatureKind;
using model::Question;
using model::QuestionKind;
using model::Side;

using Codes = std::unordered_map<std::string_view, std::uint32_t>;

/// The enumerator whose word stands at the cursor.
template <class E>
E choice(const JsonCursor& at, std::initializer_list<std::pair<std::string_view, E>> words) {
    const std::string& word = at.text();
    std::string known;
    for (const auto& [name, value] : words) {
        if (name == word) return value;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    at.fail("'" + word + "' is none of: " + known);
}

Side side(const JsonCursor& at) { return choice<Side>(at, {{"left", Side::left}, {"right", Side::right}}); }

using Keys = std::initializer_list<std::string_view>;

std::vector<std::string_view> joined(std::initializer_list<Keys> parts) {
    std::vector<std::string_view> all;
    for (const Keys& part : parts) all.insert(all.end(), part);
    return all;
}

// The keys of each object, all of them demanded.
const Keys k_document_keys{"format",  "version",    "results_version", "task", "label",
                           "classes", "provenance", "features",        "trees"};
/// Those that a document may leave out.
const Keys k_free_document_keys{"combination",    "tree_weights", "features_by_position", "link",
                                "initial_scores", "tree_outputs", "category_sets"};
const Keys k_feature_keys{"name", "kind", "precision", "categories"};
const Keys k_leaf_keys{"id", "rows", "weight", "impurity", "value"};
const Keys k_inner_keys{"feature",
                        "missing_side",
                        "missing_seen",
                        "heavier_side",
                        "left",
                        "right",
                        "gain",
                        "ties_cutting_differently",
                        "ties_cutting_alike",
                        "surrogates"};
const Keys k_threshold_keys{"threshold", "training_low", "training_high"};
const Keys k_category_keys{"right_categories", "seen_categories"};
const Keys k_surrogate_keys{"feature", "reversed", "agreement"};

Feature read_feature(const JsonCursor& at) {
    at.require_keys(k_feature_keys);
    Feature feature;
    feature.name = at.member("name").text();
    feature.kind = choice<FeatureKind>(at.member("kind"),
                                       {{"numeric", FeatureKind::numeric}, {"category", FeatureKind::category}});
    feature.precision = choice<model::NumericPrecision>(
        at.member("precision"),
        {{"float32", model::NumericPrecision::float32}, {"float64", model::NumericPrecision::float64}});
    feature.categories = at.member("categories").texts();
    return feature;
}

/// Reads nodes against the features that the document names.
class NodeReader {
  public:
    explicit NodeReader(const std::vector<Feature>& features) : codes_(features.size()) {
        for (std::uint32_t f = 0; f < features.size(); ++f) {
            features_.emplace(features[f].name, f);
            for (std::uint32_t c = 0; c < features[f].categories.size(); ++c)
                codes_[f].emplace(features[f].categories[c], c);
        }
    }

    /// Sets that questions name by their number.
    void read_sets(const JsonCursor& at) {
        static const std::vector<std::string_view> keys{"feature", "categories"};
        for (std::size_t i = 0; i < at.size_of_array(); ++i) {
            const JsonCursor set = at.element(i);
            set.require_keys(keys);
            const std::uint32_t feature = known(features_, set.member("feature"), "feature of the model");
            sets_.push_back({FeatureId{feature}, names(set.member("categories"), codes_[feature])});
        }
    }

    model::Tree read_tree(const JsonCursor& at) const {
        at.require_keys(Keys{"nodes"});
        const JsonCursor nodes = at.member("nodes");
        model::Tree tree;
        tree.nodes.resize(nodes.size_of_array());
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) read_node(nodes.element(i), i, tree.nodes[i]);
        return tree;
    }

  private:
    void read_node(const JsonCursor& at, std::size_t id, model::Node& node) const {
        require_node_keys(at);
        if (at.member("id").count() != id) at.member("id").fail("expected " + std::to_string(id));
        node.rows = at.member("rows").count();
        node.weight = at.member("weight").number();
        node.impurity = at.member("impurity").number();
        node.value = at.member("value").numbers();
        if (!at.has("feature")) return;
        node.left = NodeId{at.member("left").index()};
        node.right = NodeId{at.member("right").index()};
        node.gain = at.member("gain").number();
        node.ties_cutting_differently = at.member("ties_cutting_differently").index();
        node.ties_cutting_alike = at.member("ties_cutting_alike").index();
        read_question(at, node.question);
    }

    static void require_node_keys(const JsonCursor& at) {
        static const auto threshold = joined({k_leaf_keys, k_inner_keys, k_threshold_keys});
        static const auto category = joined({k_leaf_keys, k_inner_keys, k_category_keys});
        if (!at.has("feature")) return at.require_keys(k_leaf_keys);
        at.require_keys(at.has("threshold") ? threshold : category);
    }

    void read_question(const JsonCursor& at, Question& question) const {
        read_split(at, question);
        if (question.kind == QuestionKind::threshold) {
            question.training_low = at.member("training_low").number();
            question.training_high = at.member("training_high").number();
        }
        question.missing_side = side(at.member("missing_side"));
        question.missing_seen = at.member("missing_seen").boolean();
        question.heavier_side = side(at.member("heavier_side"));
        const JsonCursor surrogates = at.member("surrogates");
        question.surrogates.resize(surrogates.size_of_array());
        for (std::size_t i = 0; i < question.surrogates.size(); ++i)
            read_surrogate(surrogates.element(i), question.surrogates[i]);
    }

    void read_surrogate(const JsonCursor& at, model::Surrogate& surrogate) const {
        static const auto threshold = joined({k_surrogate_keys, Keys{"threshold"}});
        static const auto category = joined({k_surrogate_keys, k_category_keys});
        at.require_keys(at.has("threshold") ? threshold : category);
        read_split(at, surrogate);
        surrogate.reversed = at.member("reversed").boolean();
        surrogate.agreement = at.member("agreement").number();
    }

    /// What main and surrogate questions share.
    template <class Split>
    void read_split(const JsonCursor& at, Split& split) const {
        const std::uint32_t feature = known(features_, at.member("feature"), "feature of the model");
        split.feature = FeatureId{feature};
        split.kind = at.has("threshold") ? QuestionKind::threshold : QuestionKind::category;
        if (split.kind == QuestionKind::threshold) {
            split.threshold = at.member("threshold").number();
            return;
        }
        split.right_categories = read_set(at.member("right_categories"), feature);
        split.seen_categories = read_set(at.member("seen_categories"), feature);
    }

    std::vector<std::uint64_t> read_set(const JsonCursor& at, std::uint32_t feature) const {
        if (!at.is_number()) return names(at, codes_[feature]);
        const std::uint64_t number = at.count();
        if (number >= sets_.size())
            at.fail("the file has no set of that number (category_sets has " + std::to_string(sets_.size()) + ")");
        if (sets_[number].feature != FeatureId{feature}) at.fail("that set is of another feature");
        return sets_[number].categories;
    }

    static std::vector<std::uint64_t> names(const JsonCursor& at, const Codes& codes) {
        std::vector<std::uint64_t> set;
        for (std::size_t i = 0; i < at.size_of_array(); ++i) {
            const std::uint32_t code = known(codes, at.element(i), "category of the feature");
            if (model::contains(set, code)) at.element(i).fail("category stands twice in the set");
            model::insert(set, code);
        }
        return set;
    }

    static std::uint32_t known(const Codes& codes, const JsonCursor& at, const char* what) {
        const auto found = codes.find(at.text());
        if (found == codes.end()) at.fail("'" + at.text() + "' is no " + what);
        return found->second;
    }

    Codes features_;
    std::vector<Codes> codes_;
    std::vector<SharedSet> sets_;
};

void check_version(const JsonCursor& document) {
    const JsonCursor version = document.member("version");
    if (version.count() == 0 || version.count() > k_regrove_json_version)
        version.fail("version " + std::to_string(version.count()) + " is unknown; this Regrove reads versions 1 to " +
                     std::to_string(k_regrove_json_version) + ": use a newer Regrove");
}

/// The link of a sum must be said; what only sums have is refused by the builder elsewhere.
void read_sum(const JsonCursor& document, model::EnsembleBuilder& builder) {
    const bool sums = document.has("combination") && document.member("combination").text() == "sum";
    if (!sums) {
        for (const std::string_view key : {"link", "initial_scores", "tree_outputs"})
            if (document.has(key)) document.member(key).fail("only a model with \"combination\": \"sum\" has it");
        return;
    }
    std::vector<std::uint32_t> outputs;
    if (document.has("tree_outputs")) {
        const JsonCursor list = document.member("tree_outputs");
        for (std::size_t i = 0; i < list.size_of_array(); ++i) outputs.push_back(list.element(i).index());
    }
    builder.sum(choice<model::Link>(document.member("link"), {{"identity", model::Link::identity},
                                                              {"logistic", model::Link::logistic},
                                                              {"softmax", model::Link::softmax},
                                                              {"exponential", model::Link::exponential},
                                                              {"shares", model::Link::shares}}),
                document.member("initial_scores").numbers(), std::move(outputs));
}

model::Ensemble read_document(const JsonCursor& document) {
    if (document.member("format").text() != k_regrove_json)
        document.member("format").fail("expected '" + std::string(k_regrove_json) + "'");
    check_version(document);
    std::vector<std::string_view> keys = k_document_keys;
    for (const std::string_view key : k_free_document_keys)
        if (document.has(key)) keys.push_back(key);
    document.require_keys(keys);
    static_cast<void>(document.member("results_version").count());
    model::EnsembleBuilder builder;
    builder.task(choice<model::Task>(document.member("task"), {{"classification", model::Task::classification},
                                                               {"regression", model::Task::regression}}),
                 document.member("label").text(), document.member("classes").texts());
    if (document.has("combination")) {
        builder.combination(
            choice<model::Combination>(document.member("combination"), {{"mean", model::Combination::mean},
                                                                        {"majority", model::Combination::majority},
                                                                        {"sum", model::Combination::sum}}));
    }
    read_sum(document, builder);
    if (document.has("features_by_position"))
        builder.features_by_position(document.member("features_by_position").boolean());
    if (document.has("tree_weights")) builder.tree_weights(document.member("tree_weights").numbers());
    const JsonCursor provenance = document.member("provenance");
    for (const std::string& key : provenance.keys()) builder.provenance(key, provenance.member(key).text());

    const JsonCursor feature_list = document.member("features");
    std::vector<Feature> features;
    for (std::size_t i = 0; i < feature_list.size_of_array(); ++i)
        features.push_back(read_feature(feature_list.element(i)));
    NodeReader reader(features);
    if (document.has("category_sets")) reader.read_sets(document.member("category_sets"));
    const JsonCursor trees = document.member("trees");
    for (std::size_t i = 0; i < trees.size_of_array(); ++i) builder.add_tree(reader.read_tree(trees.element(i)));
    builder.features(std::move(features));
    return std::move(builder).build();
}

}  // namespace

bool sniff_regrove_json(std::string_view head) { return sniff_json_format(head, k_regrove_json); }

model::Ensemble read_regrove_json(std::string_view text, const std::string& file) {
    const nlohmann::json document = parse_json(text, file);
    return with_file_name(file, [&] { return read_document(JsonCursor(document, file)); });
}

}  // namespace regrove::formats
