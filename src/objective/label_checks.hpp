// What labels an objective can learn from, and the words for those that it cannot.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "regrove/objective/objective.hpp"

namespace regrove::objective {

/// Throws InputError for the first row whose label `is_good` refuses: "row 7: the label is -1, but poisson needs ...".
void require_labels(const LabelledRows& rows, std::uint64_t first_row, std::string_view objective, const char* needs,
                    const std::function<bool(double)>& is_good);

}  // namespace regrove::objective
