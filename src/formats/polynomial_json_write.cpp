// Writing regrove-polynomial: conditions in the order in which monomials meet them first.
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "regrove/core/number_text.hpp"
#include "regrove/core/version.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "json_cursor.hpp"
#include "monomial_tree.hpp"
#include "polynomial_json.hpp"

namespace regrove::formats {

namespace {

using model::Feature;
using model::Question;
using model::QuestionKind;

[[noreturn]] void refuse(const std::string& what) {
    throw FormatError("the format '" + std::string(k_polynomial_json) + "' cannot hold this model: " + what +
                      "; 'regrove convert --form polynomial' makes one that it can");
}

std::string quoted(const std::string& text) {
    try {
        return nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception&) {
        refuse("a name is not valid UTF-8");
    }
}

std::string number(double value) { return value == 0 && std::signbit(value) ? "-0.0" : to_text(value); }

std::string list(const std::vector<double>& values) {
    std::string text = "[";
    for (const double value : values) text += (text.size() > 1 ? ", " : "") + number(value);
    return text + "]";
}

std::string list(const std::vector<std::string>& values) {
    std::string text = "[";
    for (const std::string& value : values) text += (text.size() > 1 ? ", " : "") + quoted(value);
    return text + "]";
}

class Writer {
  public:
    explicit Writer(const model::Ensemble& ensemble) : ensemble_(ensemble) {}

    std::string run() {
        if (ensemble_.combination != model::Combination::sum) refuse("it does not sum scores");
        if (!ensemble_.tree_outputs.empty()) refuse("its trees add to one of its scores each");
        std::string monomials;
        for (const model::Tree& tree : ensemble_.trees) {
            const auto line = monomial_of(tree);
            if (!line) refuse("its trees are no monomials");
            monomials += (monomials.empty() ? "\n" : ",\n") + monomial_text(*line);
        }
        write_head();
        text_ += "\"conditions\": [" + conditions_ + "\n],\n\"monomials\": [" + monomials + "\n]\n}\n";
        return std::move(text_);
    }

  private:
    void line(std::string_view key, const std::string& value) {
        text_.append("\"").append(key).append("\": ").append(value).append(",\n");
    }

    void write_head() {
        text_ = "{\n";
        line("format", quoted(std::string(k_polynomial_json)));
        line("version", std::to_string(k_polynomial_json_version));
        line("results_version", std::to_string(k_results_version));
        line("task", ensemble_.task == model::Task::classification ? "\"classification\"" : "\"regression\"");
        line("label", quoted(ensemble_.label_name));
        line("classes", list(ensemble_.classes));
        line("link", "\"" + std::string(model::link_name(ensemble_.link)) + "\"");
        line("constant", list(ensemble_.initial_scores));
        std::string pairs;
        for (const auto& [key, value] : ensemble_.provenance)
            pairs += (pairs.empty() ? "\n" : ",\n") + quoted(key) + ": " + quoted(value);
        line("provenance", "{" + pairs + (pairs.empty() ? "}" : "\n}"));
        line("features_by_position", ensemble_.features_by_position ? "true" : "false");
        std::string features;
        for (const Feature& feature : ensemble_.features)
            features += (features.empty() ? "\n" : ",\n") + feature_text(feature);
        line("features", "[" + features + "\n]");
    }

    static std::string feature_text(const Feature& feature) {
        const bool numeric = feature.kind == model::FeatureKind::numeric;
        const bool narrow = feature.precision == model::NumericPrecision::float32;
        return "{\"name\": " + quoted(feature.name) + ", \"kind\": " + (numeric ? "\"numeric\"" : "\"category\"") +
               ", \"precision\": " + (narrow ? "\"float32\"" : "\"float64\"") +
               ", \"categories\": " + list(feature.categories) + "}";
    }

    std::string monomial_text(const MonomialLine& monomial) {
        std::string ids;
        for (const Question& question : monomial.questions)
            ids += (ids.empty() ? "" : ", ") + std::to_string(condition(question));
        return "{\"conditions\": [" + ids + "], \"coefficient\": " + list(monomial.coefficient) + "}";
    }

    std::size_t condition(const Question& question) {
        const std::string text = condition_text(question);
        const auto [at, added] = ids_.emplace(text, ids_.size());
        if (added) conditions_ += (conditions_.empty() ? "\n" : ",\n") + text;
        return at->second;
    }

    std::string condition_text(const Question& question) const {
        const Feature& feature = ensemble_.features[index(question.feature)];
        Question plain = plain_condition(question.feature, feature);
        plain.missing_side = question.missing_side;
        plain.right_categories = question.right_categories;
        plain.threshold = question.threshold;
        if (plain != question) refuse("its questions are no conditions of monomials");
        const std::string head = "{\"feature\": " + quoted(feature.name);
        const bool of_nothing = question.kind == QuestionKind::category ? question.right_categories.empty()
                                                                        : std::isinf(question.threshold);
        if ((question.missing_side == model::Side::right) != of_nothing)
            refuse("its questions are no conditions of monomials");
        if (of_nothing) return head + ", \"missing\": true}";
        if (question.kind == QuestionKind::threshold)
            return head + ", \"above\": " + number(question.threshold) + "}";
        std::vector<std::string> names;
        for (std::uint32_t code = 0; code < feature.categories.size(); ++code)
            if (model::contains(question.right_categories, code)) names.push_back(feature.categories[code]);
        return head + ", \"within\": " + list(names) + "}";
    }

    const model::Ensemble& ensemble_;
    std::string text_;
    std::string conditions_;
    std::map<std::string, std::size_t> ids_;
};

}  // namespace

std::string write_polynomial_json(const model::Ensemble& ensemble) {
    model::validate(ensemble);
    return Writer(ensemble).run();
}

}  // namespace regrove::formats
