#include "regrove/pipeline/toml_sections.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>

#include <toml++/toml.h>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::pipeline {

namespace {

std::string place(const std::string& file, const toml::source_position& position) {
    return to_string(TextPosition{file, position.line, position.column});
}

class SectionReader {
  public:
    explicit SectionReader(std::string file) : file_(std::move(file)) {}

    std::vector<TomlSection> read(const toml::table& top) {
        add("", false, top);
        std::stable_sort(sections_.begin() + 1, sections_.end(),
                         [](const Placed& a, const Placed& b) { return a.line < b.line; });
        std::vector<TomlSection> result;
        for (auto& placed : sections_) result.push_back(std::move(placed.section));
        return result;
    }

  private:
    struct Placed {
        TomlSection section;
        std::uint32_t line;
    };

    void add(const std::string& name, bool repeated, const toml::table& table) {
        const std::size_t own = sections_.size();
        const auto& begin = table.source().begin;
        sections_.push_back({{name, repeated, name.empty() ? file_ : place(file_, begin), {}}, begin.line});
        for (const auto& [key, node] : table) add_node(own, name, std::string(key.str()), node);
        auto& settings = sections_[own].section.settings;
        std::stable_sort(settings.begin(), settings.end(),
                         [](const Setting& a, const Setting& b) { return a.key < b.key; });
        refuse_same_key_twice(settings);
    }

    void add_node(std::size_t own, const std::string& name, const std::string& key, const toml::node& node) {
        const std::string full = name.empty() ? key : name + "." + key;
        if (const auto* table = node.as_table()) {
            add(full, false, *table);
        } else if (const auto* array = node.as_array(); array != nullptr && array->is_array_of_tables()) {
            for (const auto& element : *array) add(full, true, *element.as_table());
        } else {
            const std::string origin = place(file_, node.source().begin);
            sections_[own].section.settings.push_back({name, to_key(key), text_of(node, origin), origin, false});
        }
    }

    /// TOML itself refuses equal keys; max-depth and max_depth are the same option too.
    static void refuse_same_key_twice(const std::vector<Setting>& sorted) {
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (sorted[i].key != sorted[i - 1].key) continue;
            throw ConfigError(sorted[i].origin + ": '" + sorted[i].key + "' is given twice (also at " +
                              sorted[i - 1].origin + ")");
        }
    }

    static std::string text_of(const toml::node& node, const std::string& origin) {
        if (const auto* text = node.as_string()) return text->get();
        if (const auto* integer = node.as_integer()) return to_text(std::int64_t{integer->get()});
        if (const auto* real = node.as_floating_point()) return to_text(real->get());
        if (const auto* truth = node.as_boolean()) return truth->get() ? "yes" : "no";
        if (const auto* array = node.as_array()) return joined(*array, origin);
        throw ConfigError(
            origin + ": an option takes a text, a number, true, false or a list of these; write dates as \"text\"");
    }

    static std::string joined(const toml::array& array, const std::string& origin) {
        std::vector<std::string> items;
        for (const auto& element : array) {
            if (element.is_array() || element.is_table()) throw ConfigError(origin + ": a list may not hold lists");
            items.push_back(text_of(element, origin));
        }
        return join_list(items);
    }

    std::string file_;
    std::vector<Placed> sections_;
};

}  // namespace

std::vector<TomlSection> read_toml_sections(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw io_error("read", path, errno);
    std::ostringstream text;
    text << file.rdbuf();
    if (file.bad()) throw io_error("read", path, errno);
    try {
        return SectionReader(path).read(toml::parse(text.str(), path));
    } catch (const toml::parse_error& error) {
        throw ConfigError(place(path, error.source().begin) + ": " + std::string(error.description()));
    }
}

}  // namespace regrove::pipeline
