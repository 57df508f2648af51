// Where errors in JSON documents get their file, path, line and column.
#include "json_cursor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "regrove/core/error.hpp"

namespace regrove::formats {

std::string JsonCursor::path() const {
    if (parent_ == nullptr) return {};
    std::string path = parent_->path();
    if (key_.empty()) return path + '[' + std::to_string(element_) + ']';
    if (!path.empty()) path += '.';
    return path.append(key_);
}

void JsonCursor::fail(const std::string& message) const {
    const std::string place = path();
    throw FormatError(*file_ + ": " + (place.empty() ? "" : place + ": ") + message);
}

void JsonCursor::require(bool condition, const char* expected) const {
    if (!condition) fail(std::string("expected ") + expected + ", found " + value_->type_name());
}

const std::string& JsonCursor::text() const {
    require(value_->is_string(), "text");
    return value_->get_ref<const std::string&>();
}

bool JsonCursor::boolean() const {
    require(value_->is_boolean(), "true or false");
    return value_->get<bool>();
}

std::uint64_t JsonCursor::count() const {
    require(value_->is_number_unsigned(), "a whole number of at least 0");
    return value_->get<std::uint64_t>();
}

std::uint32_t JsonCursor::index() const {
    const std::uint64_t value = count();
    if (value > std::numeric_limits<std::uint32_t>::max()) fail("number " + std::to_string(value) + " is too large");
    return static_cast<std::uint32_t>(value);
}

double JsonCursor::number() const {
    if (value_->is_string()) {
        const auto& word = value_->get_ref<const std::string&>();
        if (word == "inf") return std::numeric_limits<double>::infinity();
        if (word == "-inf") return -std::numeric_limits<double>::infinity();
    }
    require(value_->is_number(), "a number");
    return value_->get<double>();
}

std::vector<std::string> JsonCursor::texts() const {
    std::vector<std::string> values(size_of_array());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = element(i).text();
    return values;
}

std::vector<double> JsonCursor::numbers() const {
    std::vector<double> values(size_of_array());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = element(i).number();
    return values;
}

std::size_t JsonCursor::size_of_array() const {
    require(value_->is_array(), "a list");
    return value_->size();
}

JsonCursor JsonCursor::element(std::size_t i) const { return {(*value_)[i], *this, {}, i}; }

JsonCursor JsonCursor::member(std::string_view key) const {
    require(value_->is_object(), "an object");
    const auto found = value_->find(key);
    if (found == value_->end()) fail("key '" + std::string(key) + "' is missing");
    return {*found, *this, key, 0};
}

bool JsonCursor::has(std::string_view key) const { return value_->is_object() && value_->contains(key); }

void JsonCursor::require_keys(std::span<const std::string_view> keys) const {
    require(value_->is_object(), "an object");
    for (const auto key : keys) static_cast<void>(member(key));
    if (value_->size() == keys.size()) return;
    for (const auto& item : value_->items())
        if (std::ranges::find(keys, std::string_view(item.key())) == keys.end())
            fail("unknown key '" + item.key() + "'");
}

std::vector<std::string> JsonCursor::keys() const {
    require(value_->is_object(), "an object");
    std::vector<std::string> names;
    for (const auto& item : value_->items()) names.push_back(item.key());
    return names;
}

namespace {

TextPosition position_of(std::string_view text, std::size_t byte, const std::string& file) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = static_cast<std::uint64_t>(std::ranges::count(before, '\n')) + 1;
    const std::size_t line_start = before.rfind('\n');
    const std::size_t column = before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1);
    return {file, line, std::max<std::size_t>(column, 1)};
}

/// The library's message behind its own exception name and position: "[...] parse error at line 1, column 2: reason".
std::string reason(const nlohmann::json::exception& error) {
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.size(), what.find("] ") + 2));
    if (what.starts_with("parse error at")) what.remove_prefix(std::min(what.size(), what.find(": ") + 2));
    return std::string(what);
}

/// Refuses the second key of a name within one object, which the library would silently take. A walk of its own: a
/// filter on the library's own would look through all of a list again after each of its elements.
class DuplicateKeys final : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit DuplicateKeys(const std::string& file) : file_(file) {}

    bool start_object(std::size_t) override {
        open_.emplace_back();
        return true;
    }
    bool end_object() override {
        open_.pop_back();
        return true;
    }
    bool key(string_t& name) override {
        if (!open_.back().insert(name).second)
            throw FormatError(file_ + ": key '" + name + "' stands twice in one object");
        return true;
    }
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    /// Ends the walk; who reads the document says what is wrong.
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

  private:
    const std::string& file_;
    std::vector<std::set<std::string>> open_;
};

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& file) {
    DuplicateKeys duplicates(file);
    static_cast<void>(nlohmann::json::sax_parse(text, &duplicates));
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw FormatError(to_string(position_of(text, error.byte, file)) +
                          ": damaged or truncated JSON: " + reason(error));
    } catch (const nlohmann::json::exception& error) {
        throw FormatError(file + ": damaged JSON: " + reason(error));
    }
}

namespace {

/// Whether `text` goes on with `word` at `at` after blanks; moves `at` behind it.
bool skip_word(std::string_view text, std::size_t& at, std::string_view word) {
    while (at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) ++at;
    if (text.substr(at, word.size()) != word) return false;
    at += word.size();
    return true;
}

}  // namespace

bool sniff_json_format(std::string_view head, std::string_view format) {
    std::size_t at = 0;
    if (!skip_word(head, at, "{")) return false;
    const std::string quoted = '"' + std::string(format) + '"';
    for (at = head.find("\"format\""); at != std::string_view::npos; at = head.find("\"format\"", at)) {
        at += 8;
        if (skip_word(head, at, ":") && skip_word(head, at, quoted)) return true;
    }
    return false;
}

}  // namespace regrove::formats
