// Reading regrove-polynomial: every key is demanded, every other key refused, every error names its place.
#include <unordered_map>

#include "regrove/model/ensemble_builder.hpp"

#include "json_cursor.hpp"
#include "monomial_tree.hpp"
#include "polynomial_json.hpp"

namespace regrove::formats {

namespace {

using model::Feature;
using model::FeatureKind;
using model::Question;

template <class E>
E choice(const JsonCursor& at, std::initializer_list<std::pair<std::string_view, E>> words) {
    std::string known;
    for (const auto& [name, value] : words) {
        if (name == at.text()) return value;
        known += (known.empty() ? "" : ", ") + std::string(name);
    }
    at.fail("'" + at.text() + "' is none of: " + known);
}

Feature read_feature(const JsonCursor& at) {
    at.require_keys(std::vector<std::string_view>{"name", "kind", "precision", "categories"});
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

class ConditionReader {
  public:
    explicit ConditionReader(const std::vector<Feature>& features) : features_(features) {
        for (std::uint32_t f = 0; f < features.size(); ++f) places_.emplace(features[f].name, f);
    }

    Question read(const JsonCursor& at) const {
        const bool above = at.has("above");
        const bool within = at.has("within");
        at.require_keys(std::vector<std::string_view>{"feature", above ? "above" : within ? "within" : "missing"});
        const auto found = places_.find(at.member("feature").text());
        if (found == places_.end())
            at.member("feature").fail("'" + at.member("feature").text() + "' is no feature of the model");
        const Feature& feature = features_[found->second];
        Question question = plain_condition(FeatureId{found->second}, feature);
        if (above != (feature.kind == FeatureKind::numeric) && (above || within))
            at.fail(above ? "a border for a category feature" : "categories for a numeric feature");
        if (above) question.threshold = at.member("above").number();
        if (within) question.right_categories = read_set(at.member("within"), feature);
        if (above || within) return question;
        if (!at.member("missing").boolean()) at.member("missing").fail("can only be true");
        question.missing_side = model::Side::right;
        return question;
    }

  private:
    static std::vector<std::uint64_t> read_set(const JsonCursor& at, const Feature& feature) {
        std::unordered_map<std::string_view, std::uint32_t> codes;
        for (std::uint32_t code = 0; code < feature.categories.size(); ++code)
            codes.emplace(feature.categories[code], code);
        std::vector<std::uint64_t> set;
        for (std::size_t i = 0; i < at.size_of_array(); ++i) {
            const auto code = codes.find(at.element(i).text());
            if (code == codes.end())
                at.element(i).fail("'" + at.element(i).text() + "' is no category of the feature");
            model::insert(set, code->second);
        }
        if (set.empty()) at.fail("no category at all");
        return set;
    }

    const std::vector<Feature>& features_;
    std::unordered_map<std::string_view, std::uint32_t> places_;
};

model::Tree read_monomial(const JsonCursor& at, const std::vector<Question>& conditions) {
    at.require_keys(std::vector<std::string_view>{"conditions", "coefficient"});
    MonomialLine line;
    const JsonCursor ids = at.member("conditions");
    for (std::size_t i = 0; i < ids.size_of_array(); ++i) {
        const std::uint32_t id = ids.element(i).index();
        if (id >= conditions.size())
            ids.element(i).fail("there are only " + std::to_string(conditions.size()) + " conditions");
        line.questions.push_back(conditions[id]);
    }
    line.coefficient = at.member("coefficient").numbers();
    return monomial_tree(line);
}

void check_version(const JsonCursor& document) {
    const JsonCursor version = document.member("version");
    if (version.count() == 0 || version.count() > k_polynomial_json_version)
        version.fail("version " + std::to_string(version.count()) +
                     " is unknown; this Regrove reads version 1: use a "
                     "newer Regrove");
}

void read_frame(const JsonCursor& document, model::EnsembleBuilder& builder) {
    builder.task(choice<model::Task>(document.member("task"), {{"classification", model::Task::classification},
                                                               {"regression", model::Task::regression}}),
                 document.member("label").text(), document.member("classes").texts());
    builder.sum(choice<model::Link>(document.member("link"), {{"identity", model::Link::identity},
                                                              {"logistic", model::Link::logistic},
                                                              {"softmax", model::Link::softmax},
                                                              {"exponential", model::Link::exponential},
                                                              {"shares", model::Link::shares}}),
                document.member("constant").numbers());
    builder.features_by_position(document.member("features_by_position").boolean());
    const JsonCursor provenance = document.member("provenance");
    for (const std::string& key : provenance.keys()) builder.provenance(key, provenance.member(key).text());
}

model::Ensemble read_document(const JsonCursor& document) {
    if (document.member("format").text() != k_polynomial_json)
        document.member("format").fail("expected '" + std::string(k_polynomial_json) + "'");
    check_version(document);
    document.require_keys(std::vector<std::string_view>{
        "format", "version", "results_version", "task", "label", "classes", "link", "constant", "provenance",
        "features_by_position", "features", "conditions", "monomials"});
    static_cast<void>(document.member("results_version").count());
    model::EnsembleBuilder builder;
    read_frame(document, builder);
    const JsonCursor feature_list = document.member("features");
    std::vector<Feature> features;
    for (std::size_t i = 0; i < feature_list.size_of_array(); ++i)
        features.push_back(read_feature(feature_list.element(i)));
    const ConditionReader reader(features);
    const JsonCursor condition_list = document.member("conditions");
    std::vector<Question> conditions;
    for (std::size_t i = 0; i < condition_list.size_of_array(); ++i)
        conditions.push_back(reader.read(condition_list.element(i)));
    const JsonCursor monomials = document.member("monomials");
    for (std::size_t i = 0; i < monomials.size_of_array(); ++i)
        builder.add_tree(read_monomial(monomials.element(i), conditions));
    builder.features(std::move(features));
    return std::move(builder).build();
}

}  // namespace

bool sniff_polynomial_json(std::string_view head) { return sniff_json_format(head, k_polynomial_json); }

model::Ensemble read_polynomial_json(std::string_view text, const std::string& file) {
    const nlohmann::json document = parse_json(text, file);
    return with_file_name(file, [&] { return read_document(JsonCursor(document, file)); });
}

}  // namespace regrove::formats
