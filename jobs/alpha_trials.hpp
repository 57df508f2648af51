// Judges candidate alphas by cross-validation: refits on parts of the rows, pruned at each candidate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/prune/alpha_choice.hpp"

namespace regrove::jobs {

struct AlphaTrials {
    const model::Ensemble& model;  ///< trained by Regrove: its options and seed are used again
    std::span<const double> candidates;
    std::uint32_t folds = 10;
    std::uint64_t seed = 0;  ///< of the folds
};

/// The error rate (classes) or mean squared error (numbers) of each candidate. Fold k is the work of rank k mod ranks;
/// the result is the same on every rank, for any number of them. Every rank holds the whole table. Collective; errors are
/// agreed.
std::vector<prune::CandidateError> cross_validate_alphas(comm::Communicator& comm, const AlphaTrials& trials,
                                                         data::TableShard shard);

}  // namespace regrove::jobs
