// Finds rings in a directed graph of names.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace regrove::layering {

/// From a name to the names it points to.
using Graph = std::map<std::string, std::vector<std::string>>;

/// Each ring met by a depth-first walk in name order, as "a -> b -> a"; at least one when the graph has any.
std::vector<std::string> find_rings(const Graph& graph);

}  // namespace regrove::layering
