// Trees of scikit-learn as scripts/export_sklearn.py writes them: its arrays, node by node, with exact numbers.
//
// docs/formats.md describes the file. scikit-learn casts a value to float32 and sends it left when it is at most the
// threshold, a double; features of precision float32 mean just that.
#pragma once

#include <string>
#include <string_view>

#include "regrove/model/ensemble.hpp"

namespace regrove::formats {

constexpr std::string_view k_sklearn_json = "regrove-sklearn-trees";
constexpr int k_sklearn_json_version = 1;

bool sniff_sklearn_json(std::string_view head);
/// Nodes are numbered anew in pre-order, whatever the order of the file.
model::Ensemble read_sklearn_json(std::string_view text, const std::string& file);

}  // namespace regrove::formats
