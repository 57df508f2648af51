// Opens first, writes last.
#include "explain_outputs.hpp"

#include <filesystem>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/dist/replicate_table.hpp"
#include "regrove/draw/bar_chart.hpp"
#include "regrove/draw/image_map.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove::jobs {

namespace {

constexpr std::size_t k_printed_subjects = 10;

/// The subject's one value, or an object of its values by score.
nlohmann::ordered_json values_of(const pipeline::Explanation& explanation,
                                 const pipeline::ExplainedSubject& subject) {
    if (explanation.scores.empty()) return subject.values.front();
    auto values = nlohmann::ordered_json::object();
    for (std::size_t score = 0; score < subject.values.size(); ++score)
        values[explanation.scores[score]] = subject.values[score];
    return values;
}

}  // namespace

ExplainOutputs::ExplainOutputs(pipeline::JobContext& context, const ExplainOptions& options)
    : context_(context), options_(options) {
    if (!options.output.empty()) table_.emplace(context.comm, options.output, context.overwrite);
    comm::agree_on(context.comm, [&] {
        if (!options.picture.empty() && context.comm.is_root())
            picture_ = std::make_unique<pipeline::OutputFile>(options.picture, context.overwrite);
    });
}

void ExplainOutputs::prepare(const model::Ensemble& model) {
    if (!options_.image_shape.empty()) {
        shape_ = pipeline::image_shape(options_.image_shape);
        pipeline::check_image_shape(*shape_, model);
    }
    for (const std::string& path : options_.beside) {
        pipeline::TableRequest request;
        request.path = path;
        beside_.push_back(dist::replicate_table(context_.comm, pipeline::load_table(context_.comm, request)));
        context_.summary.read(path);
    }
    if (!beside_.empty()) {
        draw::ImageMap trial;  // refuses tables that do not fit before long work
        trial.height = shape_->height;
        trial.width = shape_->width;
        draw_beside(trial, model);
    }
}

void ExplainOutputs::draw_beside(draw::ImageMap& map, const model::Ensemble& model) const {
    for (std::size_t i = 0; i < beside_.size(); ++i)
        pipeline::add_panels(map, beside_[i], std::filesystem::path(options_.beside[i]).stem().string(), model);
}

std::string ExplainOutputs::picture_of(const pipeline::Explanation& explanation, const model::Ensemble& model) const {
    if (!shape_) {
        const auto chart = pipeline::explanation_chart(explanation, model, options_.top);
        return draw::bar_chart_picture(chart, options_.picture, options_.scale);
    }
    draw::ImageMap map = pipeline::explanation_map(explanation, model, *shape_);
    map.columns = options_.map_columns;
    draw_beside(map, model);
    return draw::image_map_picture(map, options_.picture, options_.scale);
}

void ExplainOutputs::write_table(const std::function<data::TableShard()>& make) {
    if (!table_) return;
    table_->write_whole(context_.comm, make());
    if (options_.output != "-") context_.summary.wrote(options_.output);
}

void ExplainOutputs::write(const pipeline::Explanation& explanation, const model::Ensemble& model) {
    write_table([&] { return pipeline::explanation_table(explanation, model); });
    write_picture([&] { return picture_of(explanation, model); });
    summarise(explanation, model);
}

void ExplainOutputs::write_picture(const std::function<std::string()>& make) {
    comm::agree_on(context_.comm, [&] {
        if (!picture_) return;
        picture_->write(make());
        picture_->commit();
    });
    if (!options_.picture.empty() && options_.picture != "-") context_.summary.wrote(options_.picture);
}

void ExplainOutputs::summarise(const pipeline::Explanation& explanation, const model::Ensemble& model) {
    pipeline::Summary& summary = context_.summary;
    summary.result["kind"] = explanation.kind;
    for (const pipeline::ExplanationFact& fact : explanation.facts) {
        summary.result[fact.name] = fact.value;
        if (!fact.shown_name.empty()) summary.show(fact.shown_name, fact.shown);
    }
    auto importance = nlohmann::ordered_json::object();
    std::size_t printed = 0;
    for (const pipeline::ExplainedSubject& subject : explanation.subjects) {
        const std::string& name = pipeline::subject_name(subject, model);
        importance[name] = values_of(explanation, subject);
        if (printed++ < k_printed_subjects && subject.used) summary.show(name, pipeline::subject_figures(subject));
    }
    summary.result["importance"] = std::move(importance);
}

}  // namespace regrove::jobs
