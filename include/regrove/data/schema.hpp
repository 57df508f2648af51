// Names, types and roles of a table's columns.
//
// Glossary of the module:
//   category    a value of a categorical column; stored as a code, its index in the column's dictionary
//   missing     a cell without a value: NaN in float columns, the smallest value in integer columns (so that value
//               itself is refused on input), code -1 in category columns, the empty string in text columns
//   role        what a column is for: features are what a model may ask about
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/core/hash.hpp"

namespace regrove::data {

enum class ColumnType : std::uint8_t { float32, float64, int32, int64, category, text };
enum class ColumnRole : std::uint8_t { feature, label, weight, group, fold, id };

using CategoryCode = std::int32_t;
constexpr CategoryCode k_missing_category = -1;
constexpr std::int32_t k_missing_int32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t k_missing_int64 = std::numeric_limits<std::int64_t>::min();

std::string_view to_text(ColumnType type);
std::string_view to_text(ColumnRole role);
/// nullopt when `text` names none.
std::optional<ColumnType> column_type_from_text(std::string_view text);
std::optional<ColumnRole> column_role_from_text(std::string_view text);
constexpr bool is_numeric(ColumnType type) { return type <= ColumnType::int64; }

struct ColumnSchema {
    std::string name;
    ColumnType type = ColumnType::float64;
    ColumnRole role = ColumnRole::feature;
    /// The dictionary of a category column, in code order; empty otherwise.
    std::vector<std::string> categories;
    friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

/// The columns in table order; at most one label, weight, group and fold column.
struct Schema {
    std::vector<ColumnSchema> columns;

    std::optional<std::size_t> find(std::string_view name) const;
    std::optional<std::size_t> find(ColumnRole role) const;
    /// Indices of the feature columns, in table order.
    std::vector<std::size_t> features() const;
    /// Hash of names, types, roles and dictionaries.
    Hash128 hash() const;
    friend bool operator==(const Schema&, const Schema&) = default;
};

/// Throws InputError on duplicate or empty names, two columns of a role that allows one, or no columns.
void validate(const Schema& schema);

}  // namespace regrove::data
