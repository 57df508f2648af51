// Bins the features of a training set: the same bins on any number of ranks.
#pragma once

#include "regrove/binning/binned_table.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/dist/training_set.hpp"

namespace regrove::dist {

/// Bins of nearly equal numbers of rows, at most `max_bin` a numeric feature; a feature with no more distinct values than
/// that has a bin for each. Rows of weight zero (TrainingSet::left_out) do not count but have codes. Collective.
binning::BinnedTable bin_table(comm::Communicator& comm, const TrainingSet& set, std::uint32_t max_bin);

/// Codes of category features only; numeric features have neither bins nor codes.
binning::BinnedTable bin_categories(const TrainingSet& set);

/// A bin for every distinct value; for tables that one rank holds whole.
binning::BinnedTable bin_exactly(const TrainingSet& set);

}  // namespace regrove::dist
