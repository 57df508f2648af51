// Finds the feature columns of a table that hold one value only, while its rows pass by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

/// For numeric columns. O(columns) memory; the extremes merge over the ranks.
class ConstantColumns {
  public:
    explicit ConstantColumns(const data::Schema& schema);
    void add(const data::TableShard& chunk);
    /// Collective. One sentence for the columns with one value in all rows and one for those without any.
    std::vector<std::string> warnings(comm::Communicator& comm);

  private:
    std::vector<std::string> names_;
    std::vector<std::size_t> columns_;
    std::vector<double> low_;
    std::vector<double> high_;
    std::vector<std::uint64_t> missing_;
};

}  // namespace regrove::dist
