// One line of LibSVM text to its label, group and entries, or to the reason why it is no row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/ingest/libsvm.hpp"

namespace regrove::ingest {

struct LibsvmEntry {
    std::uint64_t index = 0;
    double value = 0;          ///< NaN: given as missing
    bool fits_float32 = true;  ///< float32 keeps what was written
    std::uint64_t column = 0;
};

struct LibsvmRow {
    double label = 0;
    std::optional<std::int64_t> group;
    std::vector<LibsvmEntry> entries;  ///< in the line's order, indices distinct
};

enum class LibsvmLine : std::uint8_t { blank, row, bad };

/// What a row may hold. References the texts: they must outlive it.
struct LibsvmRules {
    std::span<const std::string> missing;
    std::uint64_t lowest_index = 0;
    /// Values become float32: what is beyond its range is refused.
    bool as_float32 = false;
};

/// Reads lines one after the other, keeping its memory. `line` has no line end. When bad, `problem` has column and
/// message. O(n log n) only where indices are out of order.
class LibsvmLineReader {
  public:
    explicit LibsvmLineReader(LibsvmRules rules) : rules_(rules) {}
    LibsvmLine read(std::string_view line, LibsvmRow& row, LibsvmBadRow& problem);

  private:
    struct Cell;
    bool read_label(const Cell& cell, LibsvmRow& row, LibsvmBadRow& problem) const;
    bool read_group(const Cell& cell, LibsvmRow& row, LibsvmBadRow& problem) const;
    bool read_entry(const Cell& cell, LibsvmRow& row, LibsvmBadRow& problem) const;
    bool read_value(std::string_view text, LibsvmEntry& entry, std::string& why) const;
    bool indices_distinct(const LibsvmRow& row, LibsvmBadRow& problem);

    LibsvmRules rules_;
    std::vector<LibsvmEntry> sorted_;
};

}  // namespace regrove::ingest
