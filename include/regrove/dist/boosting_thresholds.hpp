// Thresholds over all distinct values, found by all ranks together in the global order of each column.
//
// local: each holder sweeps its run of every numeric column for all open nodes     summary: a candidate a node
// merge: the preceding one over columns and ranks                                  decide: the same on every rank
// The order (ColumnRuns) is found once for all trees. With more than one rank a holder keeps the gradients of its places in
// their order; only the rows' nodes travel again.
//
// Memory a rank, for c numeric columns and n rows on p ranks: ColumnRuns, and with p > 1 (4 or 16) c n / p bytes of gradients
// (packed or wide grid), with one rank 8 bytes a row.
// Bytes sent a rank, times (p - 1) / p:
//   a tree     (4 or 17) c n / p          gradients
//   a level    (1, 2 or 4) c n / p        nodes of rows: one byte below 255 open nodes
//              24 m c ceil(log2 p) each   sums before the run, next values, for m open nodes
//              (112 + 32) m ceil(log2 p)  candidates, ends of thresholds
#pragma once

#include <memory>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/train/boosting_thresholds.hpp"

namespace regrove::dist {

/// Orders the columns and keeps them. `columns` are those of all features, of which `numeric` lists the numeric ones; the others
/// are let go. `left_out` marks rows of weight zero (may be empty). The communicator must outlive it. Collective; throws
/// LimitError (agreed).
std::unique_ptr<train::ThresholdSearch> make_threshold_search(comm::Communicator& comm,
                                                              std::vector<data::ColumnValues> columns,
                                                              std::vector<std::uint32_t> numeric,
                                                              const std::vector<bool>& left_out);

}  // namespace regrove::dist
