// The rows of the format table, and reading a file by its content.
#include "regrove/formats/registry.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "regrove/core/error.hpp"

#include "ba_trees_text.hpp"
#include "polynomial_json.hpp"
#include "regrove_json.hpp"
#include "sklearn_json.hpp"

namespace regrove::formats {

namespace {

constexpr std::size_t k_head_bytes = 4096;

std::string known_formats() {
    std::string names;
    for (const Format& format : all_formats()) names += (names.empty() ? "" : ", ") + format.name;
    return names;
}

}  // namespace

std::span<const Format> all_formats() {
    static const std::array<Format, 4> formats{
        Format{std::string(k_regrove_json), "Regrove's own: JSON, one node a line, exact numbers", sniff_regrove_json,
               read_regrove_json, write_regrove_json},
        Format{"sklearn-json", "scikit-learn's trees and forests as scripts/export_sklearn.py writes them; read only",
               sniff_sklearn_json, read_sklearn_json, nullptr},
        Format{std::string(k_ba_trees_text), "the forest text of the BA-Trees program: votes of trees over numbers",
               sniff_ba_trees_text, read_ba_trees_text, write_ba_trees_text},
        Format{std::string(k_polynomial_json), "a sum of monomials, as 'regrove convert --form polynomial' makes it",
               sniff_polynomial_json, read_polynomial_json, write_polynomial_json}};
    return formats;
}

model::Ensemble parse_model(std::string_view text, const std::string& file) {
    const std::string_view head = text.substr(0, k_head_bytes);
    const auto formats = all_formats();
    const auto found = std::ranges::find_if(formats, [&](const Format& format) { return format.sniff(head); });
    if (found == formats.end())
        throw FormatError(file + ": this is no model file of a known format" +
                          (text.empty() ? " (the file is empty)" : "") + "; known formats: " + known_formats());
    return found->read(text, file);
}

std::string read_model_text(const std::string& path) {
    const auto close = [](std::FILE* file) { std::fclose(file); };
    const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
    if (!file) throw io_error("open model", path, errno);
    std::string bytes;
    std::array<char, 1 << 16> buffer;
    for (;;) {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get());
        bytes.append(buffer.data(), count);
        if (count == buffer.size()) continue;
        if (std::ferror(file.get()) != 0) throw io_error("read model", path, errno);
        return bytes;
    }
}

model::Ensemble read_model(const std::string& path) { return parse_model(read_model_text(path), path); }

std::string write_model(const model::Ensemble& ensemble, std::string_view format) {
    const auto formats = all_formats();
    const auto found = std::ranges::find(formats, format, &Format::name);
    if (found == formats.end())
        throw ConfigError("unknown model format '" + std::string(format) + "'; known formats: " + known_formats());
    if (!found->write)
        throw ConfigError("the model format '" + std::string(format) +
                          "' can be read only; write another, such as '" + std::string(k_regrove_json) + "'");
    return found->write(ensemble);
}

}  // namespace regrove::formats
