// Explanations of models whose features are an image's pixels, as maps.
#pragma once

#include <cstddef>
#include <string>

#include "regrove/data/table.hpp"
#include "regrove/draw/image_map.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/explanation.hpp"

namespace regrove::pipeline {

struct ImageShape {
    std::size_t height = 0;
    std::size_t width = 0;
};

/// "28x28": height, then width. Throws ConfigError on anything else.
ImageShape image_shape(const std::string& text);
/// Throws ConfigError when the model has not one feature for each pixel.
void check_image_shape(const ImageShape& shape, const model::Ensemble& model);

/// A panel for each score. The model's features are the pixels in their order, row by row from the top; conditions of one
/// feature are added up.
draw::ImageMap explanation_map(const Explanation& explanation, const model::Ensemble& model, const ImageShape& shape);

/// Further panels from a table that an explanation of the same features was written to (explanation_table), named `name`.
/// Throws InputError when it is no such table or has features that the model does not know.
void add_panels(draw::ImageMap& map, const data::TableShard& table, const std::string& name,
                const model::Ensemble& model);

}  // namespace regrove::pipeline
