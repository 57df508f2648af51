// The only user of toml++ in this room.
#include "regrove/ingest/schema_file.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>

#include <toml++/toml.h>

#include "regrove/core/error.hpp"

namespace regrove::ingest {
namespace {

class Reader {
  public:
    explicit Reader(std::string path) : path_(std::move(path)) {}

    std::vector<SchemaFileColumn> read(const toml::table& file) const {
        for (const auto& [key, node] : file)
            if (key.str() != "column")
                fail(node, "unknown key '" + std::string(key.str()) + "'; only [[column]] is known");
        const toml::array* list = file["column"].as_array();
        if (list == nullptr) throw ConfigError(path_ + ": no [[column]] is there");
        std::vector<SchemaFileColumn> columns;
        for (const toml::node& node : *list) {
            if (!node.is_table()) fail(node, "column must be a table: [[column]]");
            columns.push_back(read_column(*node.as_table()));
        }
        return columns;
    }

  private:
    [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
        const toml::source_position at = node.source().begin;
        throw ConfigError(to_string(TextPosition{path_, at.line, at.column}) + ": " + message);
    }

    SchemaFileColumn read_column(const toml::table& table) const {
        SchemaFileColumn column;
        for (const auto& [key, node] : table) read_key(column, std::string(key.str()), node);
        if (column.name.empty() && !column.index) fail(table, "a column needs a name or an index");
        if (!column.categories.empty()) {
            if (column.type && *column.type != data::ColumnType::category)
                fail(table, "categories are given for a column of another type");
            column.type = data::ColumnType::category;
        }
        return column;
    }

    void read_key(SchemaFileColumn& column, const std::string& key, const toml::node& node) const {
        if (key == "name") {
            column.name = text(node, key);
        } else if (key == "index") {
            const auto index = node.value_exact<std::int64_t>();
            if (!index || *index < 0) fail(node, "index must be a whole number of at least 0");
            column.index = static_cast<std::size_t>(*index);
        } else if (key == "type") {
            column.type = data::column_type_from_text(text(node, key));
            if (!column.type) fail(node, "type must be one of float32 float64 int32 int64 category text");
        } else if (key == "role") {
            read_role(column, node);
        } else if (key == "categories") {
            const toml::array* list = node.as_array();
            if (list == nullptr) fail(node, "categories must be a list of texts");
            for (const toml::node& item : *list) column.categories.push_back(text(item, key));
        } else {
            fail(node, "unknown key '" + key + "'; known are name index type role categories");
        }
    }

    void read_role(SchemaFileColumn& column, const toml::node& node) const {
        const std::string role = text(node, "role");
        column.ignore = role == "ignore";
        if (column.ignore) return;
        column.role = data::column_role_from_text(role);
        if (!column.role) fail(node, "role must be one of feature label weight group fold id ignore");
    }

    std::string text(const toml::node& node, const std::string& key) const {
        const auto value = node.value_exact<std::string>();
        if (!value) fail(node, key + " must be text in quotes");
        return *value;
    }

    std::string path_;
};

}  // namespace

std::vector<SchemaFileColumn> read_schema_file(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw io_error("read", path, errno);
    std::stringstream text;
    text << file.rdbuf();
    try {
        return Reader(path).read(toml::parse(text.str(), path));
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        throw ConfigError(to_string(TextPosition{path, at.line, at.column}) + ": " +
                          std::string(error.description()));
    }
}

}  // namespace regrove::ingest
