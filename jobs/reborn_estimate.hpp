// What a born-again tree will take, told before it is tried.
#pragma once

#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/pipeline/job.hpp"

namespace regrove::jobs {

/// Writes the estimate for the box to summary and table: within half a minute, or what --time-limit leaves of it.
/// Collective; the root works.
void estimate_reborn(pipeline::JobContext& context, const cellspace::CompiledEnsemble& ensemble,
                     const cellspace::Box& box, std::uint32_t samples);

}  // namespace regrove::jobs
