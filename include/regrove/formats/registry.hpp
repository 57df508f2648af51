// The table of model file formats: one row each, read by `regrove --help`, by every place that takes a model, and by
// the tests.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "regrove/model/ensemble.hpp"

namespace regrove::formats {

struct Format {
    std::string name;         ///< "regrove-json"
    std::string description;  ///< one line for --help
    /// Whether a file that begins with these bytes (at most 4096) is of this format.
    std::function<bool(std::string_view head)> sniff;
    /// Parses a whole file's text; throws FormatError naming `file` and the place.
    std::function<model::Ensemble(std::string_view text, const std::string& file)> read;
    /// Deterministic: the same ensemble gives the same bytes. Empty when the format can be read only.
    std::function<std::string(const model::Ensemble&)> write;
};

std::span<const Format> all_formats();

/// Reads any known format by content; throws IoError or FormatError (unknown format: the message lists the known
/// ones).
model::Ensemble read_model(const std::string& path);
/// The bytes of a model file; throws IoError.
std::string read_model_text(const std::string& path);
model::Ensemble parse_model(std::string_view text, const std::string& file);
/// The bytes of `ensemble` in the format named `format`.
std::string write_model(const model::Ensemble& ensemble, std::string_view format = "regrove-json");

}  // namespace regrove::formats
