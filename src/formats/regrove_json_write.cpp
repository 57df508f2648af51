// Writing regrove-json: keys in a fixed order, one feature and one node a line.
#include <cmath>
#include <concepts>

#include <nlohmann/json.hpp>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/version.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "category_set_table.hpp"
#include "regrove_json.hpp"

namespace regrove::formats {

namespace {

using model::Feature;
using model::FeatureKind;
using model::Question;
using model::QuestionKind;
using model::Side;

std::string quoted(const std::string& text) {
    try {
        return nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception&) {
        throw FormatError("the name '" +
                          nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) +
                          "' is not valid UTF-8, which a JSON model needs; convert the table's text to UTF-8");
    }
}

std::string quoted(Side side) { return side == Side::left ? "\"left\"" : "\"right\""; }

/// A negative zero keeps its sign only as "-0.0": readers take "-0" for an integer.
std::string number(double value) {
    if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
    if (value == 0 && std::signbit(value)) return "-0.0";
    return to_text(value);
}

template <class T>
std::string list(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values) {
        if (text.size() > 1) text += ", ";
        if constexpr (std::same_as<T, double>)
            text += number(value);
        else
            text += quoted(value);
    }
    return text + "]";
}

std::string category_names(const std::vector<std::uint64_t>& set, const Feature& feature) {
    std::vector<std::string> names;
    for (std::uint32_t c = 0; c < feature.categories.size(); ++c)
        if (model::contains(set, c)) names.push_back(feature.categories[c]);
    return list(names);
}

class Writer {
  public:
    explicit Writer(const model::Ensemble& ensemble) : ensemble_(ensemble), sets_(ensemble) {}

    std::string run() {
        text_ = "{\n";
        line("format", quoted(std::string(k_regrove_json)));
        line("version", sets_.sets().empty() ? "1" : std::to_string(k_regrove_json_version));
        line("results_version", std::to_string(k_results_version));
        line("task", ensemble_.task == model::Task::classification ? "\"classification\"" : "\"regression\"");
        line("label", quoted(ensemble_.label_name));
        line("classes", list(ensemble_.classes));
        // Only where it is not the rule, so that single trees need not speak of it.
        if (ensemble_.combination == model::Combination::majority) line("combination", "\"majority\"");
        if (ensemble_.combination == model::Combination::sum) write_sum();
        if (!ensemble_.tree_weights.empty()) line("tree_weights", list(ensemble_.tree_weights));
        write_provenance();
        if (ensemble_.features_by_position) line("features_by_position", "true");
        write_features();
        write_sets();
        write_trees();
        text_ += "}\n";
        return std::move(text_);
    }

  private:
    void line(std::string_view key, const std::string& value) {
        text_.append("\"").append(key).append("\": ").append(value).append(",\n");
    }

    void member(std::string_view key, const std::string& value) {
        text_.append(text_.back() == '{' ? "\"" : ", \"").append(key).append("\": ").append(value);
    }

    void write_sum() {
        line("combination", "\"sum\"");
        line("link", "\"" + std::string(model::link_name(ensemble_.link)) + "\"");
        line("initial_scores", list(ensemble_.initial_scores));
        if (ensemble_.tree_outputs.empty()) return;
        std::string outputs;
        for (const std::uint32_t output : ensemble_.tree_outputs)
            outputs += (outputs.empty() ? "" : ", ") + std::to_string(output);
        line("tree_outputs", "[" + outputs + "]");
    }

    void write_provenance() {
        text_ += "\"provenance\": {";
        const char* separator = "\n";
        for (const auto& [key, value] : ensemble_.provenance) {
            text_.append(separator).append(quoted(key)).append(": ").append(quoted(value));
            separator = ",\n";
        }
        text_ += ensemble_.provenance.empty() ? "},\n" : "\n},\n";
    }

    void write_features() {
        text_ += "\"features\": [";
        const char* separator = "\n";
        for (const Feature& feature : ensemble_.features) {
            text_.append(separator) += '{';
            write_feature(feature);
            text_ += '}';
            separator = ",\n";
        }
        text_ += "\n],\n";
    }

    void write_feature(const Feature& feature) {
        member("name", quoted(feature.name));
        member("kind", feature.kind == FeatureKind::numeric ? "\"numeric\"" : "\"category\"");
        member("precision", feature.precision == model::NumericPrecision::float32 ? "\"float32\"" : "\"float64\"");
        member("categories", list(feature.categories));
    }

    void write_sets() {
        if (sets_.sets().empty()) return;
        text_ += "\"category_sets\": [";
        const char* separator = "\n";
        for (const SharedSet& set : sets_.sets()) {
            const Feature& feature = ensemble_.features[index(set.feature)];
            text_.append(separator) += '{';
            member("feature", quoted(feature.name));
            member("categories", category_names(set.categories, feature));
            text_ += '}';
            separator = ",\n";
        }
        text_ += "\n],\n";
    }

    void write_trees() {
        text_ += "\"trees\": [";
        const char* separator = "\n";
        for (const model::Tree& tree : ensemble_.trees) {
            text_.append(separator) += "{\"nodes\": [\n";
            for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                text_ += i == 0 ? "{" : ",\n{";
                write_node(tree.nodes[i], i);
                text_ += '}';
            }
            text_ += "\n]}";
            separator = ",\n";
        }
        text_ += "\n]\n";
    }

    void write_node(const model::Node& node, std::size_t id) {
        member("id", std::to_string(id));
        if (!node.is_leaf()) write_question(node);
        member("rows", std::to_string(node.rows));
        member("weight", number(node.weight));
        member("impurity", number(node.impurity));
        member("value", list(node.value));
    }

    void write_surrogates(const std::vector<model::Surrogate>& surrogates) {
        member("surrogates", "[");
        for (const model::Surrogate& surrogate : surrogates) {
            text_ += text_.back() == '[' ? "{" : ", {";
            write_surrogate(surrogate);
            text_ += '}';
        }
        text_ += ']';
    }

    void write_question(const model::Node& node) {
        const Question& question = node.question;
        write_split(question);
        if (question.kind == QuestionKind::threshold) {
            member("training_low", number(question.training_low));
            member("training_high", number(question.training_high));
        }
        write_surrogates(question.surrogates);
        member("missing_side", quoted(question.missing_side));
        member("missing_seen", question.missing_seen ? "true" : "false");
        member("heavier_side", quoted(question.heavier_side));
        member("left", std::to_string(index(node.left)));
        member("right", std::to_string(index(node.right)));
        member("gain", number(node.gain));
        member("ties_cutting_differently", std::to_string(node.ties_cutting_differently));
        member("ties_cutting_alike", std::to_string(node.ties_cutting_alike));
    }

    void write_surrogate(const model::Surrogate& surrogate) {
        write_split(surrogate);
        member("reversed", surrogate.reversed ? "true" : "false");
        member("agreement", number(surrogate.agreement));
    }

    /// What main and surrogate questions share.
    template <class Split>
    void write_split(const Split& split) {
        const Feature& feature = ensemble_.features[index(split.feature)];
        member("feature", quoted(feature.name));
        if (split.kind == QuestionKind::threshold) {
            member("threshold", number(split.threshold));
            return;
        }
        member("right_categories", set_text(split.feature, split.right_categories));
        member("seen_categories", set_text(split.feature, split.seen_categories));
    }

    /// The names, or the set's number in the file's list.
    std::string set_text(FeatureId feature, const std::vector<std::uint64_t>& categories) const {
        const auto number = sets_.number_of(feature, categories);
        return number ? std::to_string(*number) : category_names(categories, ensemble_.features[index(feature)]);
    }

    const model::Ensemble& ensemble_;
    CategorySetTable sets_;
    std::string text_;
};

}  // namespace

std::string write_regrove_json(const model::Ensemble& ensemble) {
    model::validate(ensemble);
    return Writer(ensemble).run();
}

}  // namespace regrove::formats
