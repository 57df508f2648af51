// The search for a born-again tree as a job runs it: under the job's limits, with one result for all ranks.
#pragma once

#include "regrove/bornagain/reborn.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/pipeline/job.hpp"

namespace regrove::jobs {

struct SearchOutcome {
    bornagain::RebornResult result;
    double seconds = 0;
};

/// The same on every rank. Stops in time for the results to be written. Collective; errors are agreed.
SearchOutcome search_reborn(pipeline::JobContext& context, const cellspace::CompiledEnsemble& ensemble,
                            const cellspace::Space& space, const bornagain::RebornOptions& options);

}  // namespace regrove::jobs
