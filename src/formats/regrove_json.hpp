// Regrove's own model format: JSON with one node a line, written with exact numbers and read strictly.
//
// docs/formats.md describes it. Numbers are the shortest decimal texts that read back to the same bits; infinities
// are the texts "inf" and "-inf", which JSON numbers cannot say.
#pragma once

#include <string>
#include <string_view>

#include "regrove/model/ensemble.hpp"

namespace regrove::formats {

constexpr std::string_view k_regrove_json = "regrove-json";
/// Changes when the meaning of the file changes; older ones are read, newer ones refused.
/// 2: with category_sets; files without them still say 1.
constexpr int k_regrove_json_version = 2;

bool sniff_regrove_json(std::string_view head);
model::Ensemble read_regrove_json(std::string_view text, const std::string& file);
std::string write_regrove_json(const model::Ensemble& ensemble);

}  // namespace regrove::formats
