// The out-of-bag score of a forest, and its answers as a table.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/forest_grower.hpp"

namespace regrove::dist {

struct OutOfBagScore {
    std::uint64_t rows = 0;  ///< rows that some tree did not draw; only they count
    /// The usual metrics of the task, by name.
    std::vector<std::pair<std::string, double>> metrics;
};

/// `rows` are the rows that the forest was grown on, spread as then. Collective.
OutOfBagScore score_out_of_bag(comm::Communicator& comm, const GrownForest& grown, const data::TableShard& rows);

/// Throws InputError when an id column has the name of a column of out_of_bag_table().
void require_free_names(const data::Schema& schema);

/// One row for each: id columns, `trees` (how many did not draw it), then `class` and `probability_NAME`, or `value`;
/// missing where no tree did.
data::TableShard out_of_bag_table(const GrownForest& grown, const data::TableShard& rows);

}  // namespace regrove::dist
