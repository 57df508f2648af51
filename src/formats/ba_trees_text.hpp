// The forest text of the BA-Trees program (Vidal and Schiffer 2020): header lines, then one line a node.
//
// Features and classes have no names: they are numbered from zero. `x <= threshold` goes left, compared in double, so
// a value that is missing goes right; each tree has one vote, ties go to the smaller class. docs/formats.md describes
// the file and what it cannot hold.
#pragma once

#include <string>
#include <string_view>

#include "regrove/model/ensemble.hpp"

namespace regrove::formats {

constexpr std::string_view k_ba_trees_text = "ba-trees-text";

bool sniff_ba_trees_text(std::string_view head);
model::Ensemble read_ba_trees_text(std::string_view text, const std::string& file);
/// Throws FormatError that names tree and node of what the file cannot hold.
std::string write_ba_trees_text(const model::Ensemble& ensemble);

}  // namespace regrove::formats
