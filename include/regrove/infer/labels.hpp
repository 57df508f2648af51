// The label column of a table in a model's terms: class numbers matched by name, or numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

/// The column with the role label, else the one named as the model's label; throws InputError when there is none.
std::size_t label_column(const model::Ensemble& ensemble, const data::Schema& schema);

/// Each row's class by name; a number stands for the class whose name is that number. Throws InputError naming the
/// row (from zero, over all ranks) when a label is missing or no class of the model, and lists the model's classes.
std::vector<std::int32_t> true_classes(const model::Ensemble& ensemble, const data::TableShard& shard,
                                       std::size_t column);

/// Each row's number. Throws InputError when the column holds no numbers or a label is missing.
std::vector<double> true_values(const data::TableShard& shard, std::size_t column);

/// What a reader of a text table should know from the model: which columns it asks about and which hold categories.
data::Schema expected_schema(const model::Ensemble& ensemble);

}  // namespace regrove::infer
