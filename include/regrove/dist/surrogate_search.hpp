// Surrogate questions of chosen splits: for every other feature the question that best follows the main one.
#pragma once

#include <span>
#include <vector>

#include "regrove/dist/split_search.hpp"

namespace regrove::dist {

/// Adds up to `most` surrogates to each splittable question: of all rows that answer both, those that send more
/// weight the main question's way than the heavier side alone would, by falling agreement, then by feature.
/// Collective. Source: Breiman et al. 1984, section 5.3. `slot_of_row` as in the search that found the questions.
void add_surrogates(comm::Communicator& comm, const TrainingSet& set, const ColumnRuns& runs, std::uint32_t most,
                    std::span<const std::uint32_t> slot_of_row, std::vector<FoundSplit>& found);

}  // namespace regrove::dist
