// How a training row answers a question: the same rules by which infer/ routes rows.
#pragma once

#include <optional>

#include "regrove/data/table.hpp"
#include "regrove/model/split.hpp"

namespace regrove::train {

/// The side that the value in `row` asks for; nullopt when it is missing.
std::optional<model::Side> answer(const model::Question& question, const data::ColumnValues& values, std::size_t row);
std::optional<model::Side> answer(const model::Surrogate& surrogate, const data::ColumnValues& values,
                                  std::size_t row);

/// The side of `row`: its own answer, else the first surrogate that can answer, else the question's missing side.
model::Side side_of(const model::Question& question, const std::vector<data::ColumnValues>& columns, std::size_t row);

}  // namespace regrove::train
