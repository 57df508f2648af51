// Counts the questions that tie with a node's best one: those that cut the node's rows alike, and those that do not.
#pragma once

#include <span>
#include <vector>

#include "regrove/dist/split_search.hpp"

namespace regrove::dist {

/// Where the tied questions are compared.
struct TieScene {
    comm::Communicator& comm;
    const TrainingSet& set;
    const ColumnRuns& runs;
    std::span<const std::uint32_t> slot_of_row;
    bool valued_rows_only = false;  ///< surrogate rule: rows that answer both questions are compared
};

/// Fills the training range of `found`: smallest and largest value of the asked feature among each slot's rows.
/// Collective.
void find_training_ranges(comm::Communicator& comm, const TrainingSet& set,
                          std::span<const std::uint32_t> slot_of_row, std::vector<FoundSplit>& found);

/// Fills the tie counts of `found`. `equals` holds candidates that may equal the best: numeric
/// ones of this rank's runs, categorical ones known to every rank. Collective; sends 40 bytes a numeric tie to every
/// rank.
void classify_ties(const TieScene& scene, const std::vector<PlacedCandidate>& best,
                   const std::vector<PlacedCandidate>& equals, std::vector<FoundSplit>& found);

}  // namespace regrove::dist
