// A table whose label asks for one of its values against all others.
#pragma once

#include <memory>
#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/ingest_table.hpp"

namespace regrove::dist {

/// `table` with its label as a category of two: "rest", then `value`, which is the label as text (a class's name, the
/// shortest form of a number); missing labels stay missing. Throws ConfigError when there is no label or `value` is empty or
/// "rest", and InputError at the end of hand_out() when no row or every row has the value.
std::unique_ptr<ScannedTable> one_against_rest(comm::Communicator& comm, std::unique_ptr<ScannedTable> table,
                                               const std::string& value);

}  // namespace regrove::dist
