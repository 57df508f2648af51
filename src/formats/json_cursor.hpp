// A strict walk over a JSON document that knows where it is, so that every error names file and path.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "regrove/core/error.hpp"

namespace regrove::formats {

/// A value and the way to it from the document's root. Cheap to copy; parents must outlive their children.
class JsonCursor {
  public:
    JsonCursor(const nlohmann::json& root, const std::string& file) : value_(&root), file_(&file) {}

    /// "trees[0].nodes[17].threshold"; empty at the root.
    std::string path() const;
    /// Throws FormatError: "model.json: trees[0].nodes[17]: message".
    [[noreturn]] void fail(const std::string& message) const;

    // The value as the type asked for; anything else fails.
    const std::string& text() const;
    bool boolean() const;
    std::uint64_t count() const;
    /// A count that fits 32 bits.
    std::uint32_t index() const;
    /// Any number, or the text "inf" or "-inf".
    double number() const;
    std::vector<std::string> texts() const;
    std::vector<double> numbers() const;

    bool is_number() const { return value_->is_number(); }
    std::size_t size_of_array() const;
    JsonCursor element(std::size_t i) const;
    /// The object's member; fails when it is no object or has no such key.
    JsonCursor member(std::string_view key) const;
    bool has(std::string_view key) const;
    /// Fails unless the value is an object of exactly these keys.
    void require_keys(std::span<const std::string_view> keys) const;
    /// Keys in alphabetical order, for objects with free keys.
    std::vector<std::string> keys() const;

  private:
    JsonCursor(const nlohmann::json& value, const JsonCursor& parent, std::string_view key, std::size_t element)
        : value_(&value), file_(parent.file_), parent_(&parent), key_(key), element_(element) {}
    void require(bool condition, const char* expected) const;

    const nlohmann::json* value_;
    const std::string* file_;
    const JsonCursor* parent_ = nullptr;
    std::string_view key_;  ///< empty: this is an array's element
    std::size_t element_ = 0;
};

/// The document of `text`; throws FormatError with line and column on damaged JSON and on a key that stands twice.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// Whether the text begins as an object with the member "format": "<format>".
bool sniff_json_format(std::string_view head, std::string_view format);

/// `read()`; errors of the builder's checks, which know tree and node but not the file, get the file's name.
template <class Read>
auto with_file_name(const std::string& file, Read read) {
    try {
        return read();
    } catch (const FormatError& error) {
        if (std::string_view(error.what()).starts_with(file + ": ")) throw;
        throw FormatError(file + ": " + error.what());
    }
}

}  // namespace regrove::formats
