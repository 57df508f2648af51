// A model without the features that none of its questions asks about, for tables too wide to be dense.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/data/sparse_cells.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

struct NarrowModel {
    model::Ensemble model;                ///< answers as the whole one does
    std::vector<std::uint32_t> features;  ///< the whole model's numbers of its features, ascending
};

/// Of all trees.
NarrowModel narrow_model(const model::Ensemble& ensemble);
/// Of one tree alone, whose features are those of `ensemble`: for its leaves.
NarrowModel narrow_tree(const model::Ensemble& ensemble, const model::Tree& tree);

/// The sparse column of each of some features of a model, by name. Throws that names
/// features without a column, or categories, which sparse columns do not hold.
std::vector<std::uint32_t> sparse_columns_of(const model::Ensemble& ensemble, const data::SparseCells& cells);

}  // namespace regrove::infer
