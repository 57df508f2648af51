// A born-again tree as it is written, proven equal to its ensemble, independently of the search.
#pragma once

#include "regrove/bornagain/certificate.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/pipeline/job.hpp"

namespace regrove::jobs {

/// The box that the options' cells span (Support::range), else the whole space.
cellspace::Box supported_box(const cellspace::Space& space, const bornagain::RebornOptions& options);

/// Everywhere in `space`, or where `options` ask for it. Undecided when the time limit or a signal comes first. Throws
/// InternalError naming a point where the two differ. Collective.
bornagain::Verified check_reborn(pipeline::JobContext& context, const cellspace::Space& space,
                                 const cellspace::CompiledEnsemble& ensemble, const model::Ensemble& tree,
                                 const bornagain::RebornOptions& options);

}  // namespace regrove::jobs
