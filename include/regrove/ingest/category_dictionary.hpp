// The distinct texts of a category column, numbered in the order in which they were met.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "regrove/data/schema.hpp"

namespace regrove::ingest {

/// More levels than this make a column useless as a category; it is refused.
constexpr std::size_t k_most_levels = 1000000;

class CategoryDictionary {
  public:
    /// The code of `text`, a new one if it was not there; O(1) expected.
    data::CategoryCode add(std::string_view text);
    std::size_t size() const { return names_.size(); }
    const std::vector<std::string>& names() const { return names_; }
    std::uint64_t bytes() const { return bytes_; }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, data::CategoryCode, Hash, std::equal_to<>> codes_;
    std::vector<std::string> names_;
    std::uint64_t bytes_ = 0;
};

/// The union of several lists of names in the order of their bytes, each name once: no matter how they were split.
std::vector<std::string> merged_levels(const std::vector<std::vector<std::string>>& lists);

/// Looks up the codes of a finished dictionary. Holds references: `levels` must outlive it.
class LevelIndex {
  public:
    explicit LevelIndex(const std::vector<std::string>& levels);
    /// InternalError when `name` is no level.
    data::CategoryCode code(std::string_view name) const;
    bool contains(std::string_view name) const { return codes_.contains(name); }

  private:
    std::unordered_map<std::string_view, data::CategoryCode> codes_;
};

}  // namespace regrove::ingest
