// What a backup question says of a row; for those who follow a question's surrogates one by one.
#pragma once

#include <optional>
#include <span>

#include "regrove/model/split.hpp"

namespace regrove::infer {

/// nullopt when the row has no value for it, or one that training did not see at the node.
std::optional<model::Side> answer(const model::Surrogate& surrogate, std::span<const double> cells);

}  // namespace regrove::infer
