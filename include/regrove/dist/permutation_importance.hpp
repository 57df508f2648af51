// How much worse a model's answers get when one feature's values are dealt out anew among the rows.
//
// Sources: Breiman 2001, "Random forests", section 10, on any rows instead of the out-of-bag ones; Fisher, Rudin and
// Dominici 2019, "All models are wrong, but many are useful", whose model reliance in its difference form this is.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/metric/registry.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

constexpr std::uint32_t k_most_repeats = 65535;

/// The figures of one feature over the repeats, in units of the metric; positive: the feature helps.
struct PermutationImportance {
    bool used = false;           ///< some question asks for it; all figures are exactly zero otherwise
    std::vector<double> losses;  ///< one a repeat: how much worse the metric is than without permuting
    double mean = 0;
    double standard_deviation = 0;  ///< of the repeats (n - 1 in the denominator); NaN for one repeat
    double standard_error = 0;      ///< of the mean, over the repeats: not over other rows or other models
};

struct PermutationResult {
    double baseline = 0;  ///< the metric of the rows as they are
    std::vector<PermutationImportance> features;
};

/// For each feature that the model asks for and each repeat, the feature's values of all rows of all ranks (missing ones
/// too) are moved by a KeyedPermutation, a pure function of (seed, feature, repeat), and the metric is computed again.
/// Only trees that ask for the feature are walked. The same on any number of ranks and threads.
///
/// `repeats`: 1 .. k_most_repeats. `shard`: this rank's labelled rows. Time a rank: O(repeats * rows * (sum over features of trees that ask for it)).
/// Bytes a rank sends: 16 * rows for each feature and repeat, besides the metric's. Collective; throws InputError
/// (agreed) when labels or columns do not fit the model or the metric is not defined on these rows.
PermutationResult permutation_importance(comm::Communicator& comm, const model::Ensemble& ensemble,
                                         const data::TableShard& shard, const metric::Metric& metric,
                                         std::uint32_t repeats, std::uint64_t seed);

}  // namespace regrove::dist
