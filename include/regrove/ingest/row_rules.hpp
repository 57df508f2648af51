// Row by row checks of the columns that may not hold everything: labels, weights, and columns of a schema file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regrove/ingest/category_dictionary.hpp"
#include "regrove/ingest/column_chunk.hpp"
#include "regrove/ingest/column_rule.hpp"
#include "regrove/ingest/piece_fields.hpp"

namespace regrove::ingest {

/// A row does not fit when its label, weight, group or fold is missing, its weight is no number of at least zero, a
/// cell is not of the type that the schema file gives, or a category is not among the given ones.
class RowRules : public RowCheck {
  public:
    /// Holds references to both.
    RowRules(const std::vector<ColumnRule>& rules, const CellReading& reading);
    std::size_t first_misfit(const Field* row, std::string& reason) const override;

  private:
    struct Checked {
        std::size_t column;
        const ColumnRule* rule;
        std::shared_ptr<LevelIndex> levels;
    };
    bool cell_fits(const Checked& checked, std::string_view text, std::string& reason) const;

    std::vector<Checked> checked_;
    CellReading reading_;
};

}  // namespace regrove::ingest
