// Local numbering by hash map while reading; one sort when all is read gives the order that everybody shares.
#include "regrove/ingest/category_dictionary.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"

namespace regrove::ingest {

data::CategoryCode CategoryDictionary::add(std::string_view text) {
    const auto found = codes_.find(text);
    if (found != codes_.end()) return found->second;
    const auto code = static_cast<data::CategoryCode>(names_.size());
    codes_.emplace(text, code);
    names_.emplace_back(text);
    bytes_ += 2 * text.size() + 96;
    return code;
}

std::vector<std::string> merged_levels(const std::vector<std::vector<std::string>>& lists) {
    std::vector<std::string> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    std::ranges::sort(all);
    const auto [first, last] = std::ranges::unique(all);
    all.erase(first, last);
    return all;
}

LevelIndex::LevelIndex(const std::vector<std::string>& levels) {
    codes_.reserve(levels.size());
    for (std::size_t i = 0; i < levels.size(); ++i) codes_.emplace(levels[i], static_cast<data::CategoryCode>(i));
}

data::CategoryCode LevelIndex::code(std::string_view name) const {
    const auto found = codes_.find(name);
    REGROVE_CHECK(found != codes_.end());
    return found->second;
}

}  // namespace regrove::ingest
