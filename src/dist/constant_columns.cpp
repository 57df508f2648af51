// Smallest and largest value a column; wide tables have many constant columns, so they share a sentence.
#include "regrove/dist/constant_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <variant>

namespace regrove::dist {
namespace {

constexpr std::size_t k_listed_columns = 8;

template <class Cell>
bool is_missing_cell(Cell cell) {
    if constexpr (std::is_floating_point_v<Cell>) return std::isnan(cell);
    return cell == std::numeric_limits<Cell>::min();
}

std::string sentence(const std::vector<std::string>& names, const std::string& what) {
    if (names.size() == 1) return "column '" + names.front() + "' has " + what;
    std::string text = std::to_string(names.size()) + " columns have " + what + ": ";
    for (std::size_t i = 0; i < std::min(names.size(), k_listed_columns); ++i)
        text += (i == 0 ? "" : ", ") + names[i];
    return text + (names.size() > k_listed_columns ? ", ..." : "");
}

}  // namespace

ConstantColumns::ConstantColumns(const data::Schema& schema) : columns_(schema.features()) {
    for (const std::size_t column : columns_) names_.push_back(schema.columns[column].name);
    low_.assign(columns_.size(), std::numeric_limits<double>::infinity());
    high_.assign(columns_.size(), -std::numeric_limits<double>::infinity());
    missing_.assign(columns_.size(), 0);
}

void ConstantColumns::add(const data::TableShard& chunk) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::visit(
            [&](const auto& cells) {
                using Cell = typename std::decay_t<decltype(cells)>::value_type;
                if constexpr (std::is_arithmetic_v<Cell>) {
                    for (const Cell cell : cells) {
                        if (is_missing_cell(cell)) {
                            ++missing_[i];
                            continue;
                        }
                        low_[i] = std::min(low_[i], static_cast<double>(cell));
                        high_[i] = std::max(high_[i], static_cast<double>(cell));
                    }
                }
            },
            chunk.values[columns_[i]]);
    }
}

std::vector<std::string> ConstantColumns::warnings(comm::Communicator& comm) {
    comm.min(std::span(low_));
    comm.max(std::span(high_));
    comm.sum(std::span(missing_));
    std::vector<std::string> constant;
    std::vector<std::string> empty;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (low_[i] > high_[i]) empty.push_back(names_[i]);
        if (low_[i] == high_[i] && missing_[i] == 0) constant.push_back(names_[i]);
    }
    std::vector<std::string> warnings;
    if (!constant.empty()) warnings.push_back(sentence(constant, "the same value in all rows"));
    if (!empty.empty()) warnings.push_back(sentence(empty, "no value in any row"));
    return warnings;
}

}  // namespace regrove::dist
