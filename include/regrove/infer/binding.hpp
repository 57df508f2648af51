// Which table column answers for which feature of a model: matched by name (or place), with categories translated.
//
// Glossary of the module:
//   cell           a feature's value of one row as the trees compare it: a number rounded to the feature's precision,
//                  or a category's code in the model's dictionary; NaN when missing
//   unknown code   k_unknown_category, for a category that is not in the model's dictionary
//   answer         what a leaf says: class weights or a mean
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

constexpr double k_unknown_category = -1;

/// The column of one feature.
struct BoundFeature {
    std::size_t column = 0;
    bool used = false;  ///< some question asks for it; others are not read
    model::FeatureKind kind = model::FeatureKind::numeric;
    model::NumericPrecision precision = model::NumericPrecision::float64;
    /// Category column of a category feature: the cell for each code of the table's dictionary.
    std::vector<double> cell_of_code;
    /// Numeric column of a category feature: the cell for each value whose text is in the model's dictionary.
    std::unordered_map<double, double> cell_of_number;
    /// Text column of a category feature.
    std::unordered_map<std::string, double> cell_of_text;
};

class Binding {
  public:
    /// Throws InputError that lists every feature without a column (with the nearest column's name), every column
    /// that cannot answer for its feature, and the columns that the model does not know. Further columns are fine.
    /// A model without names (Ensemble::features_by_position) takes the table's feature columns in their order.
    Binding(const model::Ensemble& ensemble, const data::Schema& schema);

    std::size_t features() const { return features_.size(); }
    /// From now on only the features that this tree asks about are filled in: for trees that come one by one.
    void use_only(const model::Tree& tree);
    /// Writes the cells of rows [begin, end) of a shard of the bound schema: features() doubles a row, row by row.
    /// Cells of features that no question asks for are left alone.
    void fill(const data::TableShard& shard, std::size_t begin, std::size_t end, std::vector<double>& cells) const;
    /// Whether some question asks for the feature, a surrogate included.
    bool is_used(FeatureId feature) const { return features_[index(feature)].used; }
    /// The cells of one used feature for rows [begin, end), as fill() writes them, to cells[0], cells[1], ...
    void fill_column(const data::TableShard& shard, std::size_t begin, std::size_t end, FeatureId feature,
                     double* cells) const;
    /// The same of a numeric feature of float32 precision, NaN when missing: in the shard itself where it holds them so, else
    /// in `room`, which has a place for each row.
    std::span<const float> floats(const data::TableShard& shard, std::size_t begin, std::size_t end,
                                  FeatureId feature, std::vector<float>& room) const;
    /// The cells of one used feature for all rows of a shard.
    std::vector<double> feature_cells(const data::TableShard& shard, FeatureId feature) const;
    /// What a person should know: categories of the table that the model has never seen.
    const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    std::vector<BoundFeature> features_;
    std::vector<std::string> warnings_;
};

}  // namespace regrove::infer
