// Subjects to pixels.
#include "regrove/pipeline/explanation_map.hpp"

#include <charconv>
#include <map>
#include <string_view>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::size_t k_most_pixels = 1'000'000;

/// A whole number of at least 1, or 0.
std::size_t side_of(std::string_view text) {
    std::size_t side = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
    return error == std::errc() && end == text.data() + text.size() && side <= k_most_pixels ? side : 0;
}

std::size_t column_of(const data::TableShard& table, const std::string& column, const std::string& name) {
    const auto place = table.schema.find(column);
    if (!place)
        throw InputError("'" + name + "' has no column '" + column +
                         "': --beside takes tables that explain has written");
    return *place;
}

/// A panel for each score that the table names, in the order in which they come; rows of one feature add up.
class TablePanels {
  public:
    TablePanels(draw::ImageMap& map, const std::string& name) : map_(map), name_(name) {}

    draw::MapPanel& of(const std::string& score) {
        const auto [at, is_new] = place_.try_emplace(score, map_.panels.size());
        if (is_new)
            map_.panels.push_back(
                {score.empty() ? name_ : name_ + " · " + score, std::vector<double>(map_.height * map_.width, 0)});
        return map_.panels[at->second];
    }

  private:
    draw::ImageMap& map_;
    const std::string& name_;
    std::map<std::string, std::size_t> place_;
};

}  // namespace

ImageShape image_shape(const std::string& text) {
    const std::size_t cross = text.find('x');
    ImageShape shape;
    if (cross != std::string::npos) {
        shape.height = side_of(std::string_view(text).substr(0, cross));
        shape.width = side_of(std::string_view(text).substr(cross + 1));
    }
    if (shape.height == 0 || shape.width == 0 || shape.height > k_most_pixels / shape.width)
        throw ConfigError("image_shape: '" + text + "' is no height and width such as 28x28, of at most " +
                          std::to_string(k_most_pixels) + " pixels");
    return shape;
}

void check_image_shape(const ImageShape& shape, const model::Ensemble& model) {
    if (shape.height * shape.width != model.features.size())
        throw ConfigError("an image of " + std::to_string(shape.height) + "x" + std::to_string(shape.width) +
                          " has " + std::to_string(shape.height * shape.width) + " pixels, the model has " +
                          std::to_string(model.features.size()) +
                          " features; --image-shape is for models of images, height first");
}

draw::ImageMap explanation_map(const Explanation& explanation, const model::Ensemble& model,
                               const ImageShape& shape) {
    check_image_shape(shape, model);
    draw::ImageMap map;
    map.height = shape.height;
    map.width = shape.width;
    map.title = explanation.title + " for " + model.label_name;
    map.subtitle = picture_subtitle(explanation, model);
    map.notes = explanation.notes;
    for (const model::Feature& feature : model.features) map.pixel_names.push_back(feature.name);
    for (std::size_t score = 0; score < explanation.width(); ++score) {
        draw::MapPanel panel;
        panel.title = explanation.scores.empty() ? explanation.kind : explanation.scores[score];
        panel.values.assign(model.features.size(), 0);
        for (const ExplainedSubject& subject : explanation.subjects)
            panel.values[subject.feature] += subject.values[score];
        map.panels.push_back(std::move(panel));
    }
    return map;
}

void add_panels(draw::ImageMap& map, const data::TableShard& table, const std::string& name,
                const model::Ensemble& model) {
    const std::size_t features = column_of(table, "feature", name);
    const std::size_t values = column_of(table, "importance", name);
    const auto scores = table.schema.find("score");
    std::map<std::string, std::size_t> place;
    for (const model::Feature& feature : model.features) place.emplace(feature.name, place.size());
    TablePanels panels(map, name);
    for (std::size_t row = 0; row < table.rows; ++row) {
        const auto cell = [&](std::size_t column) {
            return data::cell_text(table.schema.columns[column], table.values[column], row);
        };
        const auto pixel = place.find(cell(features));
        if (pixel == place.end())
            throw InputError("'" + name + "' speaks of a feature '" + cell(features) +
                             "' that the model does not have: --beside takes tables of the same features");
        panels.of(scores ? cell(*scores) : "").values[pixel->second] +=
            data::as_double(table.schema.columns[values].type, table.values[values], row);
    }
}

}  // namespace regrove::pipeline
